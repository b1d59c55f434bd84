// What durability costs. Everything is measured beside "serialise 1 KB, append, fdatasync" or another floor, in turns of
// about a millisecond in one process and on one disk: ratios hold on a busy machine, milliseconds do not.
import { appendFigures } from './store/append.mjs'
import { crowdFigures } from './store/crowd.mjs'
import { listFigures } from './store/list.mjs'
import { openFigures } from './store/open.mjs'
import { saveFigures } from './store/save.mjs'
import { searchFigures } from './store/search.mjs'
import { withFolder } from './store/folder.mjs'

export function figures() {
  return withFolder(async (folder) => [
    ...(await appendFigures(folder)),
    ...(await saveFigures(folder)),
    ...(await openFigures(folder)),
    ...(await listFigures(folder)),
    ...(await crowdFigures(folder)),
    ...(await searchFigures(folder)),
  ])
}
