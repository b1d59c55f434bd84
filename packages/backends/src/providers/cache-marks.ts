import type { JsonObject } from '@loader/session-core'
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'

/** How long Anthropic keeps what was marked. Writing it costs 1.25 times the price for five minutes, twice for an hour. */
export type CacheTime = '5m' | '1h'

/**
 * Marks what Anthropic shall keep of a request: its tools, its instructions, all of it, and what the request before was.
 *
 * Four marks are the most that a request may have. The two at the end overlap with those of the request before: the one
 * behind the latest results was written by this request, the other one by the last, so that it is found however many
 * blocks came between them (Anthropic looks back over 20). Those in front stay when messages are compacted.
 */
export function withCacheMarks(call: LanguageModelV4CallOptions, time: CacheTime): LanguageModelV4CallOptions {
  const anthropic: JsonObject = { cacheControl: { type: 'ephemeral', ...(time === '1h' && { ttl: time }) } }
  const marked = <Item extends Pick<LanguageModelV4Message, 'providerOptions'>>(item: Item): Item => ({
    ...item,
    providerOptions: { ...item.providerOptions, anthropic: { ...item.providerOptions?.['anthropic'], ...anthropic } },
  })
  const { prompt, tools = [] } = call
  const places = placesIn(prompt)
  return {
    ...call,
    // Prompts are shared between requests, and the marks move.
    prompt: prompt.map((message, at) => (places.has(at) ? marked(message) : message)),
    ...(tools.length > 0 && {
      tools: tools.map((tool, at) => (at === tools.length - 1 && tool.type === 'function' ? marked(tool) : tool)),
    }),
  }
}

/** The last of the instructions, the last message, and the last one of the request before. */
function placesIn(prompt: readonly LanguageModelV4Message[]): ReadonlySet<number> {
  const begin = prompt.findIndex(({ role }) => role !== 'system')
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant')
  const before = prompt.findLastIndex(({ role }, at) => at < answer && role !== 'assistant')
  const instructions = begin < 0 ? prompt.length - 1 : begin - 1
  return new Set([instructions, before, prompt.length - 1].filter((at) => at >= 0))
}
