import type { Immutable } from '@loader/session-core'
import { Check, Criterion, Evidence, Judgement, Verdict } from '@loader/session-core/coding'
import * as z from 'zod'
import { SessionName } from './session.ts'

/** A criterion of the definition of done, with its verdict and the reasons. */
export const JudgedCriterion = z.object({
  ...Criterion.shape,
  verdict: Verdict,
  judgement: z.optional(Judgement).describe('where it stands, in more words than the verdict has'),
  reasons: z.array(z.string()).describe('why, in words'),
})
export type JudgedCriterion = Immutable<z.infer<typeof JudgedCriterion>>

/** Criteria and check results of the task, as `loader evidence --json` prints them. */
export const EvidenceOutput = z
  .object({
    session: SessionName,
    task: z.string().nullable(),
    verdict: z.nullable(Verdict).describe('the worst of the criteria; null without a definition of done'),
    judgement: z.nullable(Judgement).describe('the same in more words; null where none was recorded'),
    elsewhere: z
      .string()
      .nullable()
      .describe(
        'the machine that it was judged on, where the session went on from it and this one may show something else',
      ),
    reasons: z.array(z.string()),
    criteria: z.array(JudgedCriterion),
    checks: z.array(Check),
    evidence: z.array(Evidence).describe('the latest run of each check; `baseline` marks runs before the work'),
    running: z.object({ checkId: z.string(), command: z.string() }).nullable().describe('a check that has not ended'),
  })
  .describe('loader evidence --json')
export type EvidenceOutput = Immutable<z.infer<typeof EvidenceOutput>>
