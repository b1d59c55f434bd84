import type { History, StoredEvent } from '@loader/session-core'
import type { Source } from './source.ts'

/** One read at a time: a browser opens few connections to a server, and the page needs others to follow sessions. */
let last: Promise<unknown> = Promise.resolve()

/** The events of a session as they are now. It rejects with what the server says where it cannot be read. */
export function readOnce(source: Source, id: string, signal: AbortSignal): Promise<History> {
  const reading = last.then(() => read(source, id, signal))
  last = reading.catch(() => undefined)
  return reading
}

function read(source: Source, id: string, signal: AbortSignal): Promise<History> {
  return new Promise((resolve, reject) => {
    const history: StoredEvent[] = []
    if (signal.aborted) return reject(signal.reason)
    const stop = source.follow(id, 0, {
      events: (events) => history.push(...events),
      connection({ isLive, phase }) {
        if (phase.kind === 'ended') end(() => reject(new Error(phase.message)))
        else if (isLive) end(() => resolve(history))
      },
    })
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort)
    function end(settle: () => void): void {
      signal.removeEventListener('abort', abort)
      settle()
      // It may be told of while it begins.
      queueMicrotask(() => stop())
    }
  })
}
