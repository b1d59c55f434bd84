import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Backend } from '@loader/session-core'
import { line, temporaryWorkspace } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { describe, expect, test, vi } from 'vitest'
import { ollama, openaiCompatible } from '../src/index.ts'
import { keepFacts, keptFacts } from '../src/known/kept-facts.ts'
import { type Loopback, loopback } from './loopback.ts'
import { hear, rejection, request } from './requests.ts'

const apiKey = 'sk-test-0123456789abcdef'

interface Place {
  readonly url: string
  readonly file: string
}

type Make = (place: Place) => Backend

const makes: readonly (readonly [string, Make, string])[] = [
  [
    'Ollama',
    ({ url, file }) => ollama({ baseUrl: url, model: 'm', variables: {}, knownModelsFile: file }),
    '/api/chat',
  ],
  [
    "a server with OpenAI's interface",
    ({ url, file }) => openaiCompatible({ baseUrl: `${url}/v1`, model: 'm', variables: {}, knownModelsFile: file }),
    '/v1/chat/completions',
  ],
]

interface Model {
  readonly window: number
  readonly nativeTools: boolean
  /** What it answers instead of an answer. */
  readonly refuses?: { readonly status: number; readonly message: string }
}

/** An Ollama, with its own interface and with OpenAI's, whose model can be replaced. */
async function server(model: Model): Promise<Loopback & { model: Model }> {
  const place = { model }
  const chat = { model: 'm', message: { role: 'assistant', content: 'Hi.' }, done: true, done_reason: 'stop' }
  const chunk = { id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] }
  const made = await loopback(({ path }, response) => {
    const { window, nativeTools, refuses } = place.model
    if (refuses !== undefined && /chat/.test(path)) {
      const error = { message: refuses.message }
      return void response.writeHead(refuses.status).end(JSON.stringify({ error }))
    }
    const pages: { readonly [path: string]: string } = {
      '/api/chat': `${JSON.stringify(chat)}\n`,
      '/v1/chat/completions': `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
      '/v1/models': JSON.stringify({ data: [{ id: 'm' }] }),
      '/api/tags': JSON.stringify({ models: [{ name: 'm' }] }),
      '/api/ps': JSON.stringify({ models: [{ name: 'm', context_length: window }] }),
      '/api/show': JSON.stringify({
        capabilities: nativeTools ? ['tools'] : [],
        model_info: { 'qwen3.context_length': window },
      }),
    }
    const isStream = path === '/v1/chat/completions'
    response.writeHead(pages[path] === undefined ? 404 : 200, isStream ? { 'content-type': 'text/event-stream' } : {})
    response.end(pages[path] ?? 'not found')
  })
  return Object.assign(place, made)
}

const large: Model = { window: 40_000, nativeTools: true }
const small: Model = { window: 20_000, nativeTools: false }

const paths = ({ asked }: Loopback) => asked.map(({ path }) => path)

/** The model as a later process finds it. */
async function described(make: Make, place: Place) {
  const { contextWindow, nativeTools } = (await make(place).describe?.()) ?? {}
  return { window: contextWindow, nativeTools }
}

describe.each(makes)('%s', (_name, make, chat) => {
  /** A server that an earlier process has asked, and where that is kept. */
  async function known(model: Model = large) {
    const folder = await temporaryWorkspace()
    const one = await server(model)
    const place = { url: one.url, file: folder.path('caches/models.json') }
    await make(place).describe?.()
    await vi.waitFor(() => statSync(place.file))
    one.asked.splice(0)
    const close = async () => {
      await one[Symbol.asyncDispose]()
      await folder.dispose()
    }
    return { one, place, [Symbol.asyncDispose]: close }
  }

  test('is not asked about itself before the first request, when an earlier process has asked', async () => {
    await using set = await known()
    const backend = make(set.place)
    expect(await backend.describe?.()).toMatchObject({ contextWindow: 40_000, nativeTools: true })
    expect(set.one.asked).toEqual([])
    await hear(backend.stream(request()))
    expect(paths(set.one)[0]).toBe(chat)
  })

  test('is asked again after the first request, and what it says then holds for the next one and for later', async () => {
    await using set = await known()
    set.one.model = small
    const backend = make(set.place)
    await backend.describe?.()
    await hear(backend.stream(request()))
    await expect.poll(() => backend.describe?.()).toMatchObject({ contextWindow: 20_000, nativeTools: false })
    await expect.poll(() => described(make, set.place)).toEqual(small)
    expect(paths(set.one).filter((path) => path === chat)).toHaveLength(1)
  })

  test('that refuses a request which was made for another model says so, and is asked again', async () => {
    await using set = await known()
    set.one.model = { ...small, refuses: { status: 400, message: 'm does not support tools' } }
    const backend = make(set.place)
    await backend.describe?.()
    expect(await rejection(hear(backend.stream(request())))).toMatchObject({
      failure: { kind: 'model_changed', status: 400, message: expect.stringContaining('does not support tools') },
    })
    expect(await backend.describe?.()).toMatchObject({ contextWindow: 20_000, nativeTools: false })
    await expect.poll(() => described(make, set.place)).toEqual(small)
    // From now on it is known what the model is: a failure is what it is.
    expect(await rejection(hear(backend.stream(request())))).toMatchObject({ failure: { kind: 'bad_request' } })
  })

  test('that refuses a request although its model is the same refuses it for another reason', async () => {
    await using set = await known()
    set.one.model = { ...large, refuses: { status: 400, message: 'no' } }
    const backend = make(set.place)
    await backend.describe?.()
    expect(await rejection(hear(backend.stream(request())))).toMatchObject({ failure: { kind: 'bad_request' } })
  })

  test('that cannot be reached is no other model', async () => {
    await using set = await known()
    await set.one[Symbol.asyncDispose]()
    const backend = make(set.place)
    await backend.describe?.()
    expect(await rejection(hear(backend.stream(request())))).toMatchObject({ failure: { kind: 'connection' } })
  })

  test('has the same description without a file, and with one that cannot be used', async () => {
    await using set = await known()
    await using folder = await temporaryWorkspace({
      files: {
        'damaged.json': '{ "version": 1, "models"',
        'other-version.json': readFileSync(set.place.file, 'utf8').replace('"version":1', '"version":2'),
        'other-facts.json': readFileSync(set.place.file, 'utf8').replace('"nativeTools":true', '"nativeTools":"yes"'),
        'file/models.json/in-a-file': '',
        plain: '',
      },
    })
    mkdirSync(folder.path('folder.json'))
    const files = ['damaged.json', 'other-version.json', 'other-facts.json', 'file/models.json', 'plain/models.json']
    for (const file of [...files, 'folder.json']) {
      const place = { ...set.place, file: folder.path(file) }
      set.one.asked.splice(0)
      const backend = make(place)
      expect([file, await backend.describe?.()]).toMatchObject([file, { contextWindow: 40_000, nativeTools: true }])
      expect(set.one.asked).not.toEqual([])
      expect((await hear(backend.stream(request()))).text).toBe('Hi.')
      // It is kept in the background, where it can be.
      if (!/\/|folder/.test(file)) await expect.poll(() => readFileSync(place.file, 'utf8')).toContain('40000')
    }
  })

  test('is not asked at all when the caller has said everything', async () => {
    await using one = await server(large)
    const turnOptions = { contextWindow: 30_000, capabilities: { nativeTools: false }, variables: {}, model: 'm' }
    const backend =
      chat === '/api/chat'
        ? ollama({ ...turnOptions, baseUrl: one.url, statusEveryMs: 60_000 })
        : openaiCompatible({ ...turnOptions, baseUrl: `${one.url}/v1` })
    expect(await backend.describe?.()).toMatchObject({ contextWindow: 30_000, nativeTools: false, notes: [] })
    expect(one.asked).toEqual([])
    await hear(backend.stream(request()))
    expect(paths(one)[0]).toBe(chat)
  })
})

describe('a key goes', () => {
  async function askedWith(provider: string) {
    await using one = await server(large)
    const backend = openaiCompatible({ baseUrl: `${one.url}/v1`, model: 'm', provider, apiKey, variables: {} })
    await backend.describe?.()
    await hear(backend.stream(request()))
    const withKey = one.asked.filter((asked) => JSON.stringify(asked).includes(apiKey)).map(({ path }) => path)
    return { withKey: [...new Set(withKey)], all: paths(one) }
  }

  test('to the paths of the protocol that was chosen, and to no other', async () => {
    const { withKey, all } = await askedWith('mine')
    expect(withKey).toEqual(['/v1/models', '/v1/chat/completions'])
    expect(all).toEqual(expect.arrayContaining(['/api/tags', '/props', '/api/v0/models']))
    // One answer serves all who want to know what models there are.
    expect(all.filter((path) => path === '/v1/models')).toHaveLength(1)
  })

  test('to those of a product that was named, and then nothing of another product is asked', async () => {
    const { withKey, all } = await askedWith('llamacpp')
    expect(withKey).toEqual(['/v1/models', '/props', '/v1/chat/completions'])
    expect(all).toEqual(withKey)
  })

  test.each(makes)('into no file: %s', async (_name, _make, chat) => {
    await using folder = await temporaryWorkspace()
    await using one = await server(large)
    const file = folder.path('models.json')
    const address = one.url.replace('//', '//user:pass-0123456789@')
    const more = { model: 'm', apiKey, variables: {}, knownModelsFile: file, headers: { 'x-key': apiKey } }
    const backend =
      chat === '/api/chat'
        ? ollama({ ...more, baseUrl: address })
        : openaiCompatible({ ...more, baseUrl: `${address}/v1` })
    await backend.describe?.()
    await vi.waitFor(() => statSync(file))
    expect(readFileSync(file, 'utf8')).not.toMatch(/0123456789/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('the file', () => {
  test('has the models that were used last, each of them once', async () => {
    await using folder = await temporaryWorkspace()
    const file = folder.path('models.json')
    for (let number = 0; number < 80; number += 1) await keepFacts(file, `model ${number % 70}`, { number })
    expect(await keptFacts(file, 'model 9')).toEqual({ number: 79 })
    expect(await keptFacts(file, 'model 69')).toEqual({ number: 69 })
    expect(await keptFacts(file, 'model 11')).toBeUndefined()
    expect(JSON.parse(readFileSync(file, 'utf8')).models).toHaveLength(64)
  })

  test('is whole at every moment, however many write it', async () => {
    await using folder = await temporaryWorkspace()
    const file = folder.path('models.json')
    await keepFacts(file, 'model', { first: true })
    const writers = Array.from({ length: 40 }, (_unused, number) => keepFacts(file, 'model', { number }))
    const readers = Array.from({ length: 40 }, () => keptFacts(file, 'model'))
    for (const facts of await Promise.all(readers)) expect(facts).toBeDefined()
    await Promise.all(writers)
    expect(await folder.files()).toEqual({ 'models.json': expect.stringContaining('"version":1') })
  })

  test('that cannot be replaced is left alone, and nothing is left beside it', async () => {
    await using folder = await temporaryWorkspace({ files: { 'models.json/in-the-way': '' } })
    await keepFacts(folder.path('models.json'), 'model', {})
    expect(Object.keys(await folder.files())).toEqual(['models.json/in-the-way'])
  })
})

test('who asks aside does not keep a process alive', async () => {
  await using folder = await temporaryWorkspace()
  let isKnown = false
  await using one = await loopback(({ path }, response) => {
    // Once it is known, it says nothing about itself any more.
    if (path === '/api/chat')
      return void response.end(`${JSON.stringify({ message: { content: 'Hi.' }, done: true, done_reason: 'stop' })}\n`)
    if (!isKnown) response.end(JSON.stringify({ capabilities: ['tools'], models: [] }))
  })
  const file = folder.path('models.json')
  await ollama({ baseUrl: one.url, model: 'm', variables: {}, knownModelsFile: file }).describe?.()
  await vi.waitFor(() => statSync(file))
  isKnown = true
  const program = fileURLToPath(new URL('children/ask-known.ts', import.meta.url))
  const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', program, one.url, file]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  expect(JSON.parse(stdout)).toEqual({ answer: 'Hi.', keptAliveBy: [] })
  expect(paths(one).slice(-2)).toEqual(expect.arrayContaining(['/api/show']))
})

test.each(makes)('%s: the strict server counts no question before the first request', async (_name, make) => {
  await using folder = await temporaryWorkspace()
  await using strict = await wireServer({ lines: [{ ...line('Here I am.'), repeat: 'any' }] })
  const place = { url: strict.url, file: folder.path('models.json') }
  await make(place).describe?.()
  await vi.waitFor(() => statSync(place.file))
  const before = strict.journal().exchanges.length
  const backend = make(place)
  await backend.describe?.()
  expect(strict.journal().exchanges.length - before).toBe(0)
  await hear(backend.stream(request()))
  expect(strict.journal().exchanges[before]).toMatchObject({ number: 1 })
})
