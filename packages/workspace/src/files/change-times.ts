/**
 * Change times go on in steps, of 20 ms at most where people work: what was changed within the latest step can change again
 * without another time, and what is changed right after a moment can carry a time from before it.
 */
export const tickMs = 20

/** Whether something with this change time may change once more without another one. */
export function mayChangeUnseen({ ctimeNs }: { readonly ctimeNs: bigint }, nowMs = Date.now()): boolean {
  return BigInt(nowMs - tickMs) * 1_000_000n < ctimeNs
}
