import { isSessionEvent, type StoredEvent, type WatchItem } from '@loader/session-core'
import type { Database } from '../database/database.ts'
import { storageError } from '../database/failure.ts'
import type { Time } from '../database/time.ts'
import { standingAt } from './claim.ts'
import type { RowPlace } from '../stored/place.ts'
import { notFound } from '../stored/presence.ts'
import { eventsBetween } from '../stored/read.ts'

export interface WatchedSession {
  readonly database: Database
  readonly place: RowPlace
  readonly id: string
  /** How long to wait before looking again. */
  readonly pollMs: number
  readonly time: Time
  /** Calls back when there may be something new, until what it returns is called. A hint, and no more. */
  readonly onHint: (tell: () => void) => () => void
}

/**
 * The events of a session as they come, from any writer. Reading from a seq is the truth: each event is shown once,
 * in order, however many hints were lost.
 */
export function watchSession(
  watched: WatchedSession,
  fromSeq: number,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<WatchItem> {
  let isStopped = signal?.aborted ?? false
  let wake = () => {}
  const stop = () => {
    isStopped = true
    wake()
  }
  const pause = () =>
    new Promise<void>((resolve) => {
      const stopWaiting = watched.time.after(watched.pollMs, resolve)
      wake = () => {
        stopWaiting()
        resolve()
      }
    })
  const items = (async function* () {
    const forget = watched.onHint(() => wake())
    signal?.addEventListener('abort', stop)
    try {
      let next = Math.max(fromSeq, 1)
      let last: StoredEvent | undefined
      let sessionEpoch: number | undefined
      while (!isStopped) {
        // Asked for before looking, so that a hint which comes meanwhile is not lost.
        const paused = pause()
        const standing = await standingAt(watched.database, watched.place)
        // Under the name of a session that was deleted another one may lie, whose claims begin anew.
        if (standing === undefined || standing.headSeq === 0 || standing.epoch < (sessionEpoch ?? 0)) {
          throw notFound(watched.id)
        }
        sessionEpoch = standing.epoch
        if (last !== undefined && standing.headSeq < last.seq) throw notFound(watched.id)
        if (standing.headSeq < next) {
          await paused
          continue
        }
        wake()
        for await (const event of eventsBetween(watched.database, watched.place, {
          first: last?.seq ?? next,
          last: standing.headSeq,
        })) {
          if (event.seq === last?.seq) {
            // A backup in the place of the database has grown further: another history behind the same name.
            if (JSON.stringify(event) !== JSON.stringify(last)) throw notFound(watched.id)
            continue
          }
          const epoch = epochOf(event)
          if (epoch !== undefined && epoch !== 1) yield { kind: 'writer_changed', epoch } as const
          if (isStopped) return
          next += 1
          last = event
          yield { kind: 'event', event } as const
          if (isStopped) return
        }
      }
    } catch (error) {
      throw storageError(error, `watch session ${watched.id}`, { reads: true })
    } finally {
      signal?.removeEventListener('abort', stop)
      forget()
    }
  })()
  return {
    next: () => items.next(),
    return() {
      stop()
      return items.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function epochOf(event: StoredEvent): number | undefined {
  return isSessionEvent(event) && event.type === 'session.claimed' ? event.epoch : undefined
}
