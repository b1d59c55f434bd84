import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { GitFailure, sideGit, type SideRepository } from './side-repository.ts'

/** The limit of loose objects: each takes a block of the disk, however small it is. */
const mostLoose = 256

/** Packs loose objects, so that they take about as much space as the changes between them. */
export async function compact(side: SideRepository): Promise<void> {
  const loose = looseObjects(side)
  if (loose.length < mostLoose) return
  try {
    const pack = ['pack-objects', '-q', '--no-reuse-delta', join(side.folder, 'objects', 'pack', 'pack')]
    await sideGit(side, { arguments: pack, input: loose.map((id) => `${id}\n`).join('') })
    await sideGit(side, { arguments: ['prune-packed', '-q'] })
  } catch (error) {
    // All objects are still there, and the next tree tries again.
    if (!(error instanceof GitFailure)) throw error
  }
}

/** Ids of objects that are no part of a pack. */
function looseObjects({ folder }: SideRepository): string[] {
  const objects = join(folder, 'objects')
  const folders = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return folders.flatMap((start) =>
    readdirSync(join(objects, start))
      .filter((name) => /^[0-9a-f]{38}$/.test(name))
      .map((rest) => start + rest),
  )
}
