import type { Immutable } from '@loader/session-core'
import { Judgement } from '@loader/session-core/coding'
import * as z from 'zod'

export const AcceptOutput = z
  .object({
    session: z.string(),
    done: z.boolean().describe('false for a preview, and where there is nothing to accept'),
    files: z.array(z.string()).describe('what the last turn rests on, relative to the project'),
    packages: z.array(z.string()).describe('installed packages that are not what they were'),
    tests: z.array(z.string()).describe('tests that are missing or skipped'),
    patch: z.string().describe('what was changed in the files'),
    judgement: z.nullable(Judgement).describe('where the turn stands; null when there is nothing to accept'),
  })
  .describe('loader accept --json')
export type AcceptOutput = Immutable<z.infer<typeof AcceptOutput>>
