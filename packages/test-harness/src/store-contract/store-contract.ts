import { appending, durability } from './appending.ts'
import { claiming, releasing, takeover } from './claiming.ts'
import type { StoreClause } from './clause.ts'
import { content } from './content.ts'
import { deleting } from './deleting.ts'
import { forking } from './forking.ts'
import { holding } from './holding.ts'
import { ids } from './ids.ts'
import { keepingFiles } from './keeping-files.ts'
import { inbox } from './inbox.ts'
import { listing } from './listing.ts'
import { longTexts } from './long-texts.ts'
import { unnamedTexts } from './unnamed-texts.ts'
import { reading } from './reading.ts'
import { restoring } from './restoring.ts'
import { saving } from './saving.ts'
import { usedIds } from './used-ids.ts'
import { watching } from './watching.ts'

/** All promises of a store, clause by clause. Any test runner can run them, each with `assertStoreClause`. */
export const storeContract: readonly StoreClause[] = [
  ...appending,
  ...durability,
  ...content,
  ...reading,
  ...ids,
  ...claiming,
  ...releasing,
  ...takeover,
  ...saving,
  ...usedIds,
  ...listing,
  ...deleting,
  ...longTexts,
  ...unnamedTexts,
  ...forking,
  ...watching,
  ...holding,
  ...inbox,
  ...restoring,
  ...keepingFiles,
]
