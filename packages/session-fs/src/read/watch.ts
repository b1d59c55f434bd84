import { setTimeout as sleep } from 'node:timers/promises'
import type { Signal, WatchItem, WatchOptions } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { unreadable } from '../disk/file-errors.ts'
import type { Layout } from '../format/layout.ts'
import { DurableLog, type Told } from './durable-log.ts'

/** How often `watch` looks at the files again. */
export interface FileWatchOptions extends WatchOptions {
  /** How long to wait before looking again. */
  readonly intervalMs?: number
  /** Resolves after that time, or when the signal says so. */
  readonly wait?: (ms: number, signal: Signal) => Promise<void>
}

/** A look costs a few calls while nothing changes; after this time everything is read anyway. */
const readAnywayMs = 1000

/**
 * Follows a session. It ends when the consumer stops or the signal says so, and nothing is left running then, not even
 * when it is stopped while it waits.
 */
export function watchFiles(
  disk: Disk,
  layout: Layout,
  id: string,
  fromSeq: number,
  requireThere: () => Told,
  { signal, ...options }: FileWatchOptions,
): AsyncIterableIterator<WatchItem> {
  const stop = new AbortController()
  const signals = signal === undefined ? [stop.signal] : [stop.signal, signal]
  const items = follow(disk, layout, id, fromSeq, requireThere, { ...options, signal: AbortSignal.any(signals) })
  return {
    next: () => items.next(),
    return() {
      stop.abort()
      return items.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function* follow(
  disk: Disk,
  layout: Layout,
  id: string,
  fromSeq: number,
  requireThere: () => Told,
  { signal, intervalMs = 100, wait = waitFor }: FileWatchOptions & { readonly signal: Signal },
): AsyncGenerator<WatchItem, undefined> {
  try {
    let told = requireThere()
    const log = new DurableLog(disk, layout, id, fromSeq)
    let unread = 2
    let seen = ''
    for (let idle = 0; !signal.aborted; idle += Math.max(1, intervalMs)) {
      const facts = factsOf(disk, layout, told.epoch)
      // A change within the same tick of the file system's clock shows only at the look after it.
      if (facts !== seen) unread = 2
      if (unread > 0 || idle >= readAnywayMs) {
        told = requireThere()
        for (const item of log.read(told)) {
          yield item
          if (signal.aborted) return
        }
        idle = 0
        unread -= 1
        seen = facts
      }
      await wait(intervalMs, signal)
    }
  } catch (error) {
    throw unreadable(error, `watch session ${id}`, layout.journal)
  }
}

/** What changes whenever the session does, or what its writer says of it. */
function factsOf(disk: Disk, layout: Layout, epoch: number): string {
  return [layout.journal, layout.snapshot, layout.lock(epoch)]
    .map((path) => disk.fs.statSync(path, { throwIfNoEntry: false }))
    .map((facts) => (facts === undefined ? '' : `${facts.ino} ${facts.size} ${facts.mtimeMs}`))
    .join(', ')
}

async function waitFor(ms: number, signal: Signal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
