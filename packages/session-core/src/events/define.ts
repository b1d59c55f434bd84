import * as z from 'zod'
import { Timestamp } from '../words/time.ts'

const seq = z.int().min(1).describe('place in the session, counted from 1 without gaps')
const at = Timestamp.describe('when it happened, by the clock of the writer')

/** The schema of one kind of event. What is not named here survives reading and writing untouched. */
export function defineEvent<const Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  meaning: string,
  shape: Shape,
) {
  return z.object({ type: z.literal(type), seq, at, ...shape }).describe(meaning)
}
