import { type SessionState, shownText } from '@loader/session-core'
import { normalized } from '../text/normalized.ts'
import { artifactsOf } from './artifacts-of.ts'
import { readBrief } from './parse-brief.ts'

/**
 * Criteria for the current task that the user or the brief stated. Those that the runtime derives from the project are
 * left out, because a plan need not mention them.
 */
export function saidCriteria(state: SessionState): string[] {
  const ofUser = (state.turn?.doneWhen ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]))
  const { brief } = artifactsOf(state)
  const reading = brief && readBrief(brief, shownText(state.task ?? ''))
  const ofBrief = reading?.explicit.includes('acceptance_criteria') ? reading.sections.acceptance_criteria : []
  return [...new Map([...ofBrief, ...ofUser].map((text) => [normalized(text), text])).values()]
}
