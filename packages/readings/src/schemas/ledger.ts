import type { Immutable } from '@loader/session-core'
import { Ledger } from '@loader/session-core/coding'
import * as z from 'zod'
import { SessionName } from './session.ts'

/** Assumptions, acceptance anchors and decision boundaries, as `loader ledger --json` prints them. */
export const LedgerOutput = z
  .object({
    session: SessionName,
    ledger: Ledger,
    highlights: z.array(z.string()).describe('what no longer stands as it did'),
  })
  .describe('loader ledger --json')
export type LedgerOutput = Immutable<z.infer<typeof LedgerOutput>>
