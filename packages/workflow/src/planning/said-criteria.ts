import { type SessionState, shownText } from '@loader/session-core'
import { normalized } from '../text/normalized.ts'
import { artifactsOf } from './artifacts-of.ts'
import { readBrief } from './parse-brief.ts'

/**
 * What has to hold for the task at hand because somebody said so: the user, or the brief. What the runtime derives
 * from the project is not among it, for no plan need mention it.
 */
export function saidCriteria(state: SessionState): string[] {
  const ofUser = (state.turn?.doneWhen ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]))
  const { brief } = artifactsOf(state)
  const reading = brief && readBrief(brief, shownText(state.task ?? ''))
  const ofBrief = reading?.explicit.includes('acceptance_criteria') ? reading.sections.acceptance_criteria : []
  return [...new Map([...ofBrief, ...ofUser].map((text) => [normalized(text), text])).values()]
}
