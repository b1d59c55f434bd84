import { type Immutable, Phase } from '@loader/session-core'
import { CompletionTraceEntry, Verdict } from '@loader/session-core/coding'
import * as z from 'zod'
import { JudgedCriterion } from './evidence.ts'
import { SessionName } from './session.ts'

/** Why the last turn ended, or what the open one waits for, as `loader why --json` prints it. */
export const WhyOutput = z
  .object({
    session: SessionName,
    situation: z
      .enum(['nothing_yet', 'ended', 'open'])
      .describe('whether a turn is under way, or the last one has ended'),
    turn: z
      .object({
        id: z.string(),
        input: z.string().describe('the words that began it, or their beginning'),
        startedAt: z.string(),
        finishedAt: z.string().nullable(),
        phase: z.nullable(Phase).describe('null when it has ended'),
        reason: z.string().nullable(),
        verdict: z.nullable(Verdict),
      })
      .nullable(),
    writer: z.string().nullable().describe('who holds the session now'),
    because: z.array(z.string()).describe('sentences: why it ended as it did, or what it waits for'),
    criteria: z.array(JudgedCriterion).describe('what had to hold, and where it stands'),
    trace: z.array(CompletionTraceEntry).describe('the latest judgements of completion'),
    missing: z.array(z.string()).describe('what was not shown, or speaks against being done'),
    next: z.array(z.string()).describe('sentences: what would have to happen'),
  })
  .describe('loader why --json')
export type WhyOutput = Immutable<z.infer<typeof WhyOutput>>
