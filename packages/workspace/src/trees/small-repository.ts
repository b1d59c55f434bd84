import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexEntry, writeIndex } from '../git/index-file.ts'
import { ObjectStore } from '../git/object-store.ts'
import { treeEntries, foldersOf } from './ask-side.ts'
import type { RawPath } from './raw-path.ts'
import { settleFiles, type Settled } from './settle-files.ts'
import { keepText, plainAttributes, sideGit, type SideRepository, textOf } from './side-repository.ts'

interface KeepingRepository {
  readonly side: SideRepository
  readonly place: string
  readonly tree: string
  /** The tree that the checkout had before, if known. */
  readonly before: string | undefined
  /** The stat data of its files. */
  readonly entries: ReadonlyMap<RawPath, IndexEntry>
  readonly options: Settled
}

const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = false
\tautocrlf = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[user]
\tname = nobody
\temail = nobody@invalid
`

const identity = 'nobody <nobody@invalid> 946684800 +0000'
/** Above this many object files, the repository is made anew. */
const mostFiles = 1000
/** From this many objects on, they are stored as one pack instead of a file each. */
const worthPack = 64

/**
 * A git repository beside a checkout, for commands that ask git about the files around them: one commit with the whole
 * tree, one branch, an index. It shares nothing with the user's repository. Its objects stay for the next tree, which
 * adds only new ones.
 */
export async function keepRepository(keeping: KeepingRepository): Promise<void> {
  const { side, place, tree, before, entries } = keeping
  const folder = join(place, 'repository', '.git')
  const known = before !== undefined && hasRoom(join(folder, 'objects')) ? before : undefined
  if (known === undefined) rmSync(join(place, 'repository'), { recursive: true, force: true })
  for (const name of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
  const objects = new ObjectStore(folder)
  if (known !== tree)
    await keepObjects(keeping, objects, known !== undefined && side.objects.has(known) ? known : undefined)
  keepText(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  keepText(join(folder, 'config'), config)
  keepText(join(folder, 'info', 'attributes'), plainAttributes)
  keepText(join(folder, 'info', 'exclude'), textOf(join(side.folder, 'info', 'exclude')) ?? '')
  const commit = `tree ${tree}\nauthor ${identity}\ncommitter ${identity}\n\nThe files of this room.\n`
  const [id = ''] = await objects.keep([{ type: 'commit', content: Buffer.from(commit) }])
  keepText(join(folder, 'refs', 'heads', 'main'), `${id}\n`)
  writeIndex(join(folder, 'index'), entries)
  await settleFiles(join(place, 'repository'), Date.now(), keeping.options)
}

/** Stores the objects of the tree that the previous tree did not have. */
async function keepObjects(
  { side, place, tree, entries }: KeepingRepository,
  objects: ObjectStore,
  before: string | undefined,
): Promise<void> {
  const had = before === undefined ? [] : [...(await foldersOf(side, before)), ...(await blobsOf(side, before))]
  const news = new Set([...(await foldersOf(side, tree)), ...[...entries.values()].map(({ blob }) => blob)])
  for (const id of had) news.delete(id)
  const read = news.size < worthPack ? [...news].flatMap((id) => side.objects.read(id) ?? []) : []
  if (read.length === news.size) await objects.keep(read)
  else {
    const input = `${tree}\n${before === undefined ? '' : `^${before}\n`}`
    const pack = join(place, 'repository', '.git', 'objects', 'pack', 'pack')
    await sideGit(side, { arguments: ['pack-objects', '-q', '--revs', '--window=0', pack], input })
  }
}

async function blobsOf(side: SideRepository, tree: string): Promise<string[]> {
  return [...(await treeEntries(side, tree)).values()].map(({ blob }) => blob)
}

function hasRoom(objects: string): boolean {
  return existsSync(objects) && readdirSync(objects, { recursive: true }).length < mostFiles
}
