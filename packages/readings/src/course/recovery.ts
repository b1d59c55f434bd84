import {
  type EventOf,
  type EventPlace,
  excerptOf,
  type History,
  isSessionEvent,
  type Owner,
  reduce,
  type SessionEvent,
  type SessionState,
  shownText,
  unansweredCalls,
} from '@loader/session-core'
import { counted } from '../words/amounts.ts'
import { callTitle } from '../words/call-title.ts'

/** What became of something that the end of a process cut off. */
export type Became =
  /** Its change is there. */
  | 'applied'
  /** It changed nothing. */
  | 'not_applied'
  /** It may or may not have taken effect. */
  | 'unknown'
  /** The part of an answer that had arrived is in the conversation. */
  | 'kept'
  /** Nothing of the answer had arrived. */
  | 'nothing'
  /** It was done once more: checks, and questions. */
  | 'again'
  /** Nothing has been recorded about it yet. */
  | 'open'

/** A request, call, check or question that was under way when its process ended. */
export interface CutOff {
  readonly kind: 'request' | 'call' | 'check' | 'question'
  readonly id: string
  readonly title: string
  /** The event that began it. */
  readonly seq: number
  readonly became: Became
  /** The same in a sentence. */
  readonly said: string
  /** Of requests: how many characters of the answer had arrived, thinking included. */
  readonly arrived?: number
  /** The event that tells it. */
  readonly settled: EventPlace | null
  /** What the model said about it later, with the call that showed it. */
  readonly found?: { readonly what: string; readonly shownBy: string; readonly seq: number }
}

/** One process that wrote the session. */
export interface ClaimReading {
  readonly epoch: number
  readonly seq: number
  readonly at: string
  readonly owner: Owner
  /** Its last event. */
  readonly last: EventPlace
  readonly events: number
  /**
   * `rested`: no turn was open at its end. `waiting`: a turn only waited for an answer, so nothing was cut off; whether the
   * process let go of the session, as workers do, or died then is not in the history. `passed_on`: it did not work on such a
   * turn, and at most answered its question. `cut_off`: it ended in the middle of a turn. `latest`: no other process has
   * claimed the session since, so whether this one has ended is not in the history.
   */
  readonly ended: 'rested' | 'waiting' | 'passed_on' | 'cut_off' | 'latest'
  /** What its end cut off. */
  readonly cut: readonly CutOff[]
}

/** The processes that wrote a session, in order, and what became of what their ends cut off. */
export function recoveryReading(history: History): ClaimReading[] {
  const claims: Draft[] = []
  let state: SessionState | null = null
  for (const event of history) {
    if (isSessionEvent(event)) {
      if (event.type === 'session.claimed') {
        const [ended, before] = [claims.at(-1), claims.at(-2)]
        if (ended !== undefined && state !== null) endClaim(ended, { state, history, before: before?.ended })
        claims.push(claimOf(event))
      }
      settle(claims, event)
    }
    const claim = claims.at(-1)
    if (claim !== undefined) {
      claim.last = { seq: event.seq, type: event.type, at: event.at }
      claim.events += 1
    }
    state = reduce(state, event)
  }
  return claims
}

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] }
type Draft = Omit<Open<ClaimReading>, 'cut'> & { cut: Open<CutOff>[] }

function claimOf({ epoch, seq, at, owner, type }: EventOf<'session.claimed'>): Draft {
  return { epoch, seq, at, owner, last: { seq, type, at }, events: 0, ended: 'latest', cut: [] }
}

interface EndOfClaim {
  readonly state: SessionState
  readonly history: History
  /** How the claim before it ended. */
  readonly before: ClaimReading['ended'] | undefined
}

function endClaim(claim: Draft, { state, history, before }: EndOfClaim): void {
  claim.ended = endOf(claim, state, before)
  claim.cut = claim.ended === 'cut_off' ? cutIn(state, history) : []
}

function endOf({ events, last }: Draft, state: SessionState, before: EndOfClaim['before']): ClaimReading['ended'] {
  if (state.turn === null) return 'rested'
  // What did nothing but claim the session left it as it was.
  if (events === 1) return before === 'waiting' || before === 'passed_on' ? 'passed_on' : 'cut_off'
  if (events === 2 && last.type === 'question.answered') return 'passed_on'
  return onlyWaits(state) ? 'waiting' : 'cut_off'
}

/** Whether a question is open and nothing is under way, of this claim or an earlier one. */
function onlyWaits({ turn, runningCheck, background = [] }: SessionState): boolean {
  const { question } = turn ?? {}
  if (question == null || question.answer !== undefined || turn?.request?.status === 'asked') return false
  const running = unansweredCalls(turn).filter(({ startedEpoch }) => startedEpoch !== undefined)
  // Of a call that asks the user, the answer is the result: it does nothing else.
  const isAsking = running.every(
    ({ call, examined }) => call.id === question.callId && examined?.question !== undefined,
  )
  return isAsking && runningCheck === null && background.every(({ ended }) => ended !== undefined)
}

const notToldYet = { became: 'open', said: 'Nothing has been recorded about it yet.', settled: null } as const

/** What was under way in this state. */
function cutIn({ turn, runningCheck, epoch }: SessionState, history: History): Open<CutOff>[] {
  if (turn === null) return []
  const { request, question } = turn
  const began = (isIt: (event: SessionEvent) => boolean) =>
    history.findLast((event) => isSessionEvent(event) && isIt(event))?.seq ?? turn.startedSeq
  return [
    ...(request?.status === 'asked' && request.epoch === epoch
      ? [
          {
            ...notToldYet,
            kind: 'request' as const,
            id: request.id,
            title: request.model ?? 'model',
            seq: request.seq,
            arrived: request.partial.length + request.partialReasoning.length,
          },
        ]
      : []),
    ...unansweredCalls(turn)
      .filter(({ startedEpoch }) => startedEpoch === epoch)
      .map(({ call }) => ({
        ...notToldYet,
        kind: 'call' as const,
        id: call.id,
        title: callTitle(call),
        seq: began((event) => event.type === 'tool.started' && event.callId === call.id),
      })),
    ...(runningCheck !== null && runningCheck.epoch === epoch
      ? [
          {
            ...notToldYet,
            kind: 'check' as const,
            id: runningCheck.checkId,
            title: runningCheck.command,
            seq: began((event) => event.type === 'check.started' && event.runId === runningCheck.runId),
          },
        ]
      : []),
    ...(question !== null && question.answer === undefined ? [questionCut(question.id, history)] : []),
  ]
}

function questionCut(id: string, history: History): Open<CutOff> {
  const asked = history.findLast(
    (event): event is EventOf<'question.asked'> =>
      isSessionEvent(event) && event.type === 'question.asked' && event.questionId === id,
  )
  const title = asked === undefined ? 'A question' : (asked.title ?? excerptOf(shownText(asked.text), 80))
  return { ...notToldYet, kind: 'question', id, title, seq: asked?.seq ?? 1 }
}

/** Writes down what this event tells of things that were cut off. */
function settle(claims: readonly Draft[], event: SessionEvent): void {
  const open = (kind: CutOff['kind'], id: string) =>
    claims.flatMap(({ cut }) => cut).findLast((it) => it.kind === kind && it.id === id && it.seq < event.seq)
  const { seq, type, at } = event
  const tell = (it: Open<CutOff> | undefined, became: Became, said: string) => {
    if (it?.became === 'open') Object.assign(it, { became, said, settled: { seq, type, at } })
  }
  if (event.type === 'model.interrupted') {
    const it = open('request', event.requestId)
    tell(it, (it?.arrived ?? 0) > 0 ? 'kept' : 'nothing', requestWords(it?.arrived ?? 0))
  }
  if (event.type === 'tool.finished') tell(open('call', event.callId), becameOf(event), shownText(event.text))
  if (event.type === 'check.finished') {
    const said = `It was run again, and ${event.evidence.outcome}.`
    tell(open('check', event.evidence.checkId), 'again', said)
  }
  if (event.type === 'question.answered') tell(open('question', event.questionId), 'again', 'It was asked again.')
  if (event.type === 'turn.finished') {
    for (const { call, shownBy, shownByWhat, what } of event.end?.found ?? []) {
      const it = open('call', call)
      if (it !== undefined) it.found = { what, shownBy: shownByWhat ?? shownBy, seq }
    }
  }
}

function becameOf({ outcome }: EventOf<'tool.finished'>): Became {
  if (outcome === 'ok') return 'applied'
  return outcome === 'unknown' ? 'unknown' : 'not_applied'
}

function requestWords(arrived: number): string {
  if (arrived === 0) return 'Nothing of the answer had arrived.'
  return `${counted(arrived, 'character')} of the answer had arrived, and ${arrived === 1 ? 'is' : 'are'} kept.`
}
