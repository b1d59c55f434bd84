import { setTimeout as passed } from 'node:timers/promises'
import type { ListAnswer, ListChange, ListRequest } from '../../protocol.ts'
import { aliveMs } from '../../protocol.ts'
import type { ServedSessions } from '../ports/served-sessions.ts'
import { aliveFrame, frame } from './frames.ts'

const lookEveryMs = 1_000
/** A look may take this part of the time, however many sessions there are. */
const busyPart = 1 / 20

/** The first page of a list, and then what changes in it. */
export async function* listFrames(
  sessions: Pick<ServedSessions, 'list'>,
  query: ListRequest,
  signal: AbortSignal,
  lookMs = lookEveryMs,
): AsyncGenerator<string> {
  let { answer: shown, tookMs } = await timed(sessions, query)
  yield frame(shown, { name: 'rows' })
  for (let quietMs = 0; ;) {
    const waited = Math.min(Math.max(lookMs, tookMs / busyPart), aliveMs)
    if (!(await waitedFor(waited, signal))) return
    const { answer: now, ...took } = await timed(sessions, query)
    tookMs = took.tookMs
    const change = changeBetween(shown, now)
    shown = now
    quietMs = change === undefined ? quietMs + waited : 0
    if (change !== undefined) yield frame(change, { name: 'changed' })
    else if (quietMs >= aliveMs) {
      quietMs = 0
      yield aliveFrame()
    }
  }
}

/** What a page has to hear; undefined for nothing. */
function changeBetween(before: ListAnswer, now: ListAnswer): ListChange | undefined {
  const old = new Map(before.sessions.map((row) => [row.id, JSON.stringify(row)]))
  const changed = now.sessions.filter((row) => old.get(row.id) !== JSON.stringify(row))
  const still = new Set(now.sessions.map(({ id }) => id))
  const gone = [...old.keys()].filter((id) => !still.has(id))
  const waits = JSON.stringify(before.waiting) !== JSON.stringify(now.waiting)
  if (changed.length === 0 && gone.length === 0 && before.total === now.total && !waits) return undefined
  return {
    changed,
    gone,
    ...(now.total !== undefined && { total: now.total }),
    ...(waits && { waiting: now.waiting ?? {} }),
  }
}

async function timed(sessions: Pick<ServedSessions, 'list'>, query: ListRequest) {
  const began = performance.now()
  const answer = await sessions.list(query)
  return { answer, tookMs: performance.now() - began }
}

async function waitedFor(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await passed(ms, undefined, { signal })
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    return false
  }
}
