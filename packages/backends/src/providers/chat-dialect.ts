import type { ChatDialect } from '../model/known-providers.ts'

/** The body of a request as the provider's library made it. */
export type Body = Record<string, unknown>

/** The body with the fields that the provider knows: some refuse a request with a field of another one. */
export function inDialect({ reasoning, limit, thinking }: ChatDialect, body: Body): Body {
  const { max_tokens: most, messages, reasoning_effort: effort, ...rest } = body
  return {
    ...rest,
    ...(effort !== undefined && (thinking === 'switched' ? switchedBy(effort) : { reasoning_effort: effort })),
    ...(most !== undefined && { [limit ?? 'max_tokens']: most }),
    messages: Array.isArray(messages) && reasoning !== undefined ? messages.map(withReasoning) : messages,
  }
}

function switchedBy(effort: unknown): Body {
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'enabled' }, reasoning_effort: effort }
}

function withReasoning(message: Body): Body {
  const { reasoning_content: reasoning, ...rest } = message
  return reasoning === undefined ? message : { ...rest, reasoning }
}
