import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Ended, type Stage, stageOf } from './stage/stage.ts'

const key = 'sk-good-0123456789abcdef'

/** Each of the strict protocols, as a model of it is named, and where its server is. */
const protocols = {
  responses: {
    model: 'openai/scripted',
    at: (url: string) => ({ OPENAI_BASE_URL: `${url}/v1` }),
    key: 'OPENAI_API_KEY',
  },
  chat: { model: 'mine/scripted', at: () => ({}), key: 'MINE_API_KEY' },
  anthropic: {
    model: 'anthropic/scripted',
    at: (url: string) => ({ ANTHROPIC_BASE_URL: url }),
    key: 'ANTHROPIC_API_KEY',
  },
  gemini: {
    model: 'google/scripted',
    at: (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url }),
    key: 'GEMINI_API_KEY',
  },
  ollama: { model: 'ollama/scripted', at: () => ({}), key: 'OLLAMA_API_KEY' },
} as const
type Protocol = keyof typeof protocols
const all = Object.keys(protocols) as Protocol[]

function run(one: Stage, protocol: Protocol, words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { model, at, key: variable } = protocols[protocol]
  const providers = { mine: { api: 'openai-compatible', baseUrl: `${one.server.url}/v1` } }
  mkdirSync(one.config, { recursive: true })
  writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ providers }))
  return one.runBuilt(['-p', ...words, '-m', model], {
    environment: { ...at(one.server.url), [variable]: key, ...more },
  })
}

/** The session is whole, and another run goes on with it. */
async function goesOn(one: Stage, protocol: Protocol, { code, stderr, stdout }: Ended): Promise<void> {
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).not.toContain(key)
  const [row] = await one.sessions()
  const id = row?.id ?? ''
  expect(stderr).toContain(`Go on with: loader -r ${id}`)
  expect((await one.runBuilt(['verify', id])).code).toBe(0)
  const after = await run(one, protocol, ['Hello again!', '-r', id])
  expect(after).toMatchObject({ code: 0, stdout: 'Here I am.\n' })
}

describe.each(sample(all, { quick: 2, ci: 3 }))('%s', (protocol) => {
  const { model, key: variable } = protocols[protocol]
  const answers = { ...line('Here I am.'), repeat: 'any' as const }

  test.each([
    ['no_credit', /no credit left.*\nAdd credit to the account that the key belongs to, or use another model\./s],
    ['unknown_model', /does not exist \(404\)/],
  ])('%s: the message says what happened to which model, and what to do', async (kind, words) => {
    await using one = await stageOf({ lines: [{ fault: { type: 'throw', kind, after: 0 } }, answers] })
    const ended = await run(one, protocol, ['Hello!'])
    expect(ended.stderr).toContain(model)
    expect(ended.stderr).toMatch(words)
    await goesOn(one, protocol, ended)
  })

  test('a wrong key: the message says how to keep another one', async () => {
    await using one = await stageOf({ lines: [answers], key })
    const ended = await run(one, protocol, ['Hello!'], { [variable]: 'sk-wrong-0123456789abcdef' })
    expect(ended.stderr).toContain('does not accept the credentials')
    expect(ended.stderr).toContain(`loader login ${model.split('/')[0]}, or set ${variable}`)
    expect(ended.stderr).not.toContain('sk-wrong')
    await goesOn(one, protocol, ended)
  })

  test('a request that stays too large: the message says so', async () => {
    const tooLong = { fault: { type: 'throw', kind: 'context_too_long', after: 0 } as const }
    await using one = await stageOf({ lines: [{ ...tooLong, repeat: 'any' }] })
    const ended = await run(one, protocol, ['Hello!'])
    expect(ended.code).toBe(7)
    expect(ended.stderr).toContain(`The request does not fit into the window of ${model}`)
    expect(ended.stderr).toContain('Go on with a model that has a larger window, or begin a new session.')
  })
})

test('an overload is waited for, and its end is an answer', async () => {
  const busy = { fault: { type: 'throw', kind: 'overloaded', retryAfterMs: 10, after: 0 } as const, repeat: 2 }
  await using one = await stageOf({ lines: [busy, line('Here I am.')] })
  const ended = await run(one, 'anthropic', ['Hello!', '--verbose'])
  expect(ended).toMatchObject({ code: 0, stdout: 'Here I am.\n' })
  expect(ended.stderr).toContain('overloaded')
})

test('a name that is nearly right is answered with the right one', async () => {
  const models = [{ id: 'claude-sonnet-4-5' }, { id: 'claude-opus-5' }]
  await using one = await stageOf({ lines: [], key, models })
  const ended = await one.runBuilt(['-p', 'Hello!', '-m', 'anthropic/claude-sonet-45'], {
    environment: { ANTHROPIC_BASE_URL: one.server.url, ANTHROPIC_API_KEY: key },
  })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('Similar names: anthropic/claude-sonnet-4-5')
})

test('a provider that is not known: the error names the file, and shows what to write into it', async () => {
  await using one = await stageOf({ lines: [] })
  const { code, stderr } = await one.runBuilt(['-p', 'Hello!', '-m', 'acme/m'])
  expect(code).toBe(2)
  expect(stderr).toContain(
    `write into ${join(one.config, 'settings.json')}: {"providers":{"acme":{"api":"openai-compatible","baseUrl":"https://host/v1"}}}`,
  )
})

test('a provider whose package is not part of the command says what to install', async () => {
  await using one = await stageOf({ lines: [] })
  const { code, stderr } = await one.runBuilt(['-p', 'Hello!', '-m', 'vertex/gemini'], {
    environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(withoutVertex)}` },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('npm install @ai-sdk/google-vertex')
})

const withoutVertex = `
  import { registerHooks } from 'node:module'
  registerHooks({ resolve(specifier, context, next) {
    if (specifier !== '@ai-sdk/google-vertex') return next(specifier, context)
    throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: 'ERR_MODULE_NOT_FOUND' })
  } })
`
