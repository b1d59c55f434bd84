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
    const { item } = line.event
    const prompt = shownPrompt(line.event)
    if (prompt !== undefined) prompts.add(prompt)
    if (item?.type === 'AgentMessage' && item.id !== undefined) answers.add(item.id)
    const [id, outcome] = endOf(line.event)
    if (id !== undefined && outcome !== undefined) outcomes.set(id, outcome)
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

/** The call whose end was shown, and how it ended; nothing where that is not said. */
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
