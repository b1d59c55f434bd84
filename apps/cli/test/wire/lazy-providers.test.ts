import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { line, temporaryWorkspace } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'

const program = fileURLToPath(new URL('children/loader-and-its-packages.ts', import.meta.url))

interface Loaded {
  readonly stdout: string
  readonly packages: unknown
  /** Where its model was asked. */
  readonly paths: readonly string[]
}

/** Runs `loader` with these words in front of a server, and says which packages of providers it has loaded. */
async function packagesOf(words: readonly string[]): Promise<Loaded> {
  await using folder = await temporaryWorkspace({ files: { 'project/notes.txt': 'Hello\n' } })
  await using server = await wireServer({ lines: [{ ...line('All is well.'), repeat: 'any' }] })
  const report = folder.path('packages.json')
  const options = {
    cwd: folder.path('project'),
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: folder.path('home'),
      LOADER_CONFIG_DIR: folder.path('config'),
      OLLAMA_HOST: server.url,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'sk-scripted',
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: 'sk-scripted',
      GOOGLE_GEMINI_BASE_URL: server.url,
      GEMINI_API_KEY: 'sk-scripted',
    },
  }
  const args = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', program, report, ...words]
  const running = promisify(execFile)(process.execPath, args, options)
  running.child.stdin?.end()
  const { stdout } = await running.catch((error: { stdout: string }) => error)
  const paths = new Set(server.requests.map(({ path }) => path))
  return { stdout, packages: JSON.parse(readFileSync(report, 'utf8')), paths: [...paths] }
}

describe.runIf(fromCi)('loader loads no package of a provider', () => {
  const cases = [
    { words: ['-p', 'How are you?', '-m', 'ollama/scripted'], says: /All is well\./ },
    { words: ['models'], says: /ollama\/scripted/ },
    { words: ['sessions'], says: /session/i },
    { words: ['--version'], says: /^\d+\.\d+\.\d+/ },
  ]
  test.concurrent.each(sample(cases, { quick: 1 }))('for $words', async ({ words, says }) => {
    const { stdout, packages } = await packagesOf(words)
    expect(stdout).toMatch(says)
    expect(packages).toEqual([])
  })
})

describe('loader loads the package of a provider', () => {
  const providers = [
    { name: 'openai', path: '/v1/responses' },
    { name: 'google', path: '/v1beta/models/scripted:streamGenerateContent' },
    { name: 'anthropic', path: '/v1/messages' },
  ]
  const named = ['openai-compatible', ...providers.map(({ name }) => name)]
  test.concurrent.each(sample(providers, { quick: 1 }))(
    'of $name when its model is used, and no other, and asks at $path',
    async ({ name, path }) => {
      const { stdout, packages, paths } = await packagesOf(['-p', 'How are you?', '-m', `${name}/scripted`])
      expect(stdout).toContain('All is well.')
      expect(packages).toContain(`@ai-sdk/${name}`)
      for (const other of named.filter((one) => one !== name)) expect(packages).not.toContain(`@ai-sdk/${other}`)
      expect(packages).not.toContain('ai')
      expect(paths).toEqual([path])
    },
  )
})
