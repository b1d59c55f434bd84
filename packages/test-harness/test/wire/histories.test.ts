import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { wireServer, WireModel } from '../../src/wire.ts'
import { dialects, post, textOf } from './post.ts'

/** A history as agents have sent it, what the provider says to it, and the same without the fault. */
const History = z.strictObject({
  protocol: z.enum(['openai', 'responses', 'anthropic', 'gemini', 'ollama']),
  what: z.string(),
  seenIn: z.array(z.string()),
  rule: z.string(),
  models: z.array(WireModel).optional(),
  refused: z.strictObject({ status: z.int(), body: z.looseObject({}) }),
  broken: z.looseObject({}),
  repaired: z.looseObject({}),
})

const folder = new URL('histories/', import.meta.url)
const histories = readdirSync(folder).map((file) => ({
  file,
  ...History.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
}))

const serverWith = (models: readonly WireModel[] | undefined) =>
  wireServer({ lines: [{ text: 'Good.' }, { text: 'Good.' }], ...(models && { models }) })

describe.each(histories)('$file', ({ protocol, rule, models, refused, broken, repaired }) => {
  test('is refused in the shape and with the status of its provider, as a stream too', async () => {
    await using server = await serverWith(models)
    for (const stream of [false, true]) {
      const response = await post(server.url, protocol, { ...broken, stream })
      expect(response.status).toBe(refused.status)
      const number = stream ? { request_id: 'req_2' } : {}
      expect(await response.json()).toEqual({ ...refused.body, ...('request_id' in refused.body && number) })
    }
    expect(server.requests.map(({ violations }) => violations[0]?.rule)).toEqual([rule, rule])
    expect(server.journal().left).toHaveLength(2)
  })

  test('is accepted when it is repaired, as a stream too', async () => {
    await using server = await serverWith(models)
    expect(await textOf(protocol, await post(server.url, protocol, { ...repaired, stream: false }))).toBe('Good.')
    const streamed = await post(server.url, protocol, { ...repaired, stream: true })
    expect(streamed.status).toBe(200)
    expect(await streamed.text()).toContain('Good.')
    server.assertDone()
  })
})

test.each(dialects)('there are at least 10 broken histories over the API of %s', (dialect) => {
  expect(histories.filter(({ protocol }) => protocol === dialect).length).toBeGreaterThanOrEqual(10)
})
