import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { minimumFor, noCache, type PromptCache, throughCache } from '../../src/wire/prompt-cache/prompt-cache.ts'
import { cacheRules } from '../../src/wire/prompt-cache/rules.ts'
import { wireServer } from '../../src/wire.ts'

const model = 'claude-sonnet-5'
const mark = { cache_control: { type: 'ephemeral' } } as const
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } } as const
const minute = 60_000

/** A text of about this many tokens. */
const text = (tokens: number, name = 'a') => ({ type: 'text', text: name.repeat(tokens * 4) }) as const
const user = (...content: object[]) => ({ role: 'user', content })
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const tool = (name: string) => ({ name, description: 'd'.repeat(8000), input_schema: { type: 'object' } })
const blocks = (count: number) => Array.from({ length: count }, (_, at) => text(100, String.fromCodePoint(97 + at)))

/** Requests to one server, one after another; the time passes as the test says. */
class Talk {
  #cache: PromptCache = noCache
  now = 0

  ask(body: { readonly model?: string; readonly [field: string]: unknown }) {
    const { model: name = model } = body
    const { count, cache } = throughCache(this.#cache, { model, ...body }, { model: name, now: this.now })
    this.#cache = cache
    return count
  }
}

/** The request, and the count of asking it anew. */
function written(body: object): number {
  const { written: five, writtenForAnHour } = new Talk().ask({ ...body })
  return five + writtenForAnHour
}

test('every rule has the place where it is published', () => {
  for (const { says, source } of Object.values(cacheRules)) {
    expect(says).toMatch(/\.$/)
    expect(source).toMatch(/^https:\/\/platform\.claude\.com\/docs\/en\/build-with-claude\//)
  }
})

describe('what is kept', () => {
  test('is what stands up to a mark: written first, read then, and the rest is plain input', () => {
    const talk = new Talk()
    const body = { messages: [user({ ...text(2000), ...mark }, text(500, 'b'))] }
    const first = talk.ask(body)
    expect(first).toMatchObject({ read: 0, writtenForAnHour: 0 })
    expect(first.written).toBeGreaterThan(2000)
    expect(first.total).toBeGreaterThan(first.written + 500)
    expect(talk.ask(body)).toEqual({ ...first, read: first.written, written: 0 })
  })

  test('is nothing without a mark, and nothing in front of one', () => {
    const talk = new Talk()
    const first = [text(2000), { ...text(500, 'b'), ...mark }]
    talk.ask({ messages: [user(...first)] })
    expect(talk.ask({ messages: [user(text(2000), { ...text(500, 'c'), ...mark })] }).read).toBe(0)
    expect(new Talk().ask({ messages: [user(text(2000))] })).toMatchObject({ read: 0, written: 0 })
  })

  test('has to be the same in every byte, but for the marks', () => {
    const talk = new Talk()
    talk.ask({ messages: [user({ ...text(2000), ...mark })] })
    const { read } = talk.ask({ messages: [user(text(2000), { ...text(100, 'b'), ...mark })] })
    expect(read).toBeGreaterThan(2000)
    expect(talk.ask({ messages: [user({ ...text(2000, 'A'), ...mark })] }).read).toBe(0)
    expect(talk.ask({ model: 'claude-opus-5', messages: [user({ ...text(2000), ...mark })] }).read).toBe(0)
  })

  test.each([
    ['claude-opus-5-5', 512],
    ['claude-opus-5', 512],
    ['claude-fable-5-1', 512],
    ['claude-sonnet-5', 1024],
    ['claude-opus-4-8', 1024],
    ['claude-sonnet-4-6', 1024],
    ['claude-sonnet-4-5', 1024],
    ['claude-opus-4-1', 1024],
    ['claude-opus-4-7', 2048],
    ['claude-3-haiku-20240307', 2048],
    ['claude-opus-4-6', 4096],
    ['claude-opus-4-5', 4096],
    ['claude-haiku-4-5', 4096],
  ])('is at least as long as %s wants it: %d tokens', (name, least) => {
    expect(minimumFor(name)).toBe(least)
    const of = (tokens: number) => written({ model: name, messages: [user({ ...text(tokens), ...mark })] })
    expect(of(least - 20)).toBe(0)
    expect(of(least)).toBeGreaterThanOrEqual(least)
  })
})

describe('the way back from a mark', () => {
  // The example of the documentation: 10 blocks, then 15, then 35.
  const asked = (count: number, ...more: number[]) => ({
    messages: [
      user(...blocks(count).map((block, at) => ([count - 1, ...more].includes(at) ? { ...block, ...mark } : block))),
    ],
  })

  test('finds an entry of the request before within 20 blocks, and none further away', () => {
    const talk = new Talk()
    const [ten, fifteen] = [written(asked(10)), written(asked(15))]
    talk.ask(asked(10))
    expect(talk.ask(asked(15)).read).toBe(ten)
    expect(talk.ask(asked(35)).read).toBe(0)
    const other = new Talk()
    other.ask(asked(10))
    other.ask(asked(15))
    expect(other.ask(asked(34)).read).toBe(fifteen)
  })

  test('begins anew at a second mark', () => {
    const talk = new Talk()
    const fifteen = written(asked(15))
    talk.ask(asked(15))
    expect(talk.ask(asked(35, 14)).read).toBe(fifteen)
  })

  test('is taken from the last block that may have a mark, where the whole request has one', () => {
    const talk = new Talk()
    talk.ask({ ...mark, messages: [user(text(2000))] })
    const next = talk.ask({ ...mark, messages: [user(text(2000)), assistant(text(100, 'b')), user(text(100, 'c'))] })
    expect(next.read).toBeGreaterThan(2000)
    expect(next.written).toBeGreaterThan(200)
  })
})

describe('time', () => {
  const five = { messages: [user({ ...text(2000), ...mark })] }
  const long = { messages: [user({ ...text(2000), ...hour })] }

  test.each([
    ['five minutes', five, 5],
    ['an hour', long, 60],
  ] as const)('is %s from the last read', (_what, body, minutes) => {
    const talk = new Talk()
    talk.ask(body)
    for (let times = 0; times < 3; times += 1) {
      talk.now += minutes * minute - 1
      expect(talk.ask(body).read).toBeGreaterThan(2000)
    }
    talk.now += minutes * minute
    expect(talk.ask(body).read).toBe(0)
  })

  test('an hour is paid for up to its last mark, and five minutes behind it', () => {
    const {
      read,
      written: short,
      writtenForAnHour,
    } = new Talk().ask({
      messages: [user({ ...text(2000), ...hour }, { ...text(1000, 'b'), ...mark })],
    })
    expect(read).toBe(0)
    expect(writtenForAnHour).toBeGreaterThan(2000)
    expect(short).toBeGreaterThan(1000)
    expect(short).toBeLessThan(1100)
  })
})

describe('what makes everything behind it be read anew', () => {
  const body = {
    tools: [{ ...tool('read'), ...mark }],
    system: [{ ...text(2000, 's'), ...mark }],
    messages: [user({ ...text(2000), ...mark })],
  }
  const size = (part: Partial<typeof body>) => written({ ...part })
  const tools = size({ tools: body.tools })
  const system = size({ tools: body.tools, system: body.system })
  const all = size(body)
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }

  test.each<[string, object, number]>([
    ['nothing', {}, all],
    ['other tools', { tools: [{ ...tool('write'), ...mark }] }, 0],
    ['other instructions', { system: [{ ...text(2000, 't'), ...mark }] }, tools],
    ['another speed', { speed: 'fast' }, tools],
    ['another tool choice', { tool_choice: { type: 'any' } }, system],
    ['the first image', { messages: [...body.messages, user({ ...image, ...mark })] }, system],
    ['thinking', { thinking: { type: 'adaptive' } }, system],
    ['another effort', { output_config: { effort: 'low' } }, system],
    ['other words', { messages: [user({ ...text(2000, 'b'), ...mark })] }, system],
  ])('%s', (_what, change, read) => {
    const talk = new Talk()
    talk.ask(body)
    expect(talk.ask({ ...body, ...change }).read).toBe(read)
  })

  test.each([
    ['claude-sonnet-4-5', 'forgets'],
    ['claude-haiku-4-5', 'forgets'],
    ['claude-opus-4-1-20250805', 'forgets'],
    ['claude-sonnet-4-20250514', 'forgets'],
    ['claude-opus-4-5', 'keeps'],
    ['claude-sonnet-4-6', 'keeps'],
    ['claude-opus-5', 'keeps'],
  ])('thoughts, when the user speaks again: %s %s them', (name, what) => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 's' }
    const call = { type: 'tool_use', id: 't', name: 'read', input: {} }
    const result = { type: 'tool_result', tool_use_id: 't', content: 'x'.repeat(20_000), ...mark }
    const turn = [user({ ...text(5000), ...mark }), assistant(thought, call), user(result)]
    const talk = new Talk()
    talk.ask({ model: name, messages: [user({ ...text(5000), ...mark })] })
    const inTurn = talk.ask({ model: name, messages: turn })
    expect(inTurn.read).toBeGreaterThan(5000)
    const next = talk.ask({ model: name, messages: [...turn, assistant(text(10)), user({ ...text(10), ...mark })] })
    expect(next.read).toBe(what === 'keeps' ? inTurn.read + inTurn.written : inTurn.read)
  })
})

describe('over HTTP', () => {
  const long = 'x'.repeat(20_000)

  test('the official client is told what was read and written, in streams and whole', async () => {
    await using server = await wireServer({ usage: 'counted', lines: [{ text: 'Hi.', repeat: 3 }], now: () => 0 })
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k' })
    const body = {
      model,
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: long, ...hour }] }],
    }
    const first = (await client.messages.create(body)).usage
    expect(first).toMatchObject({ cache_read_input_tokens: 0, input_tokens: 0, output_tokens: expect.any(Number) })
    expect(first.cache_creation_input_tokens).toBeGreaterThan(5000)
    expect(first.cache_creation).toEqual({
      ephemeral_5m_input_tokens: 0,
      ephemeral_1h_input_tokens: first.cache_creation_input_tokens,
    })
    const again = (await client.messages.stream(body).finalMessage()).usage
    expect(again.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(again.cache_creation_input_tokens).toBe(0)
  })

  test('what a line tells of its usage stands', async () => {
    await using server = await wireServer({ usage: 'counted', lines: [{ text: 'Hi.', usage: { inputTokens: 7 } }] })
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k' })
    const body = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi.' }] }
    expect((await client.messages.create(body)).usage).toMatchObject({ input_tokens: 7, cache_read_input_tokens: 0 })
  })

  const five = [1, 2, 3, 4, 5].map((at) => ({ ...text(10, String(at)), ...mark }))
  test.each<[string, object, RegExp]>([
    ['five marks', { messages: [user(...five)] }, /maximum of 4 blocks with cache_control may be provided\. Found 5/],
    [
      'four, and one of the whole',
      { ...mark, messages: [user(...five.slice(1)), assistant(text(1)), user(text(1))] },
      /Found 5/,
    ],
    [
      'an hour behind five minutes',
      { system: [{ ...text(1), ...mark }], messages: [user({ ...text(1), ...hour })] },
      /a ttl='1h' cache_control block must not come after/,
    ],
    [
      'a mark on an empty text',
      { system: [{ type: 'text', text: '', ...mark }] },
      /system\.0: cache_control cannot be set for empty text blocks/,
    ],
    [
      'a mark on a thought',
      {
        messages: [
          user(text(1)),
          assistant({ type: 'thinking', thinking: 'Hm.', signature: 'pwLv', ...mark }, text(1)),
          user(text(1)),
        ],
      },
      /messages\.1\.content\.0/,
    ],
  ])('%s is refused', async (_what, fields, message) => {
    await using server = await wireServer({ lines: [], rules: { thinkingUnchanged: 'off' } })
    const body = JSON.stringify({ model, max_tokens: 100, messages: [user(text(1))], ...fields })
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' }
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toMatch(message)
    expect(server.requests[0]?.violations).toMatchObject([{ rule: 'cacheMarks' }])
  })
})
