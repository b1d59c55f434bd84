import type { Loss, SeqRange } from '@loader/session-core'
import { describeRange } from '../format/seq-ranges.ts'
import type { Everything } from './read-everything.ts'

/** An event that is as it was written, and cannot follow those before it. */
export interface Refused {
  readonly seq: number
  readonly why: string
}

/** What a salvaged copy lacks, with the reasons. `savedAt` is the seq of the saved state, if the copy starts from it. */
export function lossesOf(
  { faults, events }: Everything,
  {
    missing,
    refused,
    last,
    savedAt,
  }: {
    readonly missing: readonly SeqRange[]
    readonly refused: readonly Refused[]
    readonly last: number
    readonly savedAt: number
  },
): Loss[] {
  const rest = [...events.keys()].reduce((highest, seq) => Math.max(highest, seq), last)
  return [
    ...missing.map((range) => ({
      what: describeRange(range),
      why: `${range.first === range.last ? 'It' : 'They'} cannot be read. ${causeOf(range, faults)}${consequence(range, savedAt)}`,
    })),
    ...refused.map(({ seq, why }) => ({
      what: `event ${seq}`,
      why: `It is as it was written, but cannot follow. ${why} ${consequence({ first: seq, last: seq }, savedAt)}`,
    })),
    ...(rest > last
      ? [
          {
            what: describeRange({ first: last + 1, last: rest }),
            why: 'They were being written, and not acknowledged.',
          },
        ]
      : []),
  ]
}

function consequence({ last }: SeqRange, savedAt: number): string {
  return last <= savedAt ? 'The state after that was saved, and goes on.' : 'What happened there counts as unknown.'
}

function causeOf({ first, last }: SeqRange, faults: Everything['faults']): string {
  const causes = faults
    .filter((fault) => fault.first <= last && fault.last >= first)
    .map(({ message }) => `${message} `)
  return causes.join('')
}
