import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { line } from '@loader/test-harness'
import { knownProviders } from '@loader/backends'
import { expect, test } from 'vitest'
import { type Stage, stage, stageOf } from '../e2e/stage/stage.ts'

const key = 'sk-good-0123456789abcdef'
const wrong = 'sk-wrong-0123456789abcdef'

const cloud = ({ server }: Stage) => ({ ANTHROPIC_BASE_URL: server.url, LOADER_MODEL: '' })

function login(one: Stage, input: string, words: readonly string[] = ['anthropic', '--file'], more = {}) {
  return one.runBuilt(['login', ...words], { input, environment: { ...cloud(one), ...more } })
}

const kept = ({ config }: Stage) => join(config, 'credentials.json')

test('login checks a key, keeps it, and says where; runs use it, and logout takes it back', async () => {
  await using one = await stageOf({ lines: [{ ...line('Here I am.'), repeat: 'any' }], key })
  const before = await one.runBuilt(['-p', 'Hello!', '-m', 'anthropic/m'], { environment: cloud(one) })
  expect(before.code).toBe(1)
  expect(before.stderr + before.stdout).toContain('loader login anthropic, or set ANTHROPIC_API_KEY')

  const ended = await login(one, `${key}\n`)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toBe(
    `Anthropic accepts the key. It is in ${kept(one)}, which only you can read.\nModels: loader models anthropic\n`,
  )
  const after = await one.runBuilt(['-p', 'Hello!', '-m', 'anthropic/m'], { environment: cloud(one) })
  expect(after).toMatchObject({ code: 0, stdout: 'Here I am.\n' })
  const listed = await one.runBuilt(['models', 'anthropic'], { environment: cloud(one) })
  expect(listed.stdout).toContain('anthropic/scripted')

  expect(await one.runBuilt(['logout', 'anthropic'])).toMatchObject({
    code: 0,
    stdout: `The key of Anthropic was removed from ${kept(one)}.\n`,
  })
  expect(await one.runBuilt(['logout', 'anthropic'])).toMatchObject({ stdout: 'No key of Anthropic was kept.\n' })
  expect(readFileSync(kept(one), 'utf8')).not.toContain(key)
})

test('on a machine without a keyring the key goes into the file, without an error', async () => {
  await using one = await stageOf({ lines: [], key })
  // Nothing of a keyring of this machine can be reached.
  const nobody = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: '/nonexistent' }
  expect(await login(one, key, ['anthropic'], nobody)).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(readFileSync(kept(one), 'utf8'))).toEqual({ anthropic: key })
})

test('a wrong key is refused by the provider, and not kept', async () => {
  await using one = await stageOf({ lines: [], key })
  const { code, stdout, stderr } = await login(one, wrong)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('anthropic does not accept the credentials (401)')
  expect(stderr).toContain('The key was not kept.')
  expect(stderr).not.toContain(wrong)
  expect(existsSync(kept(one))).toBe(false)
})

test('a key that could not be checked is kept, and that is said', async () => {
  await using one = await stageOf({ lines: [], key })
  const nowhere = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
  const { code, stdout, stderr } = await login(one, key, ['anthropic', '--file'], nowhere)
  expect(code).toBe(0)
  expect(stdout).toContain('was not checked')
  expect(stderr).toContain('could not be reached')
})

test.each([
  ['a key in the command line', ['anthropic', key], key],
  ['a key instead of a provider', [key + key], ''],
  ['a misspelt provider', ['antropic'], ''],
  ['nothing from standard input', ['anthropic'], ''],
  ['a sentence', ['anthropic'], 'this is no key'],
  ['vertex, which signs in otherwise', ['vertex'], key],
])('%s is refused, and nothing of it is shown', async (_name, words, input) => {
  await using one = await stage(line('unused'))
  const { code, stdout, stderr } = await login(one, input, words)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).not.toContain('sk-good')
  expect(stderr).not.toContain('no key\n')
  expect(existsSync(kept(one))).toBe(false)
  if (words[0] === 'antropic') expect(stderr).toContain('Did you mean anthropic?')
})

test('a key in the environment goes before a kept one, and login and logout say so', async () => {
  await using one = await stageOf({ lines: [{ ...line('Here I am.'), repeat: 'any' }], key })
  const set = { ANTHROPIC_API_KEY: wrong }
  const ended = await login(one, key, ['anthropic', '--file'], set)
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain('ANTHROPIC_API_KEY is set, and its key goes before the one that is kept.')
  const run = await one.runBuilt(['-p', 'Hello!', '-m', 'anthropic/m'], { environment: { ...cloud(one), ...set } })
  expect(run.code).toBe(1)
  const out = await one.runBuilt(['logout', 'anthropic'], { environment: set })
  expect(out.stderr).toContain('ANTHROPIC_API_KEY is still set')
})

test('the key of a provider of the user is kept under its name', async () => {
  await using one = await stageOf({ lines: [{ ...line('Here I am.'), repeat: 'any' }], key })
  const providers = { acme: { api: 'openai-compatible', baseUrl: `${one.server.url}/v1` } }
  writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ providers }))
  expect(await login(one, key, ['acme', '--file'])).toMatchObject({ code: 0, stderr: '' })
  const run = await one.runBuilt(['-p', 'Hello!', '-m', 'acme/m'])
  expect(run).toMatchObject({ code: 0, stdout: 'Here I am.\n' })
})

test('no child, no output, no session and no export has a kept key, nor one of any variable of any provider', async () => {
  const secrets = Object.fromEntries(
    knownProviders
      .flatMap(({ keyVariables, secretVariables = [] }) => [...keyVariables, ...secretVariables])
      .map((name, at) => [name, `secretof${at}-${name.toLowerCase().replaceAll('_', '')}-0123456789`]),
  )
  const echo = `env; cat ${'"$LOADER_CONFIG_DIR"'}/credentials.json; echo ${key}; ${Object.values(secrets)
    .map((secret) => `echo ${secret}`)
    .join('; ')}`
  await using one = await stageOf({
    lines: [{ calls: [{ name: 'bash', input: { command: echo } }] }, { ...line('Done.'), repeat: 'any' }],
  })
  writeFileSync(kept(one), JSON.stringify({ anthropic: key }), { mode: 0o600 })
  // The model is on this machine, and needs no key.
  const run = await one.runBuilt(
    ['-p', 'Create a.txt with what env prints.', '--permission-mode', 'danger-full-access'],
    {
      environment: secrets,
    },
  )
  expect(run.code).toBe(0)
  const [row] = await one.sessions()
  const { history, state } = await one.session(row?.id ?? '')
  const result = JSON.stringify(history.filter(({ type }) => type === 'tool.finished'))
  expect(result).toContain('PATH=')
  const exported = await one.runBuilt(['export'], { environment: secrets })
  // The command itself was the model's, and is in its call as the model wrote it; the export hides it.
  const finished = JSON.stringify(state.messages.toArray().filter(({ role }) => role === 'tool'))
  for (const secret of [key, ...Object.values(secrets)]) {
    expect(result).not.toContain(secret)
    expect(finished).not.toContain(secret)
    expect(exported.stdout).not.toContain(secret)
  }
})
