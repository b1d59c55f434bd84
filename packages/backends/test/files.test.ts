import { type Backend, fileLimits, type FilePart, type Message, type Part } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { anthropic, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { publishedLimits } from './published-limits.ts'
import { jsonServer } from './loopback.ts'
import { assistant, hear, request, result, user } from './requests.ts'

describe.each(Object.entries(publishedLimits))('what a session keeps of files fits %s', (_provider, limits) => {
  test('each file, and all of a request', () => {
    const none = Number.POSITIVE_INFINITY
    expect(fileLimits.imageBase64Bytes).toBeLessThanOrEqual(limits.imageBase64Bytes ?? none)
    expect(fileLimits.imageEdge).toBeLessThanOrEqual(limits.edgeOfMany?.pixels ?? limits.imageEdge ?? none)
    expect(fileLimits.scaledEdge).toBeLessThanOrEqual(fileLimits.imageEdge)
    expect(fileLimits.requestImages).toBeLessThanOrEqual(limits.images ?? none)
    expect(fileLimits.documentBase64Bytes).toBeLessThanOrEqual(limits.documentBytes ?? none)
    expect(fileLimits.documentPages).toBeLessThanOrEqual(limits.documentPages ?? none)
    // Words and tools need room as well.
    expect(fileLimits.requestBase64Bytes).toBeLessThanOrEqual((limits.requestBytes ?? none) * 0.8)
    expect(limits.imageTypes).toEqual(expect.arrayContaining(['image/png', 'image/jpeg']))
    expect(limits.sources.length).toBeGreaterThan(0)
  })
})

const options = { apiKey: 'sk-test-0123456789abcdef', variables: {} }
const backends: readonly (readonly [name: string, at: (url: string) => Backend, readsPdf: boolean])[] = [
  ['openai-compatible', (url) => openaiCompatible({ ...options, baseUrl: `${url}/v1`, model: 'm' }), false],
  ['openai', (url) => openai({ ...options, baseUrl: `${url}/v1`, model: 'gpt-5' }), true],
  ['anthropic', (url) => anthropic({ ...options, baseUrl: url, model: 'claude' }), true],
  ['google', (url) => google({ ...options, baseUrl: url, model: 'gemini-3-pro' }), true],
  ['ollama', (url) => ollama({ ...options, baseUrl: url, model: 'm' }), false],
]

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const document = 'JVBERi0xLjQKJSVFT0YK'

function file(mediaType: string, data: string): FilePart {
  return { type: 'file', mediaType, name: 'given', source: { kind: 'base64', data } }
}

/** The places of a text in a value, as paths without indexes. */
function placesOf(value: unknown, text: string, path = ''): string[] {
  if (typeof value === 'string') return value.includes(text) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    placesOf(inner, text, Array.isArray(value) ? path : `${path}.${key}`),
  )
}

describe.each(backends)('%s', (name, at, readsPdf) => {
  const places: Record<string, { readonly user: string; readonly result: string; readonly pdf?: string }> = {
    'openai-compatible': { user: '.messages.content.image_url.url', result: '.messages.content.image_url.url' },
    openai: { user: '.input.content.image_url', result: '.input.output.image_url', pdf: '.file_data' },
    anthropic: {
      user: '.messages.content.source.data',
      result: '.messages.content.content.source.data',
      pdf: '.source.data',
    },
    google: { user: '.contents.parts.inlineData.data', result: 'inlineData.data', pdf: 'inlineData.data' },
    ollama: { user: '.messages.images', result: '.messages.images' },
  }

  test('an image of the user and one of a result go out in the way of the protocol', async () => {
    await using server = await wireServer({ lines: [{ calls: [call('write', { path: 'a' })] }, { text: 'A pixel.' }] })
    const backend = at(server.url)
    const look: Message = { ...user('Look.'), content: [...user('Look.').content, file('image/png', pixel)] }
    const { done } = await hear(backend.stream(request({ messages: [look] })))
    expect(placesOf(server.requests[0]?.body, pixel)).toEqual([places[name]?.user])

    const content = done.content.map((part): Part => {
      return part.type === 'call' ? { ...part, call: { ...part.call, id: 'c1', providerId: part.call.id } } : part
    })
    const given = result('c1', 'Here it is.')
    const seen: Message = {
      ...given,
      content: given.content.map((part) =>
        part.type === 'result' ? { ...part, files: [file('image/png', pixel)] } : part,
      ),
    }
    await hear(backend.stream(request({ messages: [user('Go.'), assistant('r1', ...content), seen] })))
    const [place, ...others] = placesOf(server.requests[1]?.body, pixel)
    expect(place).toContain(places[name]?.result)
    expect(others).toEqual([])
    server.assertDone()
  })

  test.runIf(readsPdf)('a PDF file goes out as a document, from the user and in a result', async () => {
    await using server = await wireServer({ lines: [{ calls: [call('write', { path: 'a' })] }, { text: 'Read.' }] })
    const backend = at(server.url)
    const pdf = file('application/pdf', document)
    const look: Message = { ...user('Look.'), content: [...user('Look.').content, pdf] }
    const { done } = await hear(backend.stream(request({ messages: [look] })))
    expect(placesOf(server.requests[0]?.body, document)[0]).toContain(places[name]?.pdf)
    const content = done.content.map((part): Part => {
      return part.type === 'call' ? { ...part, call: { ...part.call, id: 'c1', providerId: part.call.id } } : part
    })
    const given = result('c1', 'Here it is.')
    const read: Message = {
      ...given,
      content: given.content.map((part) => (part.type === 'result' ? { ...part, files: [pdf] } : part)),
    }
    await hear(backend.stream(request({ messages: [user('Go.'), assistant('r1', ...content), read] })))
    expect(placesOf(server.requests[1]?.body, document)[0]).toContain(places[name]?.pdf)
    server.assertDone()
  })
})

describe('whether a model sees images', () => {
  test.each([
    [{ id: 'm', context_length: 9, architecture: { input_modalities: ['text', 'image'] } }, true],
    [{ id: 'm', context_length: 9, architecture: { input_modalities: ['text'] } }, false],
    [{ id: 'm', max_context_length: 9, capabilities: { vision: true } }, true],
    [{ id: 'm', context_length: 9, supports_image_in: false }, false],
    [{ id: 'm', context_length: 9 }, undefined],
  ])('a list of models says: %j', async (entry, images) => {
    await using server = await jsonServer({ '/v1/models': { data: [entry] } })
    const backend = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', provider: 'local', variables: {} })
    expect((await backend.describe?.())?.images).toBe(images)
  })

  test('llama.cpp says in its properties, LM Studio by the kind, Ollama among capabilities', async () => {
    const props = { default_generation_settings: { n_ctx: 24_576 }, modalities: { vision: true } }
    const list = { data: [{ id: 'm' }] }
    const pages = [
      { '/v1/models': list, '/props': props },
      { '/v1/models': list, '/api/v0/models': { data: [{ id: 'm', type: 'vlm', state: 'loaded' }] } },
    ]
    for (const each of pages) {
      await using server = await jsonServer(each)
      const backend = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', provider: 'local', variables: {} })
      expect(await backend.describe?.()).toMatchObject({ images: true, documents: false })
    }
    await using server = await jsonServer({
      '/api/show': { capabilities: ['tools', 'vision'] },
      '/api/ps': { models: [] },
    })
    const backend = ollama({ baseUrl: server.url, model: 'm', variables: {} })
    expect(await backend.describe?.()).toMatchObject({ images: true, documents: false })
  })

  test('the clouds do not say: their current models do, and older ones of OpenAI do not', async () => {
    const apiKey = 'sk-test-0123456789'
    const takes = async (backend: Backend) => {
      const { images, documents } = (await backend.describe?.()) ?? {}
      return [images, documents]
    }
    expect(await takes(anthropic({ model: 'claude', apiKey, variables: {} }))).toEqual([true, true])
    expect(await takes(openai({ model: 'gpt-5', apiKey, variables: {} }))).toEqual([true, true])
    expect(await takes(openai({ model: 'gpt-5', api: 'chat', apiKey, variables: {} }))).toEqual([true, false])
    expect(await takes(openai({ model: 'o3-mini', apiKey, variables: {} }))).toEqual([false, false])
  })
})
