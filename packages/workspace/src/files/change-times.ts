/**
 * The longest step of the clock behind change times: 20 ms on common systems. A file changed within the latest step can
 * change again without a new time, and a change right after a moment can carry a time before it.
 */
export const tickMs = 20

/** Whether a file with this change time may change again while its change time stays the same. */
export function mayChangeUnseen({ ctimeNs }: { readonly ctimeNs: bigint }, nowMs = Date.now()): boolean {
  return BigInt(nowMs - tickMs) * 1_000_000n < ctimeNs
}
