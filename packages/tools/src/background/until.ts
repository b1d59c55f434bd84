import type { Signal } from '@loader/session-core'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 25

/** Waits until something is so, for a limited time. Processes of others tell of themselves by files only. */
export async function untilSo(
  isSo: () => boolean,
  { ms, signal }: { readonly ms: number; readonly signal?: Signal | undefined },
): Promise<'so' | 'timed_out' | 'cancelled'> {
  const deadline = performance.now() + ms
  for (;;) {
    if (isSo()) return 'so'
    if (signal?.aborted) return 'cancelled'
    if (performance.now() >= deadline) return 'timed_out'
    await sleep(Math.min(pollMs, Math.max(1, deadline - performance.now())))
  }
}
