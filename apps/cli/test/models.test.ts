import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { line } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyTrouble } from '../src/run/key-trouble.ts'
import { placesOf } from '../src/places/places.ts'
import { Given } from '../src/arguments/given.ts'
import { main } from '../src/commands/table.ts'
import { DoctorOutput } from '../src/schemas/doctor.ts'
import { ModelsOutput } from '../src/schemas/models.ts'
import { type Stage, stage } from './e2e/stage/stage.ts'

const key = 'sk-good-0123456789abcdef'
const wrong = 'sk-wrong-0123456789abcdef'
const models = [
  { id: 'claude-opus-5', contextWindow: 1_000_000 },
  { id: 'claude-small', contextWindow: 8_000 },
]

let cloud: Awaited<ReturnType<typeof wireServer>>
beforeAll(async () => {
  cloud = await wireServer({ lines: [{ ...line('Here I am.'), repeat: 'any' }], key, models })
})
afterAll(() => cloud.close())

/** Nothing of this machine, and two clouds. */
const clouds = (more: Readonly<Record<string, string>> = {}) => ({
  LOADER_MODEL: '',
  OLLAMA_HOST: '127.0.0.1:9',
  ANTHROPIC_BASE_URL: cloud.url,
  OPENAI_BASE_URL: `${cloud.url}/v1`,
  ...more,
})

const listed = async (one: Stage, environment: Readonly<Record<string, string>>, ...words: string[]) => {
  const { code, stdout, stderr } = await one.runHere(['models', '--json', ...words], { environment })
  expect(stderr).toBe('')
  return { code, ...ModelsOutput.parse(JSON.parse(stdout)) }
}

test('the providers that have a key list their models; of the others it is said what they need', async () => {
  await using one = await stage()
  const environment = clouds({ ANTHROPIC_API_KEY: key, OPENAI_API_KEY: wrong })
  const { code, clouds: known } = await listed(one, environment)
  expect(code).toBe(0)
  const byName = new Map(known.map((provider) => [provider.provider, provider]))
  expect(byName.get('anthropic')).toMatchObject({
    hasKey: true,
    state: 'listed',
    problem: null,
    tested: 'strict server',
    models: [
      { name: 'anthropic/claude-opus-5', contextWindow: 1_000_000, nativeTools: true, thinking: null },
      { name: 'anthropic/claude-small', contextWindow: 8_000 },
    ],
  })
  expect(byName.get('openai')).toMatchObject({ hasKey: true, state: 'failed', models: [] })
  expect(byName.get('openai')?.problem).toMatch(/does not accept the credentials.*\n.*loader login openai/)
  expect(byName.get('groq')).toMatchObject({ hasKey: false, state: 'no_key', keyVariable: 'GROQ_API_KEY' })
  expect(byName.get('vertex')).toMatchObject({ state: 'no_list', tested: 'not tried' })
  const { stdout } = await one.runHere(['models'], { environment })
  expect(stdout).toMatch(
    /^Anthropic\nmodel +tools {2}images {2}thinks +window\nanthropic\/claude-opus-5 +yes +\? +\? +1000000$/m,
  )
  expect(stdout).toMatch(/^OpenAI\n! openai does not accept the credentials/m)
  expect(stdout).toMatch(/^Without a key: .*groq/m)
  expect(stdout).not.toContain(wrong)
})

test('one provider alone is asked when it is named, and its failure is the exit code', async () => {
  await using one = await stage()
  const good = await listed(one, clouds({ ANTHROPIC_API_KEY: key, OPENAI_API_KEY: wrong }), 'anthropic')
  expect([good.code, good.clouds.map(({ provider }) => provider)]).toEqual([0, ['anthropic']])
  const bad = await listed(one, clouds({ OPENAI_API_KEY: wrong }), 'openai')
  expect(bad.code).toBe(1)
  const misspelt = await one.runHere(['models', 'antropic'])
  expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean anthropic?') })
})

test('a name is never cut: where there is no room for a table, what a model can do stands below it', async () => {
  await using one = await stage()
  const environment = clouds({ ANTHROPIC_API_KEY: key, COLUMNS: '40' })
  const { stdout } = await one.runHere(['models', 'anthropic'], { environment })
  expect(stdout).toContain('anthropic/claude-opus-5\n  tools, window 1000000\n')
  for (const text of stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(40)
})

test('a first start offers the models of a key that is set, and one that is fit for the work', async () => {
  await using one = await stage()
  const environment = clouds({ ANTHROPIC_API_KEY: key })
  const { code, stderr } = await one.runHere(['-p', 'Hello!'], { environment })
  expect(code).toBe(2)
  expect(stderr).toContain('Anthropic, which has a key\n')
  expect(stderr).toContain('anthropic/claude-small')
  expect(stderr).toContain('loader -m anthropic/claude-opus-5 "what to do"')
  expect(stderr).toContain(`put { "model": "anthropic/claude-opus-5" } into ${join(one.config, 'settings.json')}`)
})

test('a first start without any key says how to keep one', async () => {
  await using one = await stage()
  const { stderr } = await one.runHere(['-p', 'Hello!'], { environment: clouds() })
  expect(stderr).toContain('loader login anthropic, or another one, then: loader models')
})

const doctorOf = async (one: Stage, environment: Readonly<Record<string, string>>) => {
  const { stdout } = await one.runHere(['doctor', '--json'], { environment })
  const { checks } = DoctorOutput.parse(JSON.parse(stdout))
  return (name: string) => checks.find((check) => check.name === name)
}

test('the doctor says whether the model can be used, and where keys are', async () => {
  await using one = await stage()
  const chosen = { LOADER_MODEL: 'anthropic/claude-opus-5' }
  const good = await doctorOf(one, clouds({ ...chosen, ANTHROPIC_API_KEY: key }))
  expect(good('model')).toMatchObject({ state: 'ok', message: 'anthropic/claude-opus-5; Anthropic accepts the key' })
  expect(good('keys')).toMatchObject({ state: 'ok', message: 'in the environment: ANTHROPIC_API_KEY' })
  const bad = await doctorOf(one, clouds({ ...chosen, ANTHROPIC_API_KEY: wrong }))
  expect(bad('model')).toMatchObject({ state: 'warning', message: expect.stringContaining('does not accept') })
  const none = await doctorOf(one, clouds(chosen))
  expect(none('model')).toMatchObject({ state: 'warning', message: expect.stringContaining('loader login anthropic') })
  expect(none('keys')).toMatchObject({ message: 'none' })
  expect((await doctorOf(one, clouds()))('model')?.state).toBe('note')
  const local = await doctorOf(one, { LOADER_MODEL: 'ollama/scripted' })
  expect(local('model')).toMatchObject({ state: 'ok', message: expect.stringContaining('Ollama answers at') })
  const gone = await doctorOf(one, { LOADER_MODEL: 'ollama/scripted', OLLAMA_HOST: '127.0.0.1:9' })
  expect(gone('model')?.state).toBe('warning')
})

test.skipIf(process.platform === 'win32')('the doctor sees a file of keys that others can read', async () => {
  await using one = await stage()
  writeFileSync(join(one.config, 'credentials.json'), JSON.stringify({ groq: key }), { mode: 0o644 })
  const { message, state } = (await doctorOf(one, {}))('keys') ?? {}
  expect(state).toBe('warning')
  expect(message).toContain('chmod 600')
  expect(message).not.toContain(key)
})

test('what is wrong with a key is known before a task is typed; nothing is asked where none is needed', async () => {
  await using one = await stage()
  const environment = clouds()
  const trouble = (
    model: string,
    more: Readonly<Record<string, string>> = {},
    signal = new AbortController().signal,
  ) => {
    const console = {
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      folder: one.project,
      version: '0',
      environment: { LOADER_CONFIG_DIR: one.config, LOADER_STATE: one.state, ...environment, ...more },
    }
    const places = placesOf(new Given(main, [], new Map()), console)
    return keyTrouble(model, {}, { console, places, signal })
  }
  expect(await trouble('anthropic/m')).toBe(
    'Anthropic needs a key, and there is none. Keep one with: loader login anthropic',
  )
  expect(await trouble('anthropic/m', { ANTHROPIC_API_KEY: wrong })).toContain('does not accept the credentials')
  expect(await trouble('anthropic/m', { ANTHROPIC_API_KEY: key })).toBeUndefined()
  expect(
    await trouble('anthropic/m', { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }),
  ).toBeUndefined()
  expect(await trouble('ollama/m')).toBeUndefined()
  expect(await trouble('anthropic/m', { ANTHROPIC_API_KEY: wrong }, AbortSignal.abort())).toBeUndefined()
})
