import { BackendError, type JsonObject, type Message, type Part } from '@loader/session-core'

/** Error texts of providers that cannot decrypt or verify reasoning. */
const unreadable = new RegExp(
  [
    'encrypted content .{0,80}could not be (verified|decrypted)', // OpenAI
    'invalid `?signature`? in `?thinking', // Anthropic
    '(corrupted|invalid) thought signature', // Google
    'thought_signature.{0,20}base64 decoding failed', // Google
  ].join('|'),
  'i',
)

export const unreadableNote =
  'The provider cannot read what was thought before, as after a change of the account: it is asked again without.'

/**
 * Whether the provider refuses its own reasoning in a request. Reasoning is encrypted for one account or region, so a
 * session that has moved to another would otherwise be refused from then on.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof BackendError && error.failure.kind === 'bad_request' && unreadable.test(error.message)
}

/** The message without encrypted or signed reasoning. */
export function withoutThoughts(message: Message): Message {
  const content = message.content.flatMap((part): Part[] => (part.type === 'reasoning' ? [] : [unsigned(part)]))
  return { ...message, content }
}

function unsigned(part: Part): Part {
  if (!('providerMetadata' in part) || part.providerMetadata?.['google'] === undefined) return part
  const { google: _signed, ...others }: JsonObject = part.providerMetadata
  return { ...part, providerMetadata: others }
}
