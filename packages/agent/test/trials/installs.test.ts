import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Approver, PermissionQuestion } from '@loader/session-core/coding'
import { call } from '@loader/test-harness'
import { wallsAround } from '@loader/workspace'
import { fromCi, needing } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { attempt } from '../hostile/attempt.ts'
import { eventsOf } from '../scene/whole.ts'

const bases = fileURLToPath(new URL('../../.turbo/trials/', import.meta.url))
const walls = fromCi ? await wallsAround({ root: bases }).state() : undefined

/** A registry on this machine that has two packages, which do nothing. */
async function registry(folder: string) {
  const tarballs = new Map<string, Buffer>()
  for (const name of ['tiny-one', 'tiny-two']) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
    execFileSync('tar', ['czf', `${name}.tgz`, '--transform', `s/^${name}/package/`, name], { cwd: folder })
    tarballs.set(name, readFileSync(join(folder, `${name}.tgz`)))
  }
  const server = createServer(({ url = '' }, response) => {
    const name = url.split('/')[1] ?? ''
    const tarball = tarballs.get(name)
    if (tarball === undefined) return void response.writeHead(404).end()
    if (url.endsWith('.tgz')) return void response.end(tarball)
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const version = { name, version: '1.0.0', dist: { tarball: `${address()}/${name}/-/${name}.tgz`, integrity } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }))
  })
  const address = () => {
    const at = server.address()
    return `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: address(),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  }
}

// It has npm install packages several times. What a yes holds for is tested with the policy, and walls with the workspace.
test.runIf(walls?.state === 'held')(
  needing(
    walls !== undefined && walls.state !== 'held' && 'there are no walls here',
    'an install asks once for the network, and a yes holds for its kind',
  ),
  async () => {
    mkdirSync(bases, { recursive: true })
    const base = mkdtempSync(bases)
    const root = join(base, 'project')
    mkdirSync(root)
    await using packages = await registry(join(base, 'packages'))
    writeFileSync(join(root, 'package.json'), '{ "name": "p", "version": "1.0.0" }')
    const questions: PermissionQuestion[] = []
    const approver: Approver = {
      decide: async (question) => {
        questions.push(question)
        return { permit: 'allow', scope: 'session' }
      },
    }
    const install = (name: string, reach?: 'network') =>
      call('bash', {
        command: `npm install --no-audit --no-fund --fetch-retries=0 --registry ${packages.address} ${name}`,
        ...(reach && { reach, why: 'to install packages' }),
      })
    const calls = [
      install('tiny-one'),
      install('tiny-one', 'network'),
      install('tiny-two', 'network'),
      call('bash', { command: 'npm install && npm ls', timeout: 60 }),
      call('bash', { command: 'curl -sm1 http://127.0.0.1:9', reach: 'network', why: 'to look' }),
    ]
    const history = await attempt({ root, calls, mode: 'workspace-write', approver })
    const told = eventsOf(history, 'tool.finished').map(({ outcome, text }) => ({ outcome, text }))
    expect(questions.map(({ reach, why, rule }) => ({ reach, why, rule: rule?.pattern }))).toEqual([
      { reach: 'network', why: 'to install packages', rule: 'Bash(npm install:*)' },
      { reach: 'network', why: 'to look', rule: expect.stringContaining('curl') as string },
    ])
    expect(told.slice(0, 4)).toMatchObject(['failed', 'ok', 'ok', 'ok'].map((outcome) => ({ outcome })))
    for (const name of ['tiny-one', 'tiny-two']) expect(existsSync(join(root, 'node_modules', name))).toBe(true)
    rmSync(base, { recursive: true, force: true })
  },
)
