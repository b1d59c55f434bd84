import { type SessionState, shownText, type StoredText } from '@loader/session-core'
import { judgedElsewhere, judgementRecord, standing } from '@loader/workflow'
import type { Texts } from '../words/texts.ts'
import { judgedCriteria } from './judged-criteria.ts'
import type { EvidenceOutput } from '../schemas/evidence.ts'
import { sessionNameOf } from '../words/session-name.ts'

/** The criteria of the task, with the results of their checks. */
export function evidenceReading(state: SessionState, texts: Texts = new Map()): EvidenceOutput {
  const { goal, runningCheck } = state
  const judged = goal === null ? undefined : standing(state)
  const whole = (text: StoredText) => (typeof text === 'string' ? text : (texts.get(text.blob) ?? text))
  return {
    session: sessionNameOf(state),
    task: goal === null ? null : shownText(goal.task),
    verdict: judged?.verdict ?? (goal === null ? null : 'unverified'),
    judgement: judged?.judgement === undefined ? null : judgementRecord(judged.judgement),
    elsewhere: judgedElsewhere(state) ?? null,
    reasons: judged?.reasons ?? [],
    criteria: judgedCriteria(state),
    checks: goal?.checks ?? [],
    evidence: state.evidence.map(({ results: _results, next: _next, ...run }) => ({
      ...run,
      output: whole(run.output),
    })),
    running: runningCheck === null ? null : { checkId: runningCheck.checkId, command: runningCheck.command },
  }
}
