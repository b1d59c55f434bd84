import { type RawPath, splitAtNul } from './raw-path.ts'

/** What `git status` reports about the work tree compared with an index, independent of the repository's commits. */
export interface Status {
  /** Mode and blob of each entry of the index, such as `100644 9f86…`, by path. */
  readonly indexed: ReadonlyMap<RawPath, string>
  /** Entries whose file differs, or may differ, from the index. */
  readonly changed: readonly RawPath[]
  /** Entries whose file is missing: the path is free, is a folder, or leads through a link. */
  readonly gone: readonly RawPath[]
  /** Files that are not in the index and that no rule ignores. */
  readonly unknown: readonly RawPath[]
  /** Repositories in the work tree, with a slash at the end. */
  readonly nested: readonly RawPath[]
  /** Whole folders end with a slash. */
  readonly ignored: readonly RawPath[]
}

export const statusArguments = [
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=all',
  '--ignored=matching',
  '--no-renames',
]

/** `1 XY sub mH mI mW hH hI path`: eight fields, and then a path that may hold spaces. */
const entry = /^1 .(.) \S+ \S+ (\S+) \S+ \S+ (\S+) (.*)$/s

export function readStatus(output: string): Status {
  const indexed = new Map<RawPath, string>()
  const changed: RawPath[] = []
  const gone: RawPath[] = []
  const unknown: RawPath[] = []
  const nested: RawPath[] = []
  const ignored: RawPath[] = []
  for (const line of splitAtNul(output)) {
    const path = line.slice(2)
    if (line.startsWith('? ')) (path.endsWith('/') ? nested : unknown).push(path)
    else if (line.startsWith('! ')) ignored.push(path)
    else {
      const [, worktree, mode, blob, name] = entry.exec(line) ?? []
      if (mode === undefined || blob === undefined || name === undefined)
        throw new Error(`git status: cannot read ${line}`)
      indexed.set(name, `${mode} ${blob}`)
      if (worktree === 'D') gone.push(name)
      else if (worktree !== '.') changed.push(name)
    }
  }
  return { indexed, changed, gone, unknown, nested, ignored }
}
