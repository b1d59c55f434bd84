import type { Message } from '@loader/session-core'
import { isSummary } from './summary-message.ts'

/** Whether the message has words of the user: not a note of the runtime, and not a summary. */
export function saidByUser(message: Message): boolean {
  if (message.role !== 'user' || isSummary(message)) return false
  return message.origin === 'input' || message.origin === 'steering' || message.origin === 'import'
}
