import type { Database } from '../database/database.ts'
import type { RowPlace } from '../stored/place.ts'
import type { PostgresSessionWriter } from '../writer/writer.ts'
import * as statements from './statements.ts'
import { unnamedBlob, verifySession } from './verify.ts'

/**
 * Removes long texts that no event names. A writer stores one before the event that names it, so that one which dies in
 * between leaves it behind. Called under the next claim, before anything is written.
 *
 * Only a session that is as it was written is swept: in what is damaged, a name may have stood.
 */
export async function sweepBlobs(
  database: Database,
  place: RowPlace,
  writer: PostgresSessionWriter,
  headSeq: number,
): Promise<void> {
  const { rows } = await database.run(statements.unnamedBlobs, [place.tenant, place.key])
  if (rows.length === 0) return
  const { intact, findings } = await verifySession(database, place, { id: writer.id, headSeq })
  const unnamed = findings.filter(({ what }) => what === unnamedBlob).map(({ file }) => file)
  if (intact && unnamed.length > 0) await writer.removeBlobs(unnamed)
}
