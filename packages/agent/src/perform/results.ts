import type { Immutable } from '@loader/session-core'
import { RoomOutcome } from '@loader/session-core/coding'
import * as z from 'zod'

/** What is kept of a run for the rooms that come after it. */
const Results = z.object({ outcome: RoomOutcome, told: z.string() })
export type Results = Immutable<z.infer<typeof Results>>

const nothing: Results = { outcome: { kind: 'not_shown', why: 'not_tried' }, told: '' }

/** What cannot be read was not tried. */
export function readResults(text: string): Results {
  try {
    return Results.safeParse(JSON.parse(text)).data ?? nothing
  } catch (error) {
    if (error instanceof SyntaxError) return nothing
    throw error
  }
}
