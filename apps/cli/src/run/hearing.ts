import type { RuntimeHandle } from '@loader/agent'
import { LoaderError } from '@loader/session-core'

/** How often the inbox of the session is read. */
const everyMs = 150

export interface HearingOptions {
  /** Called when a message was recorded. */
  readonly onMessage?: () => void
  /**
   * Called when the inbox could not be read for some seconds, and with null when it can be read again. A database that is
   * away for a moment is not reported: writes wait for it as well.
   */
  readonly onError?: (error: unknown) => void
}

/** How many failures in a row are needed before `onError` is called. */
const failures = 20

/** Takes what others leave for the session of an agent, from now on until it is stopped. It keeps no process alive. */
export function hearing(
  agent: Pick<RuntimeHandle, 'takeMessages'>,
  { onMessage, onError }: HearingOptions = {},
): { stop(): void } {
  let isTaking = false
  let failed = 0
  const take = async () => {
    if (isTaking) return
    isTaking = true
    try {
      const taken = await agent.takeMessages()
      if (failed >= failures) onError?.(null)
      failed = 0
      if (taken > 0) onMessage?.()
    } catch (error) {
      // The session may be lost or closed meanwhile. The code that runs it gets its own error.
      if (LoaderError.is(error, 'session_closed')) return
      failed += 1
      if (failed === failures) onError?.(error)
    } finally {
      isTaking = false
    }
  }
  const timer = setInterval(() => void take(), everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
