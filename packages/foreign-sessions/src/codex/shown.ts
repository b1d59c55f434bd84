import type { Result } from '../conversation/conversation.ts'
import { given } from '../source/loose.ts'
import type { ScreenEvent } from './records.ts'
import { keyOf } from './said-by.ts'

/** The user's text in a screen event; undefined for all other events. */
export function shownPrompt({ type, item, message }: ScreenEvent): string | undefined {
  if (type === 'user_message') return message?.trim()
  if (item?.type !== 'UserMessage') return undefined
  return item.content
    .flatMap(({ text }) => text ?? [])
    .join('\n')
    .trim()
}

/** The fields needed of a screen event. */
export interface ShownLine {
  readonly type: string
  /** The key of the user's prompt. */
  readonly prompt?: string
  /** The id of the shown answer. */
  readonly answer?: string
  readonly end?: { readonly call: string; readonly outcome: Result['outcome'] }
}

export function shownIn(event: ScreenEvent): ShownLine {
  const { type, item } = event
  const prompt = shownPrompt(event)
  const [call, outcome] = endOf(event)
  return {
    type,
    ...(prompt !== undefined && { prompt: keyOf(prompt) }),
    ...(item?.type === 'AgentMessage' && given('answer', item.id)),
    ...(call !== undefined && outcome !== undefined && { end: { call, outcome } }),
  }
}

/** The call that a screen event ends, and its outcome if the event says it. */
function endOf({
  type,
  item,
  call_id: id,
  exit_code: code,
  success,
}: ScreenEvent): readonly [id?: string | undefined, outcome?: Result['outcome'] | undefined] {
  if (item?.type === 'CommandExecution') return [item.id, shownOutcome(item.status, item.exit_code)]
  if (item?.type === 'FileChange' || item?.type === 'McpToolCall')
    return [item.id, shownOutcome(item.status, undefined)]
  if (type === 'exec_command_end') return [id, shownOutcome(undefined, code)]
  if (type === 'patch_apply_end' && success !== undefined) return [id, success ? 'ok' : 'failed']
  return []
}

function shownOutcome(status: string | undefined, exitCode: number | undefined): Result['outcome'] | undefined {
  if (status === 'declined') return 'denied'
  if (status === 'failed' || (exitCode !== undefined && exitCode !== 0)) return 'failed'
  return status === 'completed' || exitCode === 0 ? 'ok' : undefined
}
