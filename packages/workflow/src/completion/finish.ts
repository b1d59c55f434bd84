import type { SessionState, Turn } from '@loader/session-core'
import type { TimelineEntry, TurnEnd, Verdict } from '@loader/session-core/coding'
import { hasChanged } from '../goal/has-changed.ts'
import { acceptJudgement } from '../judging/accept-judgement.ts'
import type { TurnJudgement } from '../judging/judge-turn.ts'
import type { CheckJudgement } from '../judging/judgement.ts'
import { judgementRecord } from '../judging/judgement-record.ts'
import { verdictFor } from '../judging/exit-code.ts'
import { endOfTurn } from '../judging/end-of-turn.ts'
import type { Step } from '../words/step.ts'
import { answerOfTurn } from './answers-of-turn.ts'
import { endFacts } from './end-facts.ts'

/** Completion codes that mean failure; the turn ends with the code as its reason. */
const unsuccessful = new Set(['verification_retry_budget_exhausted'])

/** Ends a turn after its completion was judged. The reason must not claim more than the judgement. */
export function finishStep(state: SessionState, turn: Turn, { kind, reasonCode, summary }: TimelineEntry): Step {
  const facts = endFacts(state, turn)
  const end = endOfTurn({ ...facts, judgements: facts.judgements ?? [], asked: true })
  const judgement = end.next === 'end' ? judgementOfTurn(state, turn, end.judgement) : undefined
  const verdict = judgement === undefined ? undefined : verdictFor(judgement.word)
  const responseId = answerOfTurn(state, turn)?.id
  return {
    type: 'finish',
    reason: kind === 'completion_finalize' || unsuccessful.has(reasonCode) ? reasonCode : 'turn_complete',
    summary: asSentence(summary.replace(/^completion:\s*/, '')),
    ...(responseId !== undefined && { responseId }),
    ...(verdict !== undefined && { verdict }),
    ...(judgement !== undefined && { judgement: judgementRecord(judgement) }),
    ...(end.next === 'end' && { end: asTurnEnd(state, turn, end) }),
  }
}

type Ended = Extract<ReturnType<typeof endOfTurn>, { readonly next: 'end' }>

function asTurnEnd(
  { unknownCalls, goodCalls }: SessionState,
  { statement }: Turn,
  { how, changed, beside, unknown, found }: Ended,
): TurnEnd {
  const open = unknownCalls.filter(({ call }) => unknown.includes(call)).map(({ call, what }) => ({ call, what }))
  return {
    how,
    changed,
    ...(beside !== undefined && { beside }),
    ...(statement !== undefined && { summary: statement.summary }),
    ...(statement?.left !== undefined && { left: statement.left }),
    ...(open.length > 0 && { unknown: open }),
    ...(found.length > 0 && { found: found.map((one) => ({ ...one, ...textsOf(one, unknownCalls, goodCalls) })) }),
  }
}

/** The verdict at the end of a turn, for every reason to end. Undefined if there was no work to verify. */
export function verdictOfTurn(state: SessionState, turn: Turn): Verdict | undefined {
  return hasChanged(state, turn) || (turn.doneWhen ?? []).length > 0 ? 'unverified' : undefined
}

function asSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

interface KnownCall {
  readonly call: string
  readonly what: string
}

/** Describes the calls for people, since call ids mean little to them. */
function textsOf(
  { call, shownBy }: { readonly call: string; readonly shownBy: string },
  unknownCalls: readonly KnownCall[],
  goodCalls: readonly KnownCall[],
): { callWhat?: string; shownByWhat?: string } {
  const callWhat = unknownCalls.find((it) => it.call === call)?.what
  const shownByWhat = goodCalls.findLast((it) => it.call === shownBy)?.what
  return { ...(callWhat !== undefined && { callWhat }), ...(shownByWhat !== undefined && { shownByWhat }) }
}

/** The judgement of a turn, including what the user has accepted for these files. */
function judgementOfTurn(
  { acceptances }: Pick<SessionState, 'acceptances'>,
  { verification }: Pick<Turn, 'verification'>,
  judgement: TurnJudgement | undefined,
): TurnJudgement | undefined {
  if (judgement === undefined || judgement.word === 'unchecked' || judgement.word === 'unknown') return judgement
  const tree = verification?.ground.tree
  return acceptances
    .filter((it) => it.tree !== undefined && it.tree === tree)
    .reduce((so: CheckJudgement, it) => acceptJudgement(so, it), judgement)
}
