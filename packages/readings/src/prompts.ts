import { promptHistory, type History, type SessionState } from '@loader/session-core'
import type { PromptSnapshot } from '@loader/session-core/coding'
import { textIn, type Texts } from './words/texts.ts'
import { changedSections, promptDiff } from './prompt-changes.ts'
import type { PromptDiffOutput, PromptShowOutput } from './schemas/prompt.ts'
import { sessionNameOf } from './words/session-name.ts'

/** The latest system prompt. */
export function promptReading(history: History, state: SessionState, texts: Texts = new Map()): PromptShowOutput {
  const prompts = promptHistory(history)
  const latest = prompts.at(-1)
  return {
    session: sessionNameOf(state),
    prompt: latest === undefined ? null : whole(latest, texts),
    count: prompts.length,
  }
}

/** The difference between the last two system prompts. */
export function promptDiffReading(history: History, state: SessionState, texts: Texts = new Map()): PromptDiffOutput {
  const session = sessionNameOf(state)
  const [before, after] = promptHistory(history)
    .slice(-2)
    .map((prompt) => whole(prompt, texts))
  if (before === undefined || after === undefined) {
    const sections = { added: [], removed: [], changed: [] }
    return { session, before: null, after: before ?? null, sections, diff: '' }
  }
  return { session, before, after, sections: changedSections(before, after), diff: promptDiff(before.text, after.text) }
}

function whole(prompt: PromptSnapshot, texts: Texts) {
  return { ...prompt, text: textIn(texts, prompt.text ?? '') }
}
