import { LoaderError } from '@loader/session-core'
import type { ExitCode } from '../exit-codes.ts'

/** Running a recording again is not part of this version. */
export async function run(): Promise<ExitCode> {
  throw new LoaderError('unsupported', 'This version of loader cannot run a recording again.')
}
