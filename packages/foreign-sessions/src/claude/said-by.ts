import { textsIn } from './blocks.ts'
import type { ClaudeBlock, TreeRecord } from './records.ts'

/** The actual author of a record with the role `user`: few were typed by the user. */
export type SaidBy = 'user' | 'program' | 'summary' | 'nobody' | 'interrupted request' | 'interrupted call'

/** Text that the program adds to the conversation itself. */
const ofProgram =
  /^\s*<(?:command-(?:name|message|args|contents)|local-command-\w+|bash-(?:input|stdout|stderr)|system-reminder)\b/

export function saidBy(record: TreeRecord, blocks: readonly ClaudeBlock[]): SaidBy {
  const { isMeta, isCompactSummary, turnCompanion, origin, promptSource } = record
  const text = textsIn(blocks).trim()
  if (isCompactSummary === true) return 'summary'
  if (text === '[Request interrupted by user]') return 'interrupted request'
  if (text === '[Request interrupted by user for tool use]') return 'interrupted call'
  if (isMeta === true || turnCompanion === true || ofProgram.test(text)) return 'nobody'
  if (origin !== undefined || promptSource === 'system' || text.startsWith('<task-notification>')) return 'program'
  return 'user'
}
