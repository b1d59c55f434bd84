/**
 * How a page stays with a session: pure, so that every order of what can happen can be tried. `step` takes what happened
 * and says what to do; `follow-session.ts` does it.
 *
 * Invariants:
 * 1. An event is given on once, in the order of seqs, whatever is sent twice, cut off or left out.
 * 2. From an outage to the moment the backlog is through, the state says that what is shown is old; then how long the
 *    outage was, and how many events came of it.
 * 3. There is at most one connection: another one is made only after `disconnect`.
 */
export interface Connection {
  readonly phase: Phase
  /** `poll`: each answer has an end, for a proxy that passes on only what is complete. */
  readonly way: 'stream' | 'poll'
  /** The last event that was given on. */
  readonly after: number
  /** Whether everything that the server has was given on. */
  readonly isLive: boolean
  /** When something was last heard of the server. */
  readonly heardAt: number
  /** When the connection was made that is there now, or is being made. */
  readonly triedAt: number
  /** When the clock was looked at last. */
  readonly lookedAt: number
  /** Tries since something was heard. */
  readonly tries: number
  /** Connections in a row that were open, and in which nothing came. */
  readonly silences: number
  /** The outage that is still going on, or whose backlog is not through. */
  readonly outage: Outage | undefined
  /** The last one that is over. */
  readonly missed: Missed | undefined
  readonly instance: string | undefined
  readonly build: string | undefined
}

type Phase =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly until: number }
  /** Nobody looks: browsers allow few connections to one host, and other tabs need them. */
  | { readonly kind: 'paused' }
  /** Asking again would change nothing. `not_logged_in` goes on after a new login. */
  | { readonly kind: 'ended'; readonly code: string; readonly message: string }

type OutageCause = 'closed' | 'silent' | 'unreachable' | 'asleep'

interface Outage {
  readonly cause: OutageCause
  readonly since: number
  /** How many events have come since, of those that happened meanwhile. */
  readonly events: number
  /** Whether another start of the server answers. */
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
  /** The answer ended: by its end, or by an error. */
  | { readonly kind: 'closed'; readonly how: 'complete' | 'broken' }
  /** The server has answered that it will not. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'tick' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'visible' }
  /** There is a new key. */
  | { readonly kind: 'logged_in' }

export type Effect =
  | { readonly kind: 'connect'; readonly after: number; readonly way: 'stream' | 'poll' }
  | { readonly kind: 'disconnect' }
  /** Give on the event that happened. */
  | { readonly kind: 'deliver' }

export interface Timing {
  /** After this time without a word from the server, the connection is taken for dead. */
  readonly silentMs: number
  /** The same until the first word, which a server says at once. */
  readonly openMs: number
  /** The same for an answer that has an end. */
  readonly pollMs: number
  /** A clock that was not looked at for so long belongs to a machine that slept. */
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
  // A word at the beginning shows that the server is there, and not yet that what follows comes through.
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
  // Something between here and there has left events out: they are asked for again.
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
    // A database that is away comes back.
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
 * Connected, and not a word. A stream that is opened and stays silent twice is held back by something on the way, so the
 * next one is an answer with an end; if that is silent as well, it is the server.
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

/** Longer after each try, and never the same for two pages. */
function wait(connection: Connection, { now, chance, timing }: Moment): Step {
  const longest = Math.min(timing.longestWaitMs, timing.shortestWaitMs * 2 ** connection.tries)
  const until = now + longest * (0.5 + chance / 2)
  return stay({ ...connection, phase: { kind: 'waiting', until }, tries: connection.tries + 1 })
}
