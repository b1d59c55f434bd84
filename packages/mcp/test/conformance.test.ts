import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'

const { resolve } = createRequire(import.meta.url)
const suite = join(dirname(resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
const client = fileURLToPath(new URL('children/conformance-client.ts', import.meta.url))

/** Every client scenario of the suite, and why some of them fail. */
const scenarios: readonly (readonly [name: string, why?: RegExp])[] = [
  ['initialize'],
  ['tools_call'],
  ['elicitation-sep1034-client-defaults'],
  ['sse-retry'],
  ['auth/metadata-default'],
  ['auth/metadata-var1'],
  ['auth/metadata-var2'],
  ['auth/metadata-var3'],
  ['auth/basic-cimd'],
  ['auth/scope-from-www-authenticate'],
  ['auth/scope-from-scopes-supported'],
  ['auth/scope-omitted-when-undefined'],
  ['auth/scope-step-up'],
  ['auth/scope-retry-limit'],
  ['auth/token-endpoint-auth-basic'],
  ['auth/token-endpoint-auth-post'],
  ['auth/token-endpoint-auth-none'],
  ['auth/pre-registration'],
  // Its metadata names another issuer than the address that it lies at, which RFC 8414 (3.3) tells to refuse.
  ['auth/2025-03-26-oauth-metadata-backcompat', /Issuer mismatch in authorization server metadata/],
  ['auth/2025-03-26-oauth-endpoint-fallback'],
  ['auth/resource-mismatch'],
  ['auth/offline-access-scope'],
  ['auth/offline-access-not-supported'],
  ['auth/client-credentials-jwt'],
  ['auth/client-credentials-basic'],
  // Logins through the identity provider of a company are not made here.
  ['auth/cross-app-access-complete-flow', /only supports jwt-bearer grant, got authorization_code/],
]

function run(scenario: string): { readonly passed: boolean; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const command = `"${process.execPath}" --conditions=@loader/source "${client}"`
    const words = [suite, 'client', '--command', command, '--scenario', scenario, '-o', folder]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    return { passed: status === 0, said: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** All of them take a minute, and one minds how busy the machine is. These try most of what they try. */
const few: readonly string[] = ['elicitation-sep1034-client-defaults', 'auth/scope-step-up']
const tried = scenarios.filter(([name]) => tier === 'long' || (tier === 'ci' && few.includes(name)))

describe.runIf(tier !== 'quick')('the conformance suite of the protocol', () => {
  test('has the scenarios that are named here, and no others for clients', () => {
    const { stdout } = spawnSync(process.execPath, [suite, 'list', '--client'], { encoding: 'utf8' })
    const [, clients = ''] = stdout.split('Client scenarios')
    const names = [...clients.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
    expect(names).toEqual(scenarios.map(([name]) => name))
  })

  test.each(tried.map(([name, why]) => ({ name, why })))('$name', ({ name, why }) => {
    const { passed, said } = run(name)
    if (why !== undefined) expect(said).toMatch(why)
    expect({ name, passed, said: passed || why ? '' : said }).toEqual({ name, passed: why === undefined, said: '' })
  })
})
