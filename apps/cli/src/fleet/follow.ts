import { runResult } from '@loader/agent'
import {
  isSessionEvent,
  LoaderError,
  readSession,
  reduce,
  stateOfHistory,
  type SessionEvent,
  type SessionState,
  type SessionStore,
  type WatchItem,
  withCapability,
} from '@loader/session-core'
import type { Dispatch } from '@loader/session-postgres/dispatch'
import type { Given } from '../arguments/given.ts'
import { nothingKnown } from '../output/nothing-known.ts'
import type { OncePrinter, RunEnd } from '../output/printer.ts'
import { codeOfCause } from '../run/run-exit.ts'
import type { Interruption } from '../run/interruption.ts'
import { finishedEnd } from '../run/work-on.ts'
import { type OpenQuestion, openQuestion } from './open-question.ts'

/** What is followed: a session, from an event on, to the end of the turn for an input. */
export interface Followed {
  readonly id: string
  readonly fromSeq: number
  /** Absent: whatever is open. */
  readonly inputId?: string
  readonly task: string
}

export interface FollowPorts {
  readonly store: SessionStore
  readonly dispatch: Dispatch
  readonly given: Given
  readonly printer: OncePrinter
  readonly interruption: Interruption
  readonly note: (text: string) => void
}

/** How often to ask whether a worker is on the session. */
const lookMs = 3_000

/**
 * Prints what workers do in a session, until the turn ends or an answer is needed. It only reads: to stop
 * following stops nothing else.
 */
export async function follow(followed: Followed, ports: FollowPorts): Promise<RunEnd> {
  const { interruption } = ports
  const stop = new AbortController()
  interruption.onFirst(() => stop.abort())
  const watching = lookAfter(followed.id, ports, stop)
  try {
    const end = await eventsUntilEnd(followed, ports, stop.signal)
    if (end !== undefined) return end
    const { cause } = interruption
    if (cause === undefined) return parkedEnd(await watching)
    const error = new Error('This only followed the work, which goes on.')
    return { kind: 'failed', error, code: codeOfCause(cause) }
  } finally {
    stop.abort()
    await watching
  }
}

async function eventsUntilEnd(
  { id, fromSeq, inputId, task }: Followed,
  ports: FollowPorts,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const { store, given, printer } = ports
  let state = await stateBefore(store, id, fromSeq)
  let turnId = inputId === undefined ? state.turn?.id : undefined
  const begin = () => printer.begin({ ...headOf(state), task })
  for await (const item of watched(id, fromSeq, ports, signal)) {
    if (item.kind !== 'event' || !isSessionEvent(item.event)) continue
    const { event } = item
    state = reduce(state, event)
    if (event.type === 'turn.started' && isOurs(event, inputId)) turnId = event.turnId
    if (event.type === 'policy.applied') begin()
    // Before its policy is known, a session that was never worked on has nothing to tell.
    if (state.policy !== null) {
      begin()
      printer.event(event)
    }
    if (event.type === 'turn.finished' && event.turnId === turnId) return endOfTurn(state, given)
    const question =
      event.type === 'question.asked' && state.turn?.id === turnId ? await stillOpen(state, store) : undefined
    if (question !== undefined) {
      const error = new LoaderError('unsupported', `An answer is needed: ${question.line}`)
      return { kind: 'failed', error, code: 'needsDecision' }
    }
  }
  return undefined
}

/** How often a database that is away is asked again, and for how long. Workers and writers wait for it as well. */
const againMs = 1_000
const awayMs = 60_000

/** What happens in a session, each event once, also over a database that is away for a while. */
async function* watched(
  id: string,
  fromSeq: number,
  { store, note }: Pick<FollowPorts, 'store' | 'note'>,
  signal: AbortSignal,
): AsyncGenerator<WatchItem> {
  let next = fromSeq
  let awaySince: number | undefined
  for (;;) {
    try {
      for await (const item of withCapability(store, 'watch').watch(id, next, { signal })) {
        awaySince = undefined
        if (item.kind === 'event') next = item.event.seq + 1
        yield item
      }
      return
    } catch (error) {
      if (!LoaderError.is(error, 'storage_refused')) throw error
      if (awaySince === undefined) note(`${error.message} The work goes on meanwhile; this waits for the database.`)
      awaySince ??= Date.now()
      if (Date.now() - awaySince > awayMs) throw error
      await passed(againMs, signal)
    }
  }
}

/** The question, unless its answer is only further on in the history. */
async function stillOpen(state: SessionState, store: SessionStore): Promise<OpenQuestion | undefined> {
  const asked = state.turn?.question?.id
  const now = openQuestion((await readSession(store, state.id, { gaps: 'mark' })).state)
  return now?.questionId === asked ? now : undefined
}

function isOurs(event: Extract<SessionEvent, { type: 'turn.started' }>, inputId: string | undefined): boolean {
  return inputId === undefined || event.inputId === inputId
}

async function stateBefore(store: SessionStore, id: string, fromSeq: number): Promise<SessionState> {
  const { history } = await readSession(store, id, { gaps: 'mark' })
  return stateOfHistory(
    id,
    history.filter(({ seq }) => seq < fromSeq),
  )
}

function headOf({ id, policy, project, seq }: SessionState) {
  return {
    ...nothingKnown,
    sessionId: id,
    model: policy?.model?.model ?? '',
    tools: policy?.tools?.names ?? [],
    permissionMode: policy?.permission.mode ?? nothingKnown.permissionMode,
    folder: project?.root ?? '',
    seq,
  }
}

function endOfTurn(state: SessionState, given: Given): RunEnd {
  const result = runResult(state)
  if (result === null) throw new LoaderError('impossible_event', `Session ${state.id} has no turn that ended.`)
  return finishedEnd(result, state, given, { unanswered: false, cause: undefined })
}

/** Notes once that no worker is there. If the session is parked, ends the following, and resolves to the reason. */
async function lookAfter(
  id: string,
  { dispatch, note }: FollowPorts,
  stop: AbortController,
): Promise<string | undefined> {
  let isSaid = false
  while (!stop.signal.aborted) {
    const { workers, sessions } = await dispatch.fleet().catch(() => ({ workers: undefined, sessions: [] }))
    const parked = sessions.find((one) => one.id === id && one.standing === 'parked')
    if (parked !== undefined && !stop.signal.aborted) {
      stop.abort()
      return parked.reason ?? 'it is not said why'
    }
    if (workers !== undefined && !isSaid && !workers.some(({ isThere }) => isThere)) {
      note('No worker is there yet. Start one: loader worker --store … --projects …')
      isSaid = true
    }
    await passed(lookMs, stop.signal)
  }
  return undefined
}

function parkedEnd(reason: string | undefined): RunEnd {
  const error = new LoaderError('unsupported', `The session is parked: ${reason ?? 'it is not said why'}.`)
  return { kind: 'failed', error, code: 'failure' }
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    if (signal.aborted) resolve()
  })
}
