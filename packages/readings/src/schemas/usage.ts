import { type Immutable, Totals } from '@loader/session-core'
import * as z from 'zod'
import { SessionName } from './session.ts'

/** The usage of one turn. */
export const UsedTurn = z.object({
  turnId: z.string(),
  input: z.string().describe('the words that began it, or their beginning'),
  startedAt: z.string(),
  finishedAt: z.string().nullable().describe('null while it is under way'),
  reason: z.string().nullable().describe('why it ended'),
  usage: Totals,
})
export type UsedTurn = Immutable<z.infer<typeof UsedTurn>>

/** Tokens by turn and by model, as `loader usage --json` prints them. */
export const UsageOutput = z
  .object({
    session: SessionName,
    turns: z.array(UsedTurn).describe('in order; the last one may be under way'),
    models: z.array(z.object({ model: z.string(), usage: Totals })).describe('by the model that answered'),
    total: Totals.check(z.describe('of the session; what a fork has copied is counted where it was used')),
    agents: z
      .object({
        sessions: z
          .array(
            z.object({
              id: z.string(),
              title: z.string(),
              standing: z.enum(['working', 'finished', 'failed', 'stopped', 'unknown']),
              usage: z.nullable(Totals).describe('with that of its own agents; null until its end is recorded'),
            }),
          )
          .describe('in the order in which they got their tasks'),
        usage: z.nullable(Totals).describe('of all that finished, with their own children; not in `total`'),
        all: Totals.check(z.describe('`total` and `usage` together')),
        notKnown: z.int().describe('agents whose usage is not known yet; if there are any, more was used than `all`'),
      })
      .optional()
      .describe('child sessions; absent for none'),
  })
  .describe('loader usage --json')
export type UsageOutput = Immutable<z.infer<typeof UsageOutput>>
