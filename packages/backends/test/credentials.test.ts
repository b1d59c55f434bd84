import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backend, BackendError, LoaderError } from '@loader/session-core'
import { type WireServer, wireServer } from '@loader/test-harness/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  anthropic,
  type BackendOptions,
  backendFor,
  type ConnectionOptions,
  type Fetch,
  type Variables,
} from '../src/index.ts'
import { hear, rejection, request } from './requests.ts'

const [given, named, filed] = ['sk-given-0123456789', 'sk-named-0123456789', 'sk-filed-0123456789']

let folder = ''
let file = ''
let server: WireServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loader-keys-'))
  file = join(folder, 'credentials.json')
  // Each key has a script of its own, so that the answer tells which one came.
  const scripts = [given, named, filed].map((key) => [key.split('-')[1], { key, lines: [{ text: key }] }])
  server = await wireServer({ scripts: Object.fromEntries(scripts) })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function write(content: unknown, mode = 0o600): Promise<void> {
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  await chmod(file, mode)
}

function claude(options: ConnectionOptions): Backend {
  return anthropic({ baseUrl: `${server.url}/v1`, model: 'm', credentialFile: file, ...options })
}

async function usedKey(backend: Backend): Promise<string> {
  return (await hear(backend.stream(request()))).text
}

describe('the key', () => {
  test('is the one that was passed, before all others', async () => {
    await write({ anthropic: filed })
    expect(await usedKey(claude({ apiKey: given, variables: { ANTHROPIC_API_KEY: named } }))).toBe(given)
  })

  test('is the one in the environment, before the one in the file', async () => {
    await write({ anthropic: filed })
    expect(await usedKey(claude({ variables: { ANTHROPIC_API_KEY: named } }))).toBe(named)
  })

  test('is the one in the file, when there is no other', async () => {
    await write({ anthropic: filed, openai: 'sk-other-0123456789' })
    expect(await usedKey(claude({ variables: {} }))).toBe(filed)
  })

  test('is looked for at every request, so that a new one is used at once', async () => {
    const backend = claude({ variables: {} })
    expect(await rejection(usedKey(backend))).toMatchObject({ failure: { kind: 'auth' } })
    await write({ anthropic: filed })
    expect(await usedKey(backend)).toBe(filed)
  })

  test('of a provider of the caller has the variable that it names', async () => {
    const providers = { acme: { api: 'openai-compatible', baseUrl: `${server.url}/v1` } } as const
    const backend = backendFor('acme/m', { providers, variables: { ACME_API_KEY: named } })
    expect(await usedKey(backend)).toBe(named)
    const other = { acme: { ...providers.acme, apiKeyVariable: 'MY_KEY' } }
    expect(await usedKey(backendFor('acme/m', { providers: other, variables: { MY_KEY: given } }))).toBe(given)
  })
})

describe('the key of a provider', () => {
  const sent = async (name: string, variables: Variables, more: Partial<BackendOptions> = {}) => {
    const keys: (string | null)[] = []
    const fetch: Fetch = async (_target, init) => {
      const headers = new Headers(init?.headers)
      keys.push(headers.get('authorization') ?? headers.get('x-api-key') ?? headers.get('api-key'))
      return new Response('{}', { status: 400 })
    }
    await rejection(hear(backendFor(name, { ...more, variables, fetch }).stream(request())))
    return keys
  }

  test.each(['xai/m', 'groq/m', 'mistral/m'])(
    '%s is never sent that of another one with the same interface',
    async (name) => {
      expect(await sent(name, { OPENAI_API_KEY: given, ANTHROPIC_API_KEY: named })).toEqual([])
    },
  )

  test('is never sent to an address that a variable of another provider names', async () => {
    const keys = await sent('xai/m', { XAI_API_KEY: given, OPENAI_BASE_URL: 'https://elsewhere.test/v1' })
    expect(keys).toEqual([`Bearer ${given}`])
  })

  test('under a name of the caller is its own, or else that of the interface', async () => {
    const providers = { mine: { api: 'anthropic', baseUrl: 'https://mine.test/v1' } } as const
    expect(await sent('mine/m', { ANTHROPIC_API_KEY: named }, { providers })).toEqual([named])
    expect(await sent('mine/m', { ANTHROPIC_API_KEY: named, MINE_API_KEY: given }, { providers })).toEqual([given])
    const told = { mine: { ...providers.mine, apiKeyVariable: 'THEIRS' } }
    expect(await sent('mine/m', { ANTHROPIC_API_KEY: named, THEIRS: given }, { providers: told })).toEqual([given])
  })

  test('is asked for where the program keeps keys, when neither environment nor file has it', async () => {
    await write({ groq: filed })
    const asked: string[] = []
    const keptKey = async (provider: string) => {
      asked.push(provider)
      return given
    }
    const more = { credentialFile: file, keptKey }
    expect(await sent('mistral/m', {}, more)).toEqual([`Bearer ${given}`])
    expect(await sent('groq/m', {}, more)).toContain(`Bearer ${filed}`)
    expect(await sent('groq/m', { GROQ_API_KEY: named }, more)).toContain(`Bearer ${named}`)
    expect(asked).toEqual(['mistral'])
  })

  test('that is missing names the command that keeps one', async () => {
    const backend = backendFor('mistral/m', { variables: {}, loginCommand: 'loader login' })
    const error = await rejection(hear(backend.stream(request())))
    expect(String(error)).toContain('loader login mistral, or set MISTRAL_API_KEY.')
    expect(String(error)).toContain('https://console.mistral.ai')
  })
})

describe('without a key', () => {
  test('nothing is asked, and the failure says where it would be looked for', async () => {
    const error = await rejection(usedKey(claude({ variables: {} })))
    if (!(error instanceof BackendError)) throw error
    expect(error.failure.kind).toBe('auth')
    expect(error.message).toContain('set ANTHROPIC_API_KEY')
    expect(error.message).toContain(`${file} as "anthropic"`)
    expect(server.requests).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('a credential file', () => {
  test.each(['644', '640', '604', '660', '620'])('with mode %s is refused, and the way out is told', async (mode) => {
    await write({ anthropic: filed }, Number.parseInt(mode, 8))
    const error = await rejection(usedKey(claude({ variables: {} })))
    expect(LoaderError.is(error, 'invalid_config')).toBe(true)
    expect(String(error)).toContain(`mode ${mode}`)
    expect(String(error)).toContain(`chmod 600 ${file}`)
    expect(String(error)).not.toContain(filed)
    expect(server.requests).toEqual([])
  })

  test.each(['600', '400'])('with mode %s is read', async (mode) => {
    await write({ anthropic: filed }, Number.parseInt(mode, 8))
    expect(await usedKey(claude({ variables: {} }))).toBe(filed)
  })

  test.each(['not json', '["sk-filed-0123456789"]', '{"anthropic": {"key": "sk-filed-0123456789"}}'])(
    'that is no list of keys is refused without showing it: %s',
    async (content) => {
      await write(content)
      const error = await rejection(usedKey(claude({ variables: {} })))
      expect(LoaderError.is(error, 'invalid_config')).toBe(true)
      expect(String(error)).not.toContain('sk-filed')
    },
  )
})
