import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'

/** What matters about the folders of a workspace. Paths are absolute. */
export interface Indexed {
  /** Each `.git`, whatever it is, but for that of the workspace itself; and repositories without one. */
  readonly repositories: ReadonlySet<string>
  /** Folders of installed packages. Nothing in them is looked at. */
  readonly packages: readonly string[]
}

interface Known {
  readonly changedAt: bigint
  readonly folders: readonly string[]
  readonly repositories: readonly string[]
  readonly packages: readonly string[]
}

/** A folder that changed less than this before it was read may change again without showing. */
const tickNs = 20_000_000n

/**
 * Finds nested repositories and installed packages. A folder is read again only when it changed: by its change time,
 * which no program can set.
 */
export class FolderIndex {
  readonly #root: string
  #known = new Map<string, Known>()

  constructor(root: string) {
    this.#root = root
  }

  look(): Indexed {
    const known = new Map<string, Known>()
    const pending = [this.#root]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const found = this.#read(folder)
      if (found === undefined) continue
      known.set(folder, found)
      for (const each of found.folders) pending.push(each)
    }
    this.#known = known
    const all = [...known.values()]
    return {
      repositories: new Set(all.flatMap((each) => each.repositories)),
      packages: all.flatMap((each) => each.packages),
    }
  }

  #read(folder: string): Known | undefined {
    try {
      const { ctimeNs } = lstatSync(folder, { bigint: true })
      const before = this.#known.get(folder)
      if (before?.changedAt === ctimeNs) return before
      const entries = readdirSync(folder, { withFileTypes: true })
      const fresh = BigInt(Date.now()) * 1_000_000n - ctimeNs < tickNs
      return { ...sorted(folder, entries, folder === this.#root), changedAt: fresh ? -1n : ctimeNs }
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return undefined
    }
  }
}

function sorted(folder: string, entries: readonly Dirent[], isTop: boolean): Omit<Known, 'changedAt'> {
  const names = new Set(entries.map(({ name }) => name))
  const isBare = !isTop && ['HEAD', 'objects', 'refs'].every((name) => names.has(name))
  const repositories = [...(isBare ? [folder] : []), ...(names.has('.git') && !isTop ? [join(folder, '.git')] : [])]
  if (isBare) return { folders: [], repositories, packages: [] }
  const inner = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git').map(({ name }) => name)
  const packages = inner.filter((name) => isPackages(folder, name))
  const folders = inner.filter((name) => !packages.includes(name))
  const paths = (those: readonly string[]) => those.map((name) => join(folder, name))
  return { folders: paths(folders), repositories, packages: paths(packages) }
}

/** Folders into which package managers put what others wrote, and from which programs run it. */
function isPackages(folder: string, name: string): boolean {
  if (name === 'node_modules' || name === 'bower_components' || name === '.venv') return true
  if (name === 'bundle') return folder.endsWith('/vendor')
  return name === 'venv' && lstatSync(join(folder, name, 'pyvenv.cfg'), { throwIfNoEntry: false }) !== undefined
}
