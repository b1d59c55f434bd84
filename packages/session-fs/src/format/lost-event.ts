import type { SeqRange } from '@loader/session-core'

/** A range of events that cannot be read, and what the files tell of it. */
export interface LostRange extends SeqRange {
  /** Damaged bytes that stand where they were; undefined when that is not known. */
  readonly bytes?: number | undefined
}

/** The events that stand in for those that are lost, as they are written. The time is that of the event before. */
export function* lostEvents(id: string, { first, last, bytes }: LostRange, at: string): Generator<string> {
  for (let seq = first; seq <= last; seq += 1) {
    const more = { ...(seq === first && bytes !== undefined && { bytes }), ...(seq === 1 && { id }) }
    yield JSON.stringify({ type: 'event.lost', seq, at, first, last, ...more })
  }
}

/** When an event was recorded, as it is written. */
export function timeOf(json: string): string {
  const match = /^\{"type":"[^"]*","seq":\d+,"at":"([^"]*)"/.exec(json)
  return match?.[1] ?? (JSON.parse(json) as { at: string }).at
}

/** Stands where no event around a gap tells the time. */
export const unknownTime = '1970-01-01T00:00:00.000Z'
