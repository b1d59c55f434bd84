import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { wireServer } from '@loader/test-harness/wire'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const readme = await readFile(`${folder}/README.md`, 'utf8')

test('the README stays within 40 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('the program of the README talks to a model', async () => {
  await using server = await wireServer({ lines: [{ text: 'Hello.', usage: { inputTokens: 9, outputTokens: 2 } }] })
  const program = readme.slice(readme.indexOf('```js\n') + 6, readme.lastIndexOf('```'))
  const args = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval']
  const env = { ...process.env, OLLAMA_HOST: server.url }
  const { stdout } = await promisify(execFile)(process.execPath, [...args, program, 'program.mjs', 'ollama/scripted'], {
    cwd: folder,
    env,
  })
  server.assertDone()
  expect(stdout).toMatch(/^ollama\/scripted/)
  expect(stdout).toContain("model: 'ollama/scripted'")
  expect(stdout).toContain('\nHello.\nstop { inputTokens: 9, outputTokens: 2 }\n')
})
