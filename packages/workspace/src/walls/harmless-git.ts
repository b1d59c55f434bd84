import { dirname, join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { gitFolderOf, isGitFolder } from './git-folders.ts'
import { type Ground, namesOn, statsOn, textOn } from './ground.ts'

/** The lines that `git init` writes. */
const harmlessSetting =
  /^\s*(\[core\]|repositoryformatversion = [01]|filemode = (true|false)|bare = (true|false)|logallrefupdates = true|ignorecase = (true|false)|precomposeunicode = (true|false)|symlinks = (true|false))?\s*$/

/**
 * Whether a guarded place of git that appeared during a command can stay: what `git init` and `git worktree add` write,
 * to the letter, so that new projects work. Anything else makes git run something, or may.
 */
export function isHarmlessInGit(ground: Ground, folder: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const whole = join(folder, path)
  switch (name) {
    case 'hooks':
      return (
        statsOn(ground, whole)?.isDirectory() === true &&
        namesOn(ground, whole).every((each) => isSample(ground, join(whole, each)))
      )
    case 'config':
      return (textOn(ground, whole) ?? '[').split('\n').every((line) => harmlessSetting.test(line))
    case 'commondir':
      return /^worktrees\/[^/]+\/commondir$/.test(path) && textOn(ground, whole) === '../..\n'
    case 'gitdir':
      return /^worktrees\/[^/]+\/gitdir$/.test(path) && statsOn(ground, whole)?.isFile() === true
    default:
      // A work tree elsewhere: made by `git worktree add`, and useless without a `.git` there that names it.
      return (
        /^worktrees\/[^/]+$/.test(path) &&
        textOn(ground, join(whole, 'commondir')) === '../..\n' &&
        statsOn(ground, join(whole, 'config.worktree')) === undefined
      )
  }
}

function isSample(ground: Ground, path: string): boolean {
  return path.endsWith('.sample') && statsOn(ground, path)?.isFile() === true
}

/** Whether a `.git` that appeared can stay: a folder, whose insides are looked at; or a file that names a known one. */
export function isHarmlessEntry(ground: Ground, path: string, root: string, known: readonly string[]): boolean {
  const stats = statsOn(ground, path)
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

/** A rebase that was begun and will run a command when it goes on. One that lies elsewhere could at any time. */
export function rebaseThatRuns(ground: Ground, folder: string): string | undefined {
  const path = join(folder, 'rebase-merge')
  const stats = statsOn(ground, path)
  if (stats === undefined) return undefined
  const todo = textOn(ground, join(path, 'git-rebase-todo')) ?? ''
  return !stats.isDirectory() || /^\s*(x|exec)\s/m.test(todo) ? path : undefined
}
