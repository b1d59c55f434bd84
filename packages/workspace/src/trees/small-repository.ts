import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { thoseThere } from './ask-side.ts'
import { settleFiles, type Settled } from './settle-files.ts'
import { keepText, plainAttributes, sideGit, type SideRepository, textOf } from './side-repository.ts'

interface KeepingRepository {
  readonly side: SideRepository
  readonly place: string
  readonly tree: string
  /** The tree that the checkout had before, as far as it is known. */
  readonly before: string | undefined
  readonly workTree: string
  readonly index: string
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
/** More packs than that, and it is begun anew. */
const mostPacks = 20

/**
 * A repository of git beside a checkout, for commands that ask git about the files around them: one commit, one branch, an
 * index, and all of it is the tree. It has nothing of the user's repository, and objects of its own. They stay for the
 * next tree, which needs only those that are new.
 */
export async function keepRepository(keeping: KeepingRepository): Promise<void> {
  const { side, place, tree, before, workTree, index } = keeping
  const folder = join(place, 'repository', '.git')
  const packs = join(folder, 'objects', 'pack')
  const known = existsSync(packs) && readdirSync(packs).length / 2 < mostPacks ? before : undefined
  if (known === undefined) rmSync(join(place, 'repository'), { recursive: true, force: true })
  for (const name of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
  const [had] = known === undefined || known === tree ? [] : await thoseThere(side, [known])
  if (known !== tree) {
    const input = `${tree}\n${had === undefined ? '' : `^${had}\n`}`
    await sideGit(side, { arguments: ['pack-objects', '-q', '--revs', '--window=0', join(packs, 'pack')], input })
  }
  keepText(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  keepText(join(folder, 'config'), config)
  keepText(join(folder, 'info', 'attributes'), plainAttributes)
  keepText(join(folder, 'info', 'exclude'), textOf(join(side.folder, 'info', 'exclude')) ?? '')
  const own = { ...side, folder, top: workTree }
  const commit = `tree ${tree}\nauthor ${identity}\ncommitter ${identity}\n\nThe files of this room.\n`
  const { output } = await sideGit(own, { arguments: ['hash-object', '-t', 'commit', '-w', '--stdin'], input: commit })
  keepText(join(folder, 'refs', 'heads', 'main'), `${output.trim()}\n`)
  copyFileSync(index, join(folder, 'index'))
  await sideGit(own, { arguments: ['update-index', '-q', '--refresh'], index: join(folder, 'index'), workTree })
  await settleFiles(join(place, 'repository'), Date.now(), keeping.options)
}
