import { begin, type Connection, type Effect, type Happening, step, usualTiming } from './connection.ts'

/** How one kind of connection is made. `tell` may be called until the signal aborts. */
export type Open = (
  wanted: { readonly after: number; readonly way: 'stream' | 'poll' },
  tell: (happening: Happening, deliver?: () => void) => void,
  signal: AbortSignal,
) => Promise<void>

export interface KeepOptions {
  readonly after: number
  readonly open: Open
  /** Whether it goes on while the page is hidden. */
  readonly staysHidden?: boolean | undefined
  /** Called at every change that a person might see. */
  readonly onConnection: (connection: Connection) => void
}

const tickMs = 1_000
/** A tab that is hidden for less than this keeps its connection. */
const hiddenMs = 20_000

/** Performs the effects of `step`, until it is stopped. */
export function keepConnected({ after, open, staysHidden = false, onConnection }: KeepOptions): () => void {
  let stop = new AbortController()
  let [connection, effects] = begin(after, Date.now())
  const happened = (happening: Happening, deliver?: () => void) => {
    const before = connection
    const moment = { now: Date.now(), chance: Math.random(), timing: usualTiming }
    ;[connection, effects] = step(connection, happening, moment)
    perform(effects, deliver)
    if (isSeen(before, connection)) onConnection(connection)
  }
  const perform = (wanted: readonly Effect[], deliver?: () => void) => {
    for (const effect of wanted) {
      if (effect.kind === 'deliver') deliver?.()
      else if (effect.kind === 'disconnect') stop.abort()
      else connect(effect)
    }
  }
  const connect = (wanted: { readonly after: number; readonly way: 'stream' | 'poll' }) => {
    const mine = (stop = new AbortController())
    const tell: typeof happened = (happening, deliver) => {
      if (!mine.signal.aborted) happened(happening, deliver)
    }
    void open(wanted, tell, mine.signal).then(
      () => tell({ kind: 'closed', how: 'complete' }),
      () => tell({ kind: 'closed', how: 'broken' }),
    )
  }
  perform(effects)
  onConnection(connection)
  const stopWatching = watchPage(happened, staysHidden)
  return () => {
    stopWatching()
    stop.abort()
  }
}

/** The clock, the tab, and other tabs that log in. */
function watchPage(happened: (happening: Happening) => void, staysHidden: boolean): () => void {
  const ticking = setInterval(() => happened({ kind: 'tick' }), tickMs)
  let hiding: ReturnType<typeof setTimeout> | undefined
  const looked = () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'visible') happened({ kind: 'visible' })
    else if (!staysHidden) hiding = setTimeout(() => happened({ kind: 'hidden' }), hiddenMs)
  }
  const online = () => happened({ kind: 'tick' })
  const stored = () => happened({ kind: 'logged_in' })
  document.addEventListener('visibilitychange', looked)
  window.addEventListener('online', online)
  window.addEventListener('storage', stored)
  window.addEventListener('loader-login', stored)
  return () => {
    clearInterval(ticking)
    clearTimeout(hiding)
    document.removeEventListener('visibilitychange', looked)
    window.removeEventListener('online', online)
    window.removeEventListener('storage', stored)
    window.removeEventListener('loader-login', stored)
  }
}

function isSeen(before: Connection, now: Connection): boolean {
  return (
    before.phase.kind !== now.phase.kind ||
    before.isLive !== now.isLive ||
    before.way !== now.way ||
    before.build !== now.build ||
    (before.outage === undefined) !== (now.outage === undefined) ||
    before.missed !== now.missed
  )
}
