import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

export const AnswerOutput = z
  .object({
    session: z.string(),
    kind: z.enum(['permit', 'question']).describe('whether it is about letting a call run, or about anything else'),
    title: z.string().nullable().describe('the tool, or a few words above the question'),
    text: z.string(),
    options: z.array(z.string()).describe('answers to choose from'),
    reason: z.string().nullable().describe('why a permission is needed'),
    answered: z.boolean().describe('false when the question was only shown'),
  })
  .describe('loader answer --json')
export type AnswerOutput = Immutable<z.infer<typeof AnswerOutput>>
