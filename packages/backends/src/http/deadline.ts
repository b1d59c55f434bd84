import type { Signal } from '@loader/session-core'

/** A signal that aborts with this reason after a time. It does not keep the process alive. */
export function deadline(milliseconds: number, reason: () => unknown): Signal {
  const over = new AbortController()
  setTimeout(() => over.abort(reason()), milliseconds).unref()
  return over.signal
}
