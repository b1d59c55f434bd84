import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { thoseThere } from './ask-side.ts'
import { splitAtNul } from './raw-path.ts'
import { sideGit, type SideRepository, textOf } from './side-repository.ts'

/** Objects younger than this stay, because another process may be writing them and nothing refers to them yet. */
const graceMs = 3_600_000

/**
 * Removes objects that need not be kept.
 *
 * 1. Kept objects are packed first, and only then are objects older than an hour removed: a tree that is being taken at
 *    the same time finds everything it needs.
 * 2. Objects in the index of a living process are kept. The index of a killed process does not count.
 * 3. An id that no longer exists is ignored: it was pruned before.
 */
export async function pruneTrees(side: SideRepository, keep: readonly string[], nowMs: number): Promise<void> {
  const objects = join(side.folder, 'objects')
  const latest = textOf(join(side.folder, 'latest'))
  const indexed = await Promise.all(indexesOf(side).map((index) => blobsIn(side, index)))
  const wanted = [...new Set([...keep, ...(latest === undefined ? [] : [latest]), ...indexed.flat()])]
  const roots = await thoseThere(side, wanted)
  const old = oldFiles(objects, nowMs - graceMs)
  const arguments_ = ['pack-objects', '-q', '--revs', join(objects, 'pack', 'pack')]
  const { output } = await sideGit(side, { arguments: arguments_, input: roots.map((id) => `${id}\n`).join('') })
  const written = `pack-${output.trim()}.`
  for (const path of old.filter((each) => !each.includes(written))) rmSync(path, { force: true, recursive: true })
  await sideGit(side, { arguments: ['prune-packed', '-q'] })
}

/** The disk space of the trees, in bytes. */
export function sizeOfTrees({ folder }: SideRepository): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.reduce((sum, path) => {
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false })
    return sum + (stats?.blocks ?? 0) * 512
  }, 0)
}

function indexesOf({ folder }: SideRepository): string[] {
  return readdirSync(folder)
    .filter((name) => /^index(\.\d+-[0-9a-z]+-\d+)?$/.test(name))
    .map((name) => join(folder, name))
}

async function blobsIn(side: SideRepository, index: string): Promise<string[]> {
  const { output } = await sideGit(side, { arguments: ['ls-files', '-s', '-z'], index })
  return splitAtNul(output).map((line) => line.split(' ')[1] ?? '')
}

/** Packs, objects and temporary files of killed writers that are old enough. */
function oldFiles(objects: string, beforeMs: number): string[] {
  const isOld = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? beforeMs) < beforeMs
  return readdirSync(objects)
    .filter((name) => name !== 'info')
    .map((name) => join(objects, name))
    .flatMap((path) =>
      /[/\\](pack|[0-9a-f]{2})$/.test(path) ? readdirSync(path).map((name) => join(path, name)) : [path],
    )
    .filter(isOld)
}
