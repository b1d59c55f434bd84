import { createHash } from 'node:crypto'
import { InboxMessage } from '@loader/session-core/coding'
import { checksum, hex } from './checksum.ts'

/** A message as it is kept. The order is the time at which it was put. */
export interface KeptMessage {
  readonly order: number
  readonly message: InboxMessage
}

/**
 * What stands in the file of a message. `newer`: it is as it was written, by a version that knows more kinds. `damaged`: it is
 * not as it was written, or lies under the name of another message.
 */
export type FoundMessage = (KeptMessage & { readonly kind: 'message' }) | { readonly kind: 'newer' | 'damaged' }

/** Halves of characters, which UTF-8 cannot hold, would all be the same one. */
export function nameOfMessage(messageId: string): string {
  const written = /\p{Surrogate}/u.test(messageId) ? JSON.stringify(messageId) : messageId
  return `${createHash('sha256').update(written).digest('hex').slice(0, 32)}.json`
}

export function isMessageName(name: string): boolean {
  return /^[0-9a-f]{32}\.json$/.test(name)
}

/** One line, which ends with the checksum of what it would be without that. */
export function textOfMessage({ order, message }: KeptMessage): string {
  const body = JSON.stringify({ order, message })
  return `${body.slice(0, -1)},"sum":"${hex(checksum(body))}"}\n`
}

export function messageIn(name: string, bytes: Uint8Array): FoundMessage {
  const text = Buffer.from(bytes).toString('utf8')
  try {
    const { order, message } = JSON.parse(text) as Partial<Record<keyof KeptMessage, { readonly id?: unknown }>>
    const id = message?.id
    if (!isAsWritten(text) || typeof order !== 'number' || typeof id !== 'string' || nameOfMessage(id) !== name)
      return { kind: 'damaged' }
    const parsed = InboxMessage.safeParse(message)
    return parsed.success ? { kind: 'message', order, message: parsed.data } : { kind: 'newer' }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { kind: 'damaged' }
    throw error
  }
}

const summed = /,"sum":"([0-9a-f]{8})"\}\n$/

/** Messages of older versions have no checksum. */
function isAsWritten(text: string): boolean {
  const sum = summed.exec(text)
  return sum === null ? !text.includes('"sum"') : hex(checksum(`${text.slice(0, sum.index)}}`)) === sum[1]
}
