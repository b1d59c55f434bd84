import { LoaderError } from '@loader/session-core'
import type { Statement, StatementValues } from '../database/database.ts'
import { failureOf, storageError } from '../database/failure.ts'
import type { HeldClaim } from './held-claim.ts'

/** A change that may be made twice: it sets what was there to the same. False where the database saw nothing to change. */
export async function change(
  claim: HeldClaim,
  what: string,
  statement: Statement,
  values: StatementValues,
): Promise<boolean> {
  for (;;) {
    claim.requireSound()
    try {
      const { rowCount } = await claim.run(statement, [claim.token, ...values])
      if (rowCount !== 0) return true
      const reason = await claim.whyNot()
      if (reason !== undefined) throw reason
      return false
    } catch (error) {
      const failure = LoaderError.is(error) ? 'refused' : failureOf(error)
      if (failure === 'lost' && !claim.hasTimeLeft) throw claim.uncertain(error)
      if (failure === 'refused' || failure === 'full' || !claim.hasTimeLeft) {
        throw storageError(error, `${what} session ${claim.id}`)
      }
    }
    await claim.pause()
  }
}
