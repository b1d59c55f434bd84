import { LoaderError, withCapability } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { ActRefused, type Standing } from '@loader/web/server'
import { writerOf } from '../../sessions/writer-of.ts'
import type { Located } from '../sessions/located.ts'
import { type Desk, found, wantedOf } from './desk.ts'

/** How long an act waits for the process that has the session. */
const takenWithinMs = 5_000
const lookMs = 50
/** How often to check whether this process has to carry out a message after all. */
const lookAgainMs = 1_000

/** What became of a message. */
export type Delivered = 'recorded' | 'obsolete' | 'delivered'

/**
 * Delivers a message to the process that has the session: directly if that is this process, else through the inbox. If no
 * process has the session, a runner is started for it here.
 */
export async function deliver(message: InboxMessage, session: Located, desk: Desk): Promise<Delivered> {
  const { runners } = desk
  const here = await runners.alone(session.id, async () => {
    if (runners.has(session.id) === undefined && (await heldElsewhere(session)) !== null) return undefined
    if (message.kind === 'stop' && runners.has(session.id) === undefined) return 'obsolete' as const
    // Stopping takes as long as the step in hand.
    const taken = await runners.hear(await wantedOf(session, desk), message)
    return taken === 'repeated' ? 'recorded' : taken
  })
  if (here !== undefined) return here
  return throughInbox(message, session, desk)
}

async function throughInbox(message: InboxMessage, session: Located, desk: Desk): Promise<Delivered> {
  const { store, id } = session
  // Workers do not read inboxes: a worker gives back a session that waits, and its answer goes through the line.
  if (await desk.line?.has(id)) throw heldByOther((await heldElsewhere(session)) ?? 'in line for a worker')
  await withCapability(store, 'inbox').inbox(id).put(message)
  void untilTaken(message, session, desk)
  const followed = desk.standings.followed(session)
  // The order matters: a message is removed from the inbox only after it is in the log.
  const isOver = async () => {
    const waits = await isIn(message, session)
    await followed.now()
    if (followed.hasHeard(message.id)) return 'recorded'
    return waits ? undefined : 'obsolete'
  }
  for (let waited = 0; waited < takenWithinMs; waited += lookMs) {
    const over = await isOver().catch(unlessPassing)
    if (over !== undefined) return over
    await passed(lookMs)
  }
  return 'delivered'
}

/** The process that has the session may leave without taking the message. Then it is carried out here. */
async function untilTaken(message: InboxMessage, session: Located, desk: Desk): Promise<void> {
  const isFree = async () => (await heldElsewhere(session)) === null && !(await desk.line?.has(session.id))
  const isDone = async () => {
    await passed(lookAgainMs)
    if (!(await isIn(message, session))) return true
    if (!(await isFree())) return false
    await goOn(session, desk)
    return true
  }
  try {
    while ((await isDone().catch(unlessPassing)) !== true);
  } catch {
    // The session was deleted, or cannot be begun here: the page shows the message as one that was not delivered.
  }
}

/** Errors that pass: the database is away for a moment, or another process was faster. */
const passing: readonly unknown[] = ['storage_refused', 'storage_uncertain', 'session_busy', 'writer_fenced']

function unlessPassing(error: unknown): undefined {
  if (!LoaderError.is(error) || !passing.includes(error.code)) throw error
}

/** Takes the messages in the inbox of a free session, and continues the session. `isWished`: a person has asked for that. */
export function goOn(
  { id }: Pick<Located, 'id'>,
  desk: Desk,
  wish: { readonly isWished?: boolean } = {},
): Promise<void> {
  return desk.runners.alone(id, async () => {
    const runner = await desk.runners.of(await wantedOf(await found(id, desk), desk))
    runner.go(wish)
  })
}

async function isIn({ id }: InboxMessage, { store, id: session }: Located): Promise<boolean> {
  const messages = await withCapability(store, 'inbox').inbox(session).messages()
  return messages.some((message) => message.id === id)
}

/** Which other process has the session, in words; null if none has. */
async function heldElsewhere({ id, store }: Located): Promise<string | null> {
  return writerOf(store, id)
}

/** The refusal of what only the process that has the session could do. */
function heldByOther(words: string): ActRefused {
  return new ActRefused('busy', `The session is ${words}. Do it there, or leave the session there first.`)
}

/** Refuses where another process has the session. */
export async function requireFree(session: Located): Promise<void> {
  const words = await heldElsewhere(session)
  if (words !== null) throw heldByOther(words)
}

/** Refuses while a turn is worked on. */
export function requireRest({ phase }: Pick<Standing, 'phase'>): void {
  if (phase !== 'running' && phase !== 'waiting') return
  throw new ActRefused('turn_running', 'A turn is running. Queue words for it, wait for its end, or stop it.')
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
