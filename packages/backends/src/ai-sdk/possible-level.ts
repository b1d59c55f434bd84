import type { ModelRequest } from '@loader/session-core'

/** What is known of the thinking of a model, besides what the AI SDK knows. */
export interface KnownThinking {
  /** The model does not think, and its provider would refuse to be told how much it shall. */
  readonly cannotThink?: boolean
  /** The model always thinks. */
  readonly alwaysThinks?: boolean
  /** The smallest limit of an answer, in tokens, that leaves room for thoughts. */
  readonly leastLimit?: number
  /** The same, where the caller gives a budget for thoughts in the options of the provider. */
  readonly leastLimitOfOwn?: number
}

/** The request with a level that the model can have, and a note if that is another one than was asked for. */
export function withPossibleLevel(
  request: ModelRequest,
  { id, cannotThink, alwaysThinks, leastLimit = 0, leastLimitOfOwn = 0 }: KnownThinking & { readonly id: string },
  specification: 'v3' | 'v4',
): { readonly asked: ModelRequest; readonly note?: string } {
  const { thinking, ...bare } = request
  const { maxOutputTokens: limit = Number.POSITIVE_INFINITY } = request
  const noRoom = `An answer of at most ${limit} tokens leaves no room for thoughts: ${id} goes without.`
  if (limit < leastLimitOfOwn) return { asked: request, note: noRoom }
  if (thinking === undefined) return { asked: request }
  const isOff = thinking === 'off'
  if (cannotThink) return { asked: bare, ...(!isOff && { note: `${id} does not think.` }) }
  if (specification === 'v3') return { asked: bare, ...(!isOff && { note: `${id} ${noLevels}` }) }
  if (!isOff && limit < leastLimit) return { asked: { ...bare, thinking: 'off' }, note: noRoom }
  if (!alwaysThinks || !isOff) return { asked: request }
  return { asked: { ...bare, thinking: 'low' }, note: `${id} always thinks; its lowest level is taken: low.` }
}

const noLevels = 'follows specification 3 of the AI SDK, which has no levels of thinking: use its own options.'
