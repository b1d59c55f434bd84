/**
 * Keeps a page connected to a session. Pure, so that tests can try every order of events. `step` takes what happened
 * and says what to do; `follow-session.ts` does it.
 *
 * Invariants:
 * 1. Each event is delivered once, in the order of seqs, even if events arrive twice, cut off or with gaps.
 * 2. From the start of an outage until its backlog is delivered, the state says that what is shown is old. Afterwards it
 *    says how long the outage was, and how many events were missed.
 * 3. There is at most one connection: another one is made only after `disconnect`.
 */
export interface Connection {
  readonly phase: Phase
  /** `poll`: each answer has an end, for a proxy that passes on only what is complete. */
  readonly way: 'stream' | 'poll'
  /** The last event that was delivered. */
  readonly after: number
  /** Whether everything that the server has was delivered. */
  readonly isLive: boolean
  /** When something last arrived from the server. */
  readonly heardAt: number
  /** When the current connection was begun. */
  readonly triedAt: number
  /** When the clock was looked at last. */
  readonly lookedAt: number
  /** Attempts to connect since something arrived. */
  readonly tries: number
  /** How many connections in a row brought nothing. */
  readonly silences: number
  /** The current outage. It lasts until its backlog is delivered. */
  readonly outage: Outage | undefined
  /** The last outage that is over. */
  readonly missed: Missed | undefined
  readonly instance: string | undefined
  readonly build: string | undefined
}

type Phase =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly until: number }
  /** The tab is hidden: browsers allow few connections to one host, and other tabs need them. */
  | { readonly kind: 'paused' }
  /** A retry would change nothing. `not_logged_in` goes on after a new login. */
  | { readonly kind: 'ended'; readonly code: string; readonly message: string }

type OutageCause = 'closed' | 'silent' | 'unreachable' | 'asleep'

interface Outage {
  readonly cause: OutageCause
  readonly since: number
  /** How many events of the backlog have arrived. */
  readonly events: number
  /** Whether the server was restarted. */
  readonly restarted: boolean
}

interface Missed extends Outage {
  readonly until: number
}

/** What happens to a connection. */
export type Happening =
  | { readonly kind: 'opened'; readonly instance: string; readonly build: string }
  | { readonly kind: 'event'; readonly seq: number }
  | { readonly kind: 'live' }
  | { readonly kind: 'alive' }
  /** The answer ended, completely or with an error. */
  | { readonly kind: 'closed'; readonly how: 'complete' | 'broken' }
  /** The server refused the request. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'tick' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'visible' }
  /** There is a new key. */
  | { readonly kind: 'logged_in' }

export type Effect =
  | { readonly kind: 'connect'; readonly after: number; readonly way: 'stream' | 'poll' }
  | { readonly kind: 'disconnect' }
  /** Deliver the event that arrived. */
  | { readonly kind: 'deliver' }

export interface Timing {
  /** After this time without data from the server, the connection counts as dead. */
  readonly silentMs: number
  /** The same until the first data, which a server sends at once. */
  readonly openMs: number
  /** The same for an answer that has an end. */
  readonly pollMs: number
  /** If two looks at the clock are this far apart, the machine slept. */
  readonly asleepMs: number
  readonly shortestWaitMs: number
  readonly longestWaitMs: number
}

export const usualTiming: Timing = {
  silentMs: 15_000,
  openMs: 5_000,
  pollMs: 40_000,
  asleepMs: 20_000,
  shortestWaitMs: 300,
  longestWaitMs: 8_000,
}

export interface Moment {
  readonly now: number
  /** From 0 to 1, so that many pages do not come back at once. */
  readonly chance: number
  readonly timing: Timing
}

export type Step = readonly [Connection, readonly Effect[]]

/** The beginning: connect after the last event that is known. */
export function begin(after: number, now: number): Step {
  const connection: Connection = {
    phase: { kind: 'connecting' },
    way: 'stream',
    after,
    isLive: false,
    heardAt: now,
    triedAt: now,
    lookedAt: now,
    tries: 0,
    silences: 0,
    outage: undefined,
    missed: undefined,
    instance: undefined,
    build: undefined,
  }
  return [connection, [{ kind: 'connect', after, way: 'stream' }]]
}

export function step(connection: Connection, happening: Happening, moment: Moment): Step {
  const { phase } = connection
  if (phase.kind === 'ended') {
    return happening.kind === 'logged_in' && phase.code === 'not_logged_in'
      ? connect(connection, moment)
      : stay(connection)
  }
  switch (happening.kind) {
    case 'opened':
      return opened(connection, happening, moment)
    case 'event':
      return received(connection, happening.seq, moment)
    case 'live':
      return isConnected(connection) ? stay(live(connection, moment)) : stay(connection)
    case 'alive':
      return stay(isConnected(connection) ? heard(connection, moment) : connection)
    case 'closed':
      return closed(connection, happening.how, moment)
    case 'refused':
      return refused(connection, happening, moment)
    case 'tick':
      return ticked(connection, moment)
    case 'hidden':
      return isConnected(connection)
        ? [{ ...connection, phase: { kind: 'paused' } }, [{ kind: 'disconnect' }]]
        : [{ ...connection, phase: { kind: 'paused' } }, []]
    case 'visible':
      return phase.kind === 'paused' ? connect(connection, moment) : stay(connection)
    case 'logged_in':
      return phase.kind === 'waiting' ? connect(connection, moment) : stay(connection)
    default:
      return happening satisfies never
  }
}

function stay(connection: Connection): Step {
  return [connection, []]
}

function isConnected({ phase }: Connection): boolean {
  return phase.kind === 'connecting' || phase.kind === 'open'
}

function heard(connection: Connection, { now }: Moment): Connection {
  return { ...connection, heardAt: now, tries: 0, silences: 0 }
}

function opened(
  connection: Connection,
  { instance, build }: { instance: string; build: string },
  moment: Moment,
): Step {
  if (connection.phase.kind !== 'connecting') return stay(connection)
  const { tries, silences } = connection
  // The first message shows that the server is there, but not that a stream gets through to this page.
  return stay({
    ...heard(connection, moment),
    tries,
    silences,
    phase: { kind: 'open' },
    instance,
    build,
    ...restartOf(connection, instance),
  })
}

function restartOf({ instance: before, outage }: Connection, instance: string): Partial<Connection> {
  if (before === undefined || before === instance || outage === undefined) return {}
  return { outage: { ...outage, restarted: true } }
}

function received(connection: Connection, seq: number, moment: Moment): Step {
  if (!isConnected(connection)) return stay(connection)
  const now = heard(connection, moment)
  if (seq <= connection.after) return stay(now)
  // Something between the server and the page has left events out: they are requested again.
  if (seq > connection.after + 1) return reconnect(lost(now, 'closed'), moment)
  const outage = now.outage && { ...now.outage, events: now.outage.events + 1 }
  return [{ ...now, after: seq, outage }, [{ kind: 'deliver' }]]
}

function live(connection: Connection, moment: Moment): Connection {
  const { outage } = connection
  const now = { ...heard(connection, moment), isLive: true, outage: undefined }
  return outage === undefined ? now : { ...now, missed: { ...outage, until: moment.now } }
}

function closed(connection: Connection, how: 'complete' | 'broken', moment: Moment): Step {
  if (!isConnected(connection)) return stay(connection)
  // An answer with an end has ended as it should: the next one follows.
  if (connection.way === 'poll' && how === 'complete' && connection.phase.kind === 'open')
    return connect(connection, moment)
  const cause = connection.phase.kind === 'connecting' ? 'unreachable' : 'closed'
  return wait(lost(connection, cause), moment)
}

function refused(connection: Connection, { code, message }: { code: string; message: string }, moment: Moment): Step {
  const ended: Connection = { ...connection, isLive: false, phase: { kind: 'ended', code, message } }
  switch (code) {
    case 'too_many':
    case 'failed':
    // The database is unreachable for now: try again.
    case 'storage_refused':
    case 'storage_uncertain':
      return isConnected(connection) ? wait(lost(connection, 'closed'), moment) : stay(connection)
    case 'not_logged_in':
      return stay({ ...lost(connection, 'closed'), phase: ended.phase })
    default:
      return stay(ended)
  }
}

function ticked(connection: Connection, moment: Moment): Step {
  const { phase, lookedAt } = connection
  const { now, timing } = moment
  const looked = { ...connection, lookedAt: now }
  if (phase.kind === 'paused') return stay(looked)
  if (now - lookedAt >= timing.asleepMs) {
    return reconnect(lost({ ...looked, heardAt: Math.min(connection.heardAt, lookedAt) }, 'asleep'), moment)
  }
  if (phase.kind === 'waiting') return now >= phase.until ? connect(looked, moment) : stay(looked)
  return isOverdue(looked, moment) ? silent(looked, moment) : stay(looked)
}

function isOverdue({ phase, way, heardAt, triedAt }: Connection, { now, timing }: Moment): boolean {
  const waited = now - Math.max(heardAt, triedAt)
  if (way === 'poll') return waited >= timing.pollMs
  return waited >= (phase.kind === 'connecting' ? timing.openMs : timing.silentMs)
}

/**
 * The connection brought nothing. After two silent streams, the cause is probably a proxy that holds streams back, so the
 * next request is a poll. If that is silent as well, the cause is the server, and streams are tried again.
 */
function silent(connection: Connection, moment: Moment): Step {
  const silences = connection.silences + 1
  const way = connection.way === 'poll' ? 'stream' : silences >= mostSilences ? 'poll' : 'stream'
  return reconnect({ ...lost(connection, 'silent'), silences: way === 'poll' ? 0 : silences, way }, moment)
}

const mostSilences = 2

function lost(connection: Connection, cause: OutageCause): Connection {
  const outage = connection.outage ?? { cause, since: connection.heardAt, events: 0, restarted: false }
  return { ...connection, isLive: false, outage }
}

function reconnect(connection: Connection, moment: Moment): Step {
  const [next, effects] = connect(connection, moment)
  return [next, isConnected(connection) ? [{ kind: 'disconnect' }, ...effects] : effects]
}

function connect(connection: Connection, { now }: Moment): Step {
  const { after, way } = connection
  return [{ ...connection, phase: { kind: 'connecting' }, triedAt: now }, [{ kind: 'connect', after, way }]]
}

/** Waits longer after each attempt, by a random part, so that pages do not return all at once. */
function wait(connection: Connection, { now, chance, timing }: Moment): Step {
  const longest = Math.min(timing.longestWaitMs, timing.shortestWaitMs * 2 ** connection.tries)
  const until = now + longest * (0.5 + chance / 2)
  return stay({ ...connection, phase: { kind: 'waiting', until }, tries: connection.tries + 1 })
}
