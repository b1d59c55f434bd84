import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mayChangeUnseen } from '../files/change-times.ts'
import { codeOf } from '../paths/system-errors.ts'

/** The relevant folders of a workspace. Paths are absolute. */
export interface Indexed {
  /** Each `.git`, whatever its kind, and each folder that git treats as a repository. */
  readonly repositories: ReadonlySet<string>
  readonly links: ReadonlySet<string>
  /** Named pipes: even on a read-only mount, a command can write to one. */
  readonly pipes: readonly string[]
  /** Folders of installed packages. Their contents are not indexed. */
  readonly packages: readonly string[]
  /** Folders that their owner cannot enter, with their change times. */
  readonly shut: ReadonlyMap<string, bigint>
  /** Folders that contain a folder whose name may not be valid UTF-8. */
  readonly unnameable: readonly string[]
}

export interface IndexOptions {
  /** Whether the folder is a git folder, or lies in one. */
  readonly inGit?: boolean
  /** Installed packages are left out, except when they are asked for. */
  readonly packages: 'left out' | 'looked into'
}

interface Known {
  readonly changedAt: bigint
  readonly inode: bigint
  readonly folders: readonly string[]
  readonly repositories: readonly string[]
  readonly links: readonly string[]
  readonly pipes: readonly string[]
  readonly packages: readonly string[]
  readonly unnameable: readonly string[]
}

/**
 * Finds repositories, links and installed packages. A folder is read again only when its change time differs, which no
 * program can set.
 */
export class FolderIndex {
  readonly #root: string
  readonly #options: IndexOptions
  #known = new Map<string, Known>()

  constructor(root: string, options: IndexOptions) {
    this.#root = root
    this.#options = options
  }

  look(): Indexed {
    const known = new Map<string, Known>()
    const shut = new Map<string, bigint>()
    const pending = [this.#root]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const found = this.#read(folder)
      if (found === undefined) continue
      if (typeof found === 'bigint') {
        shut.set(folder, found)
        continue
      }
      known.set(folder, found)
      for (const each of found.folders) pending.push(each)
    }
    this.#known = known
    const all = [...known.values()]
    return {
      repositories: new Set(all.flatMap((each) => each.repositories)),
      links: new Set(all.flatMap((each) => each.links)),
      pipes: all.flatMap((each) => each.pipes),
      packages: all.flatMap((each) => each.packages),
      shut,
      unnameable: all.flatMap((each) => each.unnameable),
    }
  }

  /** The change time alone when the folder is shut. */
  #read(folder: string): Known | bigint | undefined {
    const stats = changeOf(folder)
    if (stats === undefined) return undefined
    const { ctimeNs, ino } = stats
    if (isShut(stats)) return ctimeNs
    const before = this.#known.get(folder)
    if (before?.changedAt === ctimeNs && before.inode === ino) return before
    try {
      const entries = readdirSync(folder, { withFileTypes: true })
      const fresh = mayChangeUnseen(stats)
      return { ...sorted(folder, entries, this.#options), changedAt: fresh ? -1n : ctimeNs, inode: ino }
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return undefined
    }
  }
}

function changeOf(folder: string): BigIntStats | undefined {
  try {
    return lstatSync(folder, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** Root can enter every folder, and commands cannot have made the folders of other users. */
function isShut({ mode, uid }: BigIntStats): boolean {
  const user = process.getuid?.() ?? 0
  return user !== 0 && uid === BigInt(user) && (mode & 0o500n) !== 0o500n
}

/** Folders that git fills itself. They can be many, and a repository in one is found by the `.git` that names it. */
const filledByGit: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'lfs', 'annex', 'rr-cache'])

function sorted(folder: string, entries: readonly Dirent[], options: IndexOptions): Omit<Known, 'changedAt' | 'inode'> {
  const names = new Set(entries.map(({ name }) => name))
  const isRepository = names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
  const repositories = [...(isRepository ? [folder] : []), ...(names.has('.git') ? [join(folder, '.git')] : [])]
  const isInGit = options.inGit === true || /\/\.git(\/|$)/.test(folder)
  const isFilled = (name: string) => isInGit && filledByGit.has(name) && (isRepository || folder.endsWith('/.git'))
  const inner = entries.filter((entry) => entry.isDirectory() && !isFilled(entry.name)).map(({ name }) => name)
  const isLeftOut = (name: string) => options.packages === 'left out' && !isInGit && isPackages(folder, name)
  const paths = (those: readonly string[]) => those.map((name) => join(folder, name))
  return {
    folders: paths(inner.filter((name) => !isLeftOut(name))),
    repositories,
    links: paths(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)),
    pipes: paths(entries.filter((entry) => entry.isFIFO()).map(({ name }) => name)),
    packages: paths(inner.filter(isLeftOut)),
    // The replacement character stands for bytes that are not valid UTF-8.
    unnameable: inner.some((name) => name.includes('\uFFFD')) ? [folder] : [],
  }
}

/** Folders into which package managers install packages, and from which programs run them. */
function isPackages(folder: string, name: string): boolean {
  if (name === 'node_modules' || name === 'bower_components' || name === '.venv') return true
  if (name === 'bundle') return folder.endsWith('/vendor')
  return name === 'venv' && lstatSync(join(folder, name, 'pyvenv.cfg'), { throwIfNoEntry: false }) !== undefined
}
