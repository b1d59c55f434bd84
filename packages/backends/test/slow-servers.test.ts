import { wireServer } from '@loader/test-harness/wire'
import { type Backend, BackendError } from '@loader/session-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { anthropic, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { loopback } from './loopback.ts'
import { hear, rejection, request } from './requests.ts'

const options = { model: 'm', apiKey: 'sk-test-0123456789abcdef', variables: {} }

const protocols: readonly (readonly [string, (url: string) => Backend])[] = [
  ['chat completions', (url) => openaiCompatible({ ...options, baseUrl: `${url}/v1` })],
  ['responses', (url) => openai({ ...options, baseUrl: `${url}/v1` })],
  ['Anthropic', (url) => anthropic({ ...options, baseUrl: url })],
  ['Gemini', (url) => google({ ...options, baseUrl: url })],
  ['Ollama', (url) => ollama({ ...options, baseUrl: url })],
]

/** Where a server falls silent: before it says anything, behind its headers, behind its first words. */
const places = ['headers', 'first byte', 'more'] as const

/** A promise that someone else settles. */
function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle = () => {}
  const promise = new Promise<void>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: () => settle() }
}

/**
 * A server that answers as a strict one does, and falls silent at a place until it is told to go on. `silent` resolves
 * when it does.
 */
async function slowly(url: string, place: (typeof places)[number]) {
  const silent = latch()
  const goesOn = latch()
  const pause = async (at: string) => {
    if (at !== place) return
    silent.resolve()
    await goesOn.promise
  }
  const server = await loopback(async ({ method, path, headers, body }, response) => {
    const isAnswer = /chat\/completions|responses|messages|streamGenerateContent|api\/chat/.test(path)
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers
    const sent = others as Record<string, string>
    const answer = await fetch(`${url}${path}`, { method, headers: sent, ...(body !== '' && { body }) })
    const text = await answer.text()
    if (isAnswer) await pause('headers')
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.flushHeaders()
    if (isAnswer) await pause('first byte')
    const half = text.indexOf('Slow') + 'Slow'.length
    response.write(text.slice(0, half))
    if (isAnswer) await pause('more')
    response.end(text.slice(half))
  })
  return { server, silent: silent.promise, goOn: () => goesOn.resolve() }
}

/** Only what is done by the clock: what comes over the network comes as it does. */
function scriptedTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
}

afterEach(() => void vi.useRealTimers())

const minute = 60_000

describe.each(protocols)('over %s', (name, backendAt) => {
  test.each(places)('a server that is silent for a minute before its %s is waited for', async (place) => {
    await using strict = await wireServer({ lines: [{ text: 'Slow but sure.', chunks: 'word' }] })
    const { server, silent, goOn } = await slowly(strict.url, place)
    await using _ = server
    scriptedTime()
    const heard = hear(backendAt(server.url).stream(request()))
    await silent
    await vi.advanceTimersByTimeAsync(minute)
    goOn()
    expect((await heard).text).toBe('Slow but sure.')
  })

  test.each(places)('a server that says nothing more, before its %s, is given up, with what to do', async (place) => {
    await using strict = await wireServer({ lines: [{ text: 'Slow but sure.', chunks: 'word' }] })
    const { server, silent, goOn } = await slowly(strict.url, place)
    await using _ = server
    scriptedTime()
    const failed = rejection(hear(backendAt(server.url).stream(request())))
    await silent
    // What came before has to be there, or the time counts from its arrival.
    for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(10 * minute)
    const error = await failed
    expect(error).toBeInstanceOf(BackendError)
    const { kind, message } = (error as BackendError).failure
    const isMore = place === 'more'
    expect(kind).toBe(isMore ? 'interrupted' : 'connection')
    const said = isMore && name !== 'Ollama' ? 'nothing more for 300 s' : isMore ? 'nothing more for 600 s' : '600 s'
    expect(message).toContain(said)
    expect(message).toMatch(/timeOuts\.(?:betweenChunksMs|firstByteMs)/)
    goOn()
  })
})
