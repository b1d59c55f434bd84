import type { RuntimeHandle } from '@loader/agent'
import { LoaderError } from '@loader/session-core'

/** How often it is looked whether others have left something for whoever has the session. */
const everyMs = 150

export interface HearingOptions {
  /** Told when something was recorded. */
  readonly onMessage?: () => void
  /**
   * Told when the inbox could not be read for some seconds, and with null when it can be again. A database that is away for a
   * moment is nothing to tell: whatever is to be written waits for it as well.
   */
  readonly onError?: (error: unknown) => void
}

/** So often in a row it fails before that is told. */
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
      // The session may be lost or be closed meanwhile: whoever runs it hears that for itself.
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
