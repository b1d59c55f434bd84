import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { treeEntries } from './ask-side.ts'
import { bringFolder, looksIn } from './bring-folder.ts'
import type { CheckoutOptions } from './trees-shown.ts'
import { settleFiles } from './settle-files.ts'
import type { SideRepository } from './side-repository.ts'
import { keepRepository } from './small-repository.ts'

/** Writes the files of a tree into a new folder, in which they may be changed. */
export async function fillCopy(
  side: SideRepository,
  place: string,
  tree: string,
  options: Pick<CheckoutOptions, 'repository' | 'owner'>,
): Promise<void> {
  const files = join(place, 'files')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(files, { recursive: true, mode: 0o755 })
  const beganMs = Date.now()
  const wanted = await treeEntries(side, tree)
  await bringFolder(side, files, wanted, new Map())
  const settled = { ...options, times: 'written' as const }
  await settleFiles(files, beganMs, settled)
  if (options.repository === 'made') {
    await keepRepository({ side, place, tree, before: undefined, entries: looksIn(files, wanted), options: settled })
    renameSync(join(place, 'repository', '.git'), join(files, '.git'))
    rmSync(join(place, 'repository'), { recursive: true })
  }
}
