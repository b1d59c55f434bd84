import type { Loss, SeqRange } from '@loader/session-core'
import type { Everything } from './read-everything.ts'
import { describeRange, missingBetween } from '../format/seq-ranges.ts'

/** The events that are not in a copy which goes on from `keptSeq`. */
export function lostEvents(
  { events, acknowledged, faults }: Everything,
  keptSeq: number,
  refusal: string | undefined,
): Loss[] {
  const last = [...events.keys()].reduce((highest, seq) => Math.max(highest, seq), acknowledged)
  const below = missingBetween(1, keptSeq, (seq) => events.has(seq)).map((range) => ({
    what: describeRange(range),
    why: `They cannot be read. ${causeOf(range, faults)}The state after them was saved, and goes on.`,
  }))
  const missing = missingBetween(1, last, (seq) => seq <= keptSeq || events.has(seq))
  const behind = missingBetween(1, last, (seq) => seq <= keptSeq || !events.has(seq))
  return [
    ...below,
    ...missing.map((range) => lostBehind(range, acknowledged, faults)),
    ...behind.map((range) => cutOff(range, keptSeq, refusal)),
  ]
}

function lostBehind(range: SeqRange, acknowledged: number, faults: Everything['faults']): Loss {
  const what = describeRange(range)
  if (range.first > acknowledged) return { what, why: 'They were being written, and nobody was told that they were.' }
  return { what, why: `They cannot be read, and no saved state covers them. ${causeOf(range, faults)}`.trimEnd() }
}

/** Events that check, behind something that cannot be passed over. */
function cutOff(range: SeqRange, keptSeq: number, refusal: string | undefined): Loss {
  const reason = refusal ?? `Event ${keptSeq + 1} before them cannot be read.`
  const where = `The original still shows them, reading from ${range.first} on.`
  return { what: describeRange(range), why: `They are intact, but cannot follow. ${reason} ${where}` }
}

function causeOf({ first, last }: SeqRange, faults: Everything['faults']): string {
  const causes = faults
    .filter((fault) => fault.first <= last && fault.last >= first)
    .map(({ message }) => `${message} `)
  return causes.join('')
}
