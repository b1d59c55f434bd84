import { InboxMessage } from '@loader/session-core/coding'
import { createHash } from 'node:crypto'

/**
 * What stands in the row of a message. `newer`: it is as it was written, by a version that knows more kinds. `damaged`: it is
 * not, or lies under the name of another message.
 */
export type FoundMessage =
  | { readonly kind: 'message'; readonly message: InboxMessage }
  | { readonly kind: 'newer' | 'damaged' }

/** Any id, also one that the database cannot hold as a text. */
export function nameOfMessage(messageId: string): string {
  return createHash('sha256').update(JSON.stringify(messageId)).digest('hex')
}

export function messageIn(name: string, body: string): FoundMessage {
  try {
    const written: unknown = JSON.parse(body)
    const id = typeof written === 'object' && written !== null && 'id' in written ? written.id : undefined
    if (typeof id !== 'string' || nameOfMessage(id) !== name) return { kind: 'damaged' }
    const parsed = InboxMessage.safeParse(written)
    return parsed.success ? { kind: 'message', message: parsed.data } : { kind: 'newer' }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'damaged' }
    throw error
  }
}
