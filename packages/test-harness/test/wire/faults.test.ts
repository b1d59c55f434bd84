import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { call, type Dialect } from '../../src/index.ts'
import { type WireLine, wireServer } from '../../src/wire.ts'
import { bodyOf, dialects, post } from './post.ts'

const stream = (dialect: Dialect) => bodyOf(dialect, undefined, { stream: true })
const words = { text: 'eins zwei drei', chunks: 'word' } as const

/** What arrives of an answer, and whether it broke off. */
async function arriving(url: string, dialect: Dialect, body: object) {
  const response = await post(url, dialect, body)
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of response.body ?? []) pieces.push(piece)
    return { status: response.status, pieces, text: textIn(pieces), end: 'whole' }
  } catch (error) {
    return { status: response.status, pieces, text: textIn(pieces), end: 'broken', error }
  }
}

const textIn = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString('utf8')

describe.each(dialects)('over the API of %s', (dialect) => {
  test.each([
    ['rate_limited', 429],
    ['overloaded', dialect === 'anthropic' ? 529 : 503],
    ['other', 500],
    ['auth', dialect === 'gemini' ? 400 : 401],
    ['context_too_long', 400],
    ['bad_request', 400],
  ])('a request fails as %s with status %i', async (kind, status) => {
    await using server = await wireServer({ lines: [{ fault: { type: 'throw', kind, retryAfterMs: 1500 } }] })
    const response = await post(server.url, dialect, stream(dialect))
    expect(response.status).toBe(status)
    const wait = dialect === 'gemini' ? [null, null] : ['2', '1500']
    expect([response.headers.get('retry-after'), response.headers.get('retry-after-ms')]).toEqual(wait)
    const { error }: any = await response.json()
    expect(error).toBeDefined()
    if (dialect === 'gemini') expect(error.details).toContainEqual(expect.objectContaining({ retryDelay: '1.5s' }))
    server.assertDone()
  })

  test('a request fails with the status and words of the script', async () => {
    const fault = { type: 'throw', kind: 'other', status: 502, message: 'Bad gateway.' } as const
    await using server = await wireServer({ lines: [{ fault }] })
    const response = await post(server.url, dialect, bodyOf(dialect))
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('Bad gateway.')
  })

  test('an error comes in the middle of a stream, which then ends', async () => {
    await using server = await wireServer({ lines: [{ ...words, fault: { type: 'throw', kind: 'other', after: 2 } }] })
    const { text, end } = await arriving(server.url, dialect, stream(dialect))
    expect(text).toContain('zwei')
    expect(text).not.toContain('drei')
    expect(text).toMatch(/"error"/)
    expect(end).toBe('whole')
  })

  test('a connection breaks before anything was said', async () => {
    await using server = await wireServer({
      lines: [{ fault: { type: 'throw', kind: 'connection' } }, { ...words, fault: { type: 'cut', after: 0 } }],
    })
    await expect(post(server.url, dialect, stream(dialect))).rejects.toThrow('fetch failed')
    await expect(post(server.url, dialect, stream(dialect))).rejects.toThrow('fetch failed')
    expect(server.requests.map(({ end }) => end)).toEqual(['cut', 'cut'])
    server.assertDone()
  })

  test('a stream is cut after some of its chunks', async () => {
    await using server = await wireServer({ lines: [{ ...words, fault: { type: 'cut', after: 2 } }] })
    const { text, end } = await arriving(server.url, dialect, stream(dialect))
    expect(text).toContain('zwei')
    expect(text).not.toContain('drei')
    expect(end).toBe('broken')
  })

  test('a stream is cut before its end', async () => {
    await using server = await wireServer({ lines: [{ ...words, finishReason: 'interrupted' }] })
    const { text, end } = await arriving(server.url, dialect, stream(dialect))
    expect(text).toContain('drei')
    expect(text).not.toMatch(/\[DONE\]|message_stop|"done":true|response.completed|finishReason/)
    expect(end).toBe('broken')
  })

  test('a whole answer is cut in its middle', async () => {
    await using server = await wireServer({ lines: [{ ...words, fault: { type: 'cut' } }] })
    const { text, end } = await arriving(server.url, dialect, bodyOf(dialect))
    expect(text.length).toBeGreaterThan(10)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(end).toBe('broken')
  })

  test.each([0, 1, 77])('a body is cut after %i bytes', async (after) => {
    const line: WireLine = { ...words, wire: { fault: { type: 'cut_bytes', after } } }
    await using server = await wireServer({ lines: [line, line] })
    for (const body of [stream(dialect), bodyOf(dialect)]) {
      const { pieces, end } = await arriving(server.url, dialect, body)
      expect(Buffer.concat(pieces).length).toBe(after)
      expect(end).toBe('broken')
    }
    expect(server.requests.map(({ sent }) => sent.length)).toEqual([after, after])
  })

  test('an event is no JSON, and the others follow', async () => {
    const line: WireLine = { ...words, wire: { fault: { type: 'malformed_event', after: 1, raw: '{"half": ' } } }
    await using server = await wireServer({ lines: [line, line] })
    const { text } = await arriving(server.url, dialect, stream(dialect))
    const lines = text.split(/\r?\n/)
    const at = lines.findIndex((one) => one.endsWith('{"half": '))
    expect(lines.slice(0, at).join('\n')).toContain('eins')
    expect(lines.slice(at).join('\n')).toContain('drei')
    expect((await arriving(server.url, dialect, bodyOf(dialect))).text).toBe('{"half": ')
  })

  test('an answer drips', async () => {
    const waits: number[] = []
    await using server = await wireServer({
      lines: [{ ...words, fault: { type: 'drip', delayMs: 40 } }],
      wait: async (milliseconds) => void waits.push(milliseconds),
    })
    const { text } = await arriving(server.url, dialect, stream(dialect))
    expect(text).toContain('drei')
    expect(waits).toEqual([40, 40, 40])
  })

  test('characters are torn apart between the pieces of a body', async () => {
    await using server = await wireServer({ lines: [{ text: 'Äpfel 🍎', wire: { bytesPerWrite: 1 } }] })
    const { pieces, text } = await arriving(server.url, dialect, stream(dialect))
    expect(text).toContain('Äpfel 🍎')
    expect(pieces.some((piece) => Buffer.from(piece).toString('utf8').includes('\uFFFD'))).toBe(true)
  })

  test('nothing at all comes until the client goes', async () => {
    await using server = await wireServer({ lines: [{ fault: { type: 'stall' } }, { text: 'Back again.' }] })
    const controller = new AbortController()
    const asked = post(server.url, dialect, stream(dialect), { signal: controller.signal })
    await server.untilAsked(1)
    controller.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    expect((await post(server.url, dialect, stream(dialect))).status).toBe(200)
    server.assertDone()
  })

  test('a stream stops in its middle until the client goes, which the journal tells', async () => {
    await using server = await wireServer({ lines: [{ ...words, fault: { type: 'stall', after: 2 } }] })
    const controller = new AbortController()
    const response = await post(server.url, dialect, stream(dialect), { signal: controller.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('zwei')) seen += (await reader?.read())?.value ?? ''
    expect(server.requests[0]?.end).toBe('open')
    controller.abort()
    await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' })
    await server.untilIdle()
    expect(server.requests[0]).toMatchObject({ end: 'left', status: 200 })
    expect(server.requests[0]?.sent).toContain('zwei')
  })

  test('nothing but the end comes', async () => {
    await using server = await wireServer({ lines: [{ text: 'Never.', fault: { type: 'empty_answer' } }] })
    const { text, status } = await arriving(server.url, dialect, stream(dialect))
    expect(status).toBe(200)
    expect(text).not.toContain('Never.')
    expect(text).toMatch(/"stop"|end_turn|response.completed|"STOP"/)
  })
})

test.each(['openai', 'responses', 'anthropic'] as const)(
  'the arguments of a call are no JSON over the API of %s',
  async (dialect) => {
    const line: WireLine = { calls: [call('write', { path: 'a' })], fault: { type: 'malformed_call' } }
    await using server = await wireServer({ lines: [line] })
    const { text } = await arriving(server.url, dialect, stream(dialect))
    expect(text).toContain(JSON.stringify('{"path'))
  },
)

test('Gemini says itself that it wrote a call that nobody can read', async () => {
  const line: WireLine = { calls: [call('write', { path: 'a' })], fault: { type: 'malformed_call' } }
  await using server = await wireServer({ lines: [line] })
  const { text } = await arriving(server.url, 'gemini', stream('gemini'))
  expect(text).toContain('"finishReason":"MALFORMED_FUNCTION_CALL"')
  expect(text).not.toContain('functionCall"')
})

test('a client that goes in the middle of a long answer is noticed', async () => {
  const text = 'word '.repeat(20_000)
  await using server = await wireServer({ lines: [{ text, chunks: 'word' }] })
  const asked = httpRequest(`${server.url}/v1/chat/completions`, { method: 'POST' })
  asked.end(JSON.stringify(bodyOf('openai', undefined, { stream: true })))
  const [response] = await once(asked, 'response')
  response.destroy()
  await server.untilIdle()
  expect(server.requests[0]?.end).toBe('left')
})
