import type { Result } from '../conversation/conversation.ts'
import type { RolloutLine } from './rollout.ts'
import { isTyped } from './said-by.ts'

/** Facts from the screen events, some of which the model was never sent. */
export interface CodexScreen {
  /** The keys of the prompts that were shown. */
  readonly prompts: ReadonlySet<string>
  /** The keys of those that are also in a message to the model. */
  readonly sent: ReadonlySet<string>
  /** Ids of the answers that were shown. */
  readonly answers: ReadonlySet<string>
  /** The outcome of each call, by its id. */
  readonly outcomes: ReadonlyMap<string, Result['outcome']>
}

export function screenOf(lines: readonly RolloutLine[]): CodexScreen {
  const prompts = new Set<string>()
  const answers = new Set<string>()
  const outcomes = new Map<string, Result['outcome']>()
  for (const line of lines) {
    if (line.kind !== 'screen') continue
    const { prompt, answer, end } = line.shown
    if (prompt !== undefined) prompts.add(prompt)
    if (answer !== undefined) answers.add(answer)
    if (end !== undefined) outcomes.set(end.call, end.outcome)
  }
  const sent = lines.flatMap((line) => (line.kind === 'item' && isTyped(line.words, prompts) ? [line.words.key] : []))
  return { prompts, sent: new Set(sent), answers, outcomes }
}
