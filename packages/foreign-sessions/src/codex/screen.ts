import type { Result } from '../conversation/conversation.ts'
import type { ScreenEvent } from './records.ts'
import type { RolloutLine } from './rollout.ts'
import { isTyped, messageText } from './said-by.ts'

/** What the screen has shown: it knows things that the model was not told. */
export interface Screen {
  /** What users have typed, as it was shown. */
  readonly prompts: ReadonlySet<string>
  /** What of it stands in a message to the model. */
  readonly sent: ReadonlySet<string>
  /** Ids of the answers that were shown. */
  readonly answers: ReadonlySet<string>
  /** What became of a call, by its id. */
  readonly outcomes: ReadonlyMap<string, Result['outcome']>
}

export function screenOf(lines: readonly RolloutLine[]): Screen {
  const prompts = new Set<string>()
  const answers = new Set<string>()
  const outcomes = new Map<string, Result['outcome']>()
  for (const line of lines) {
    if (line.kind !== 'screen') continue
    const { item, type, call_id, exit_code, success } = line.event
    const prompt = shownPrompt(line.event)
    if (prompt !== undefined) prompts.add(prompt)
    if (item?.type === 'AgentMessage' && item.id !== undefined) answers.add(item.id)
    if (item?.type === 'CommandExecution') outcomes.set(item.id, shownOutcome(item.status, item.exit_code))
    if (item?.type === 'FileChange') outcomes.set(item.id, shownOutcome(item.status, undefined))
    if (call_id !== undefined && type === 'exec_command_end') outcomes.set(call_id, shownOutcome(undefined, exit_code))
    if (call_id !== undefined && type === 'patch_apply_end') outcomes.set(call_id, success === false ? 'failed' : 'ok')
  }
  const sent = lines.flatMap((line) =>
    line.kind === 'item' && line.item.type === 'message' && isTyped(line.item, prompts)
      ? [messageText(line.item).trim()]
      : [],
  )
  return { prompts, sent: new Set(sent), answers, outcomes }
}

/** The words of the user in what was shown; undefined for everything else. */
export function shownPrompt({ type, item, message }: ScreenEvent): string | undefined {
  if (type === 'user_message') return message?.trim()
  if (item?.type !== 'UserMessage') return undefined
  return item.content
    .flatMap(({ text }) => text ?? [])
    .join('\n')
    .trim()
}

function shownOutcome(status: string | undefined, exitCode: number | undefined): Result['outcome'] {
  if (status === 'declined') return 'denied'
  return status === 'failed' || (exitCode !== undefined && exitCode !== 0) ? 'failed' : 'ok'
}
