import type { Message } from '@loader/session-core'
import { isSummary } from './summary-message.ts'

/** Whether the message has text from the user, and is not a note of the runtime or a summary. */
export function saidByUser(message: Message): boolean {
  if (message.role !== 'user' || isSummary(message)) return false
  return message.origin === 'input' || message.origin === 'steering' || message.origin === 'import'
}
