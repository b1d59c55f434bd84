import type { Result } from '../conversation/conversation.ts'
import type { RolloutLine } from './rollout.ts'
import { isTyped } from './said-by.ts'

/** What the screen has shown: it knows things that the model was not told. */
export interface Screen {
  /** The keys of what users have typed, as it was shown. */
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
    const { prompt, answer, end } = line.shown
    if (prompt !== undefined) prompts.add(prompt)
    if (answer !== undefined) answers.add(answer)
    if (end !== undefined) outcomes.set(end.call, end.outcome)
  }
  const sent = lines.flatMap((line) => (line.kind === 'item' && isTyped(line.words, prompts) ? [line.words.key] : []))
  return { prompts, sent: new Set(sent), answers, outcomes }
}
