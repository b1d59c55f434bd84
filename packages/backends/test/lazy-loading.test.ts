import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { wireServer } from '@loader/test-harness/wire'
import { line } from '@loader/test-harness'
import { fromCi, sample } from '@loader/test-tier'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('children/use-backends.ts', import.meta.url))

async function inChild(...args: readonly string[]) {
  return run(program, ...args)
}

async function run(path: string, ...args: readonly string[]) {
  const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', path, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout)
}

test('importing the package loads nothing of the providers', async () => {
  expect(await inChild('import')).toEqual({ imported: [] })
})

test('making backends loads nothing of the providers, and using one loads that one alone', async () => {
  const { made, used, error } = await inChild('openai-compatible')
  expect(made).toEqual([])
  expect(used).toContain('@ai-sdk/openai-compatible')
  expect(used).not.toContain('@ai-sdk/openai')
  expect(used).not.toContain('@ai-sdk/anthropic')
  expect(used).not.toContain('ai')
  expect(error).toMatchObject({ name: 'BackendError' })
})

const missing = [
  ['anthropic', '@ai-sdk/anthropic'],
  ['openai-compatible', '@ai-sdk/openai-compatible'],
] as const

test.each(sample(missing, { quick: 1 }))(
  'a package that is missing for %s is named, with the command that installs it',
  async (step, name) => {
    const { error } = await inChild(step, name)
    expect(error).toMatchObject({ name: 'LoaderError', code: 'unsupported' })
    expect(error.message).toContain(`needs the package ${name}, which is not installed. Run: npm install ${name}`)
  },
)

test.runIf(fromCi)('something that is missing inside a package is not taken for the package', async () => {
  const { error } = await inChild('anthropic', '@ai-sdk/provider-utils')
  expect(error.name).toBe('Error')
  expect(error.message).toContain("Cannot find package '@ai-sdk/provider-utils'")
})

test('Ollama is asked without what Node needs long to load for its fetch', async () => {
  await using server = await wireServer({ lines: [line('Here I am.')] })
  const asking = fileURLToPath(new URL('children/ask-ollama.ts', import.meta.url))
  const { answer, loaded } = await run(asking, server.url)
  expect(answer).toBe('Here I am.')
  expect(loaded).toContain('NativeModule _http_client')
  expect(loaded).not.toContain('NativeModule internal/deps/undici/undici')
})
