import { JsonObject, type Message, type Part } from '@loader/session-core'

/** The value that Google accepts as a signature for calls of other models. */
const noSignature = 'skip_thought_signature_validator'

/** Models that do not require signatures, and do not know this value. */
const olderModels = /gemini-[12][.-]|gemma|learnlm/

/**
 * The answer with a signature on its first call. Gemini refuses calls without one; its own calls have one, and calls of
 * other models get the placeholder.
 */
export function withSignature(message: Message, model: string): Message {
  const { content } = message
  const first = content.findIndex(({ type }) => type === 'call')
  if (first < 0 || olderModels.test(model)) return message
  if (content.some((part) => part.type === 'call' && isSigned(part))) return message
  const signed = content.map((part, at): Part => {
    if (at !== first || part.type !== 'call') return part
    const google: JsonObject = { ...googleOf(part), thoughtSignature: noSignature }
    return { ...part, providerMetadata: { ...part.providerMetadata, google } }
  })
  return { ...message, content: signed }
}

/** Google's reasoning has no signature of its own: the text or call after it has one. */
export function isThoughtOfGoogle(_part: Part, { content }: Message): boolean {
  return content.some(isSigned)
}

function isSigned(part: Part): boolean {
  return typeof googleOf(part)['thoughtSignature'] === 'string'
}

function googleOf(part: Part): JsonObject {
  return JsonObject.safeParse('providerMetadata' in part ? part.providerMetadata?.['google'] : undefined).data ?? {}
}
