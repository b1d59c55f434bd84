import { excerptOf, isSessionEvent, type History, type SessionState, shownText } from '@loader/session-core'
import { completionTraceOf } from '@loader/workflow'
import { sessionNameOf } from '../words/session-name.ts'
import type { WhyOutput } from '../schemas/why.ts'
import { nextSteps } from './next-steps.ts'
import { openTurnNext, openTurnSentences } from './open-turn.ts'
import { reasonSentences } from './reasons.ts'
import { troubledCalls, troubleSentences } from './troubled-calls.ts'
import { judgedCriteria } from '../evidence/judged-criteria.ts'

type Explanation = Omit<WhyOutput, 'session'>

/** Why the last turn ended, or what the open one waits for, from recorded events only. */
export function whyReading(history: History, state: SessionState, writer: string | null): WhyOutput {
  return { session: sessionNameOf(state), ...explain(state, history, writer) }
}

function explain(state: SessionState, history: History, writer: string | null): Explanation {
  if (state.turn !== null) return explainOpen(state, state.turn, history, writer)
  if (state.lastTurn === null) return nothingYet(state, history, writer)
  return explainEnded(state, state.lastTurn, history, writer)
}

function explainEnded(
  state: SessionState,
  lastTurn: NonNullable<SessionState['lastTurn']>,
  history: History,
  writer: string | null,
): Explanation {
  const { id, inputId, startedAt, finishedAt, reason, summary, verdict, notStored } = lastTurn
  const troubles = troubledCalls(history, startOf(history, id))
  const criteria = judgedCriteria(state)
  const said = summary === undefined || summary === '' ? [] : [summary]
  return {
    situation: 'ended',
    turn: {
      id,
      input: wordsOf(history, inputId),
      startedAt,
      finishedAt,
      phase: null,
      reason,
      verdict: verdict ?? null,
    },
    writer,
    because: [
      ...reasonSentences(reason, verdict),
      ...said,
      ...troubleSentences(troubles),
      ...(notStored === undefined ? [] : [`This could not be stored any more: ${notStored}`]),
    ],
    criteria,
    trace: completionTraceOf(state),
    missing: missingOf(state),
    next: nextSteps({ id: state.id, reason, state, criteria, troubles }),
  }
}

function explainOpen(
  state: SessionState,
  turn: NonNullable<SessionState['turn']>,
  history: History,
  writer: string | null,
): Explanation {
  const { id, inputId, startedAt, startedSeq, phase } = turn
  const troubles = troubledCalls(history, startedSeq)
  return {
    situation: 'open',
    turn: {
      id,
      input: wordsOf(history, inputId),
      startedAt,
      finishedAt: null,
      phase,
      reason: null,
      verdict: null,
    },
    writer,
    because: [...openTurnSentences(state, turn, history, writer), ...troubleSentences(troubles)],
    criteria: judgedCriteria(state),
    trace: completionTraceOf(state),
    missing: missingOf(state),
    next: openTurnNext(state.id, turn, writer),
  }
}

function nothingYet({ id, queue }: SessionState, history: History, writer: string | null): Explanation {
  const waits = queue.length > 0 ? ['What you have said waits for a turn to take it.'] : []
  const rewound = history.some(({ type }) => type === 'session.rewound')
  const because = rewound ? 'What was done last was taken back, and no turn has run since.' : 'No turn has run yet.'
  return {
    situation: 'nothing_yet',
    turn: null,
    writer,
    because: [because, ...waits],
    criteria: [],
    trace: [],
    missing: [],
    next: [`Go on with: loader -r ${id}${waits.length > 0 ? '' : ' "<what to do>"'}`],
  }
}

/** The missing or contradicting points that the latest judgement of completion names. */
function missingOf({ completion }: SessionState): string[] {
  const { evidenceProvenance = [], verificationObservations = [] } = completion ?? {}
  const reasons = evidenceProvenance.filter(({ status }) => status === 'missing' || status === 'contradicts')
  const seen = verificationObservations.filter(({ status }) => ['failed', 'stale', 'missing'].includes(status))
  return [...new Set([...reasons, ...seen].map(({ summary }) => summary))]
}

function startOf(history: History, turnId: string): number {
  const started = history.findLast(
    (event) => isSessionEvent(event) && event.type === 'turn.started' && event.turnId === turnId,
  )
  return started?.seq ?? 1
}

function wordsOf(history: History, inputId: string): string {
  const queued = history.findLast(
    (event) => isSessionEvent(event) && event.type === 'input.queued' && event.inputId === inputId,
  )
  return queued !== undefined && 'text' in queued && 'inputId' in queued ? excerptOf(shownText(queued.text)) : ''
}
