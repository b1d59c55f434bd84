import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { thoseThere } from './ask-side.ts'
import { splitAtNul } from './raw-path.ts'
import { sideGit, type SideRepository, textOf } from './side-repository.ts'

/** What another process is just writing must stay, also before anything names it. */
const graceMs = 3_600_000

/**
 * Forgets what is not to be kept.
 *
 * 1. What is kept goes into one pack first, and only what is older than an hour goes then: a tree that is being taken at
 *    the same time finds all it needs.
 * 2. What an index of a living process names is kept. A process that was killed leaves nothing that is.
 * 3. An id that is not there any more is no reason to fail: it was pruned before.
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

/** How many bytes of the disk the trees take up. */
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

/** Packs, objects and leftovers of writers that were killed. */
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
