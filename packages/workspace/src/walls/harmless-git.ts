import { dirname, join, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { namesIn, realOf, statsOf, textOf } from './entries.ts'
import { gitFolderOf, isGitFolder } from './git-folders.ts'

/** The lines that `git init` writes. */
const harmlessSetting =
  /^\s*(\[core\]|repositoryformatversion = [01]|filemode = (true|false)|bare = (true|false)|logallrefupdates = true|ignorecase = (true|false)|precomposeunicode = (true|false)|symlinks = (true|false))?\s*$/

/**
 * Whether a guarded place of git that appeared during a command can stay: what `git init` and `git worktree add` write,
 * to the letter, so that new projects work. Anything else makes git run something, or may.
 */
export function isHarmlessInGit(folder: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const whole = join(folder, path)
  switch (name) {
    case 'hooks':
      return statsOf(whole)?.isDirectory() === true && namesIn(whole).every((each) => isSample(join(whole, each)))
    case 'config':
      return (textOf(whole) ?? '[').split('\n').every((line) => harmlessSetting.test(line))
    case 'commondir':
      return /^worktrees\/[^/]+\/commondir$/.test(path) && textOf(whole) === '../..\n'
    case 'gitdir':
      return /^worktrees\/[^/]+\/gitdir$/.test(path) && statsOf(whole)?.isFile() === true
    default:
      // A work tree elsewhere: made by `git worktree add`, and useless without a `.git` there that names it.
      return (
        /^worktrees\/[^/]+$/.test(path) &&
        textOf(join(whole, 'commondir')) === '../..\n' &&
        statsOf(join(whole, 'config.worktree')) === undefined
      )
  }
}

function isSample(path: string): boolean {
  return path.endsWith('.sample') && statsOf(path)?.isFile() === true
}

/** Whether a `.git` that appeared can stay: a folder, whose insides are looked at; or a file that names a known one. */
export function isHarmlessEntry(path: string, root: string, known: readonly string[]): boolean {
  const stats = statsOf(path)
  if (stats?.isDirectory() === true) return true
  if (stats?.isFile() !== true) return false
  const named = gitFolderOf(dirname(path))
  if (named === undefined) return false
  const isPart = known.some((folder) => ['worktrees', 'modules'].some((part) => named.startsWith(`${folder}/${part}/`)))
  return (
    isPart ||
    (isWithin(root, named) && !named.includes('/.git/') && !named.includes('/node_modules/') && isGitFolder(named))
  )
}

/** A rebase that was begun and will run a command when it goes on. */
export function rebaseThatRuns(folder: string): string | undefined {
  const path = resolve(folder, 'rebase-merge')
  const todo = textOf(join(path, 'git-rebase-todo')) ?? ''
  return /^\s*(x|exec)\s/m.test(todo) ? realOf(path) : undefined
}
