import type { RuntimeHandle } from '@loader/agent'
import { LoaderError, readSession, type SessionState, type SessionStore } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import type { Dispatch, Settlement, TakenSession } from '@loader/session-postgres/dispatch'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import { placesOf } from '../places/places.ts'
import { begin } from '../run/begin.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { openQuestion } from './open-question.ts'
import type { FolderInHand } from './folder-in-hand.ts'
import { projectFolder } from './project-folder.ts'

/** What a worker needs to work on a session. */
export interface WorkerPorts {
  readonly name: string
  readonly dispatch: Dispatch
  readonly store: SessionStore
  readonly address: StoreAddress
  readonly projects: string
  /** The options of the worker, as those of a run. */
  readonly given: Given
  readonly console: Console
  readonly say: (line: string) => void
}

/** A session in the hands of a worker. */
export interface Hand {
  /** Leaves the session after the step in hand, or cuts that off. */
  readonly pause: (now: boolean) => void
  /** How it ended. Never rejects. */
  readonly ended: Promise<Ended>
}

/** `refused`: this worker cannot work on it, another one may. `lost`: another writer has it, or the database is away. */
type Ended = 'settled' | 'refused' | 'lost'

/** How often the worker reports that it still prepares the session. */
const keepMs = 1_500
/** Between two tries to reach a database that does not answer. */
const pauseMs = 250

/** Works on a session for one shift. */
export function runSession(taken: TakenSession, ports: WorkerPorts): Hand {
  let agent: RuntimeHandle | undefined
  const told = { pause: false, now: false }
  const preparing = new AbortController()
  const pause = (now: boolean) => {
    told.pause = true
    told.now ||= now
    preparing.abort(new Error('the worker was told to end'))
    agent?.pause({ now })
  }
  const onAgent = (one: RuntimeHandle) => void (agent = one)
  return { pause, ended: oneShift(taken, ports, { told, preparing: preparing.signal, onAgent }) }
}

interface Shift {
  readonly told: { readonly pause: boolean; readonly now: boolean }
  /** Aborted when the worker is told to pause. The next worker then prepares the folder anew. */
  readonly preparing: AbortSignal
  readonly onAgent: (agent: RuntimeHandle) => void
}

async function oneShift({ id }: TakenSession, ports: WorkerPorts, shift: Shift): Promise<Ended> {
  const { dispatch, name, say } = ports
  let claim: Claimed
  const keeping = setInterval(() => void dispatch.keep(name, id).catch(() => false), keepMs)
  try {
    claim = await claimed(id, ports, shift.preparing)
  } catch (error) {
    const isTaken = LoaderError.is(error, 'session_busy') || LoaderError.is(error, 'session_not_found')
    const why = isTaken || shift.told.pause ? null : errorText(error)
    if (!isTaken) say(`left ${id}: ${why ?? 'it was not begun'}`)
    await dispatch.leave(name, id, why).catch(() => undefined)
    return isTaken ? 'lost' : 'refused'
  } finally {
    clearInterval(keeping)
  }
  const { agent } = claim
  shift.onAgent(agent)
  try {
    return await worked(claim, ports, shift)
  } catch (error) {
    // The database was away, or another writer has the session: what is open stays in line.
    say(`lost ${id}: ${errorText(error)}`)
    return 'lost'
  } finally {
    await agent.close().catch(() => undefined)
    claim.hand[Symbol.dispose]()
  }
}

interface Claimed {
  readonly agent: RuntimeHandle
  readonly hand: FolderInHand
}

/** The agent with the session claimed, in its folder. */
async function claimed(id: string, ports: WorkerPorts, signal: AbortSignal): Promise<Claimed> {
  const { store, console, say } = ports
  const { state } = await readSession(store, id, { gaps: 'mark' })
  const onProgress = (words: string) => say(`${id}: ${inOneLine(words)}`)
  const hand = await projectFolder(ports.projects, state, { store, console, onProgress, signal })
  try {
    signal.throwIfAborted()
    return { agent: await begun(id, hand.folder, ports), hand }
  } catch (error) {
    hand[Symbol.dispose]()
    throw error
  }
}

async function begun(id: string, folder: string, ports: WorkerPorts): Promise<RuntimeHandle> {
  const { store, address, given, say } = ports
  const console = consoleIn(folder, ports.console)
  const places = placesOf(given, console)
  const onNote = (note: string) => say(`${id}: ${inOneLine(note)}`)
  const result = await begin({
    given,
    console,
    places: { ...places, root: folder },
    piped: '',
    audience: 'user',
    sessionId: id,
    opened: { store, address },
    onNote,
  })
  if (result.kind === 'begun') return result.agent
  throw new LoaderError('invalid_config', 'no model was chosen on this worker: -m provider/id')
}

/** The streams are getters, which a copy would call. */
function consoleIn(folder: string, console: Console): Console {
  return Object.create(console, { folder: { value: folder } }) as Console
}

async function worked({ agent, hand }: Claimed, ports: WorkerPorts, { told }: Shift): Promise<Ended> {
  const { dispatch, name, say } = ports
  const { id } = agent.session
  const epoch = agent.session.state?.epoch ?? 0
  if (!(await dispatch.begin(name, id, epoch))) return 'lost'
  say(`took ${id} in ${hand.folder}`)
  try {
    const ending = agent.shift()
    if (told.pause) agent.pause({ now: told.now })
    const how = await ending
    return await settled(agent, epoch, ports, settlementOf(how, agent.session.state))
  } catch (error) {
    if (isOfStore(error)) return settled(agent, epoch, ports, { kind: 'open', last: false })
    return settled(agent, epoch, ports, { kind: 'failed', reason: inOneLine(errorText(error)) })
  }
}

function settlementOf(how: Awaited<ReturnType<RuntimeHandle['shift']>>, state: SessionState | null): Settlement {
  switch (how) {
    case 'rest':
      return { kind: 'done' }
    case 'turn_ended':
      return (state?.queue.length ?? 0) > 0 ? { kind: 'open', last: true } : { kind: 'done' }
    case 'waiting':
      return { kind: 'waiting', reason: (state && openQuestion(state)?.line) ?? 'an answer is needed' }
    case 'paused':
      return { kind: 'open', last: false }
    default:
      return how satisfies never
  }
}

/** The database ended the work, not the session. */
function isOfStore(error: unknown): boolean {
  return LoaderError.is(error) && /^(storage_|writer_fenced|session_closed)/.test(error.code)
}

/**
 * Records how the session is left. Retries until the database answers, or another writer has the session. Then closes the
 * session, which releases it.
 */
async function settled(agent: RuntimeHandle, epoch: number, ports: WorkerPorts, how: Settlement): Promise<Ended> {
  const { dispatch, say, name } = ports
  const { id } = agent.session
  for (;;) {
    try {
      const isOurs = await dispatch.settle(id, epoch, how)
      say(isOurs ? wordsOf(id, how) : `lost ${id}: another process has it`)
      if (!isOurs) await dispatch.leave(name, id)
      return isOurs ? 'settled' : 'lost'
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

function wordsOf(id: string, how: Settlement): string {
  switch (how.kind) {
    case 'done':
      return `done ${id}`
    case 'open':
      return `gave back ${id}: work is left`
    case 'waiting':
      return `waits ${id}: ${how.reason}`
    case 'failed':
      return `failed ${id}: ${how.reason}`
    default:
      return how satisfies never
  }
}
