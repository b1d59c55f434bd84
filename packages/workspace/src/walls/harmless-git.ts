import { basename, dirname, join, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { gitFolderOf } from './git-folders.ts'
import { settingsIn } from './git-settings.ts'
import { type Ground, namesOn, statsOn, textOn } from './ground.ts'
import type { Repository } from './repositories.ts'

/**
 * Whether a guarded git place that appeared during a command can stay: the files that `git init`, `git clone` and `git
 * worktree add` write, so that new projects work. Any other could make git run a program.
 */
export function isHarmlessInGit(ground: Ground, { folder, common, tops }: Repository, place: string): boolean {
  const isTree = folder === join(common, 'worktrees', basename(folder))
  switch (basename(place)) {
    case 'hooks':
      return (
        statsOn(ground, place)?.isDirectory() === true &&
        namesOn(ground, place).every((name) => isSample(ground, join(place, name)))
      )
    case 'config':
    case 'config.worktree':
      return areHarmlessSettings(textOn(ground, place), folder, tops)
    case 'commondir':
      return isTree && textOn(ground, place) === '../..\n'
    case 'gitdir':
      return isTree && statsOn(ground, place)?.isFile() === true
    default:
      // Made by `git worktree add` for a work tree elsewhere; it has no effect without a `.git` there that names it.
      return (
        isTree &&
        textOn(ground, join(place, 'commondir')) === '../..\n' &&
        statsOn(ground, join(place, 'config.worktree')) === undefined
      )
  }
}

function isSample(ground: Ground, path: string): boolean {
  return path.endsWith('.sample') && statsOn(ground, path)?.isFile() === true
}

/** Settings that name no program, no file, and no unusual transport for a remote. */
const harmless =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|quotepath|longpaths)|extensions\.(objectformat|refstorage)|(user|author|committer)\.(name|email)|(commit|tag)\.gpgsign|init\.defaultbranch|push\.(default|autosetupremote)|pull\.(rebase|ff)|merge\.ff|fetch\.prune|gc\.auto|advice\.[^.]*|branch\..*\.(remote|merge|rebase|description)|remote\..*\.(fetch|tagopt)|submodule\.active|submodule\..*\.active)$/s
const namesPlace = /^(remote|submodule)\..*\.url$/s

function areHarmlessSettings(text: string | undefined, folder: string, tops: readonly string[]): boolean {
  const settings = text === undefined ? undefined : settingsIn(text)
  if (settings === undefined) return false
  return settings.every(({ key, value }) => {
    // `transport::address` starts a program.
    if (namesPlace.test(key)) return !value.includes('::') && !value.startsWith('-')
    if (key === 'core.worktree') return tops.includes(resolve(folder, value))
    return harmless.test(key)
  })
}

/**
 * Whether a `.git` that appeared can stay: a folder, whose contents are checked, or a file that names one within reach.
 */
export function isHarmlessEntry(ground: Ground, path: string, packages: readonly string[]): boolean {
  const stats = statsOn(ground, path)
  if (stats?.isDirectory() === true) return true
  if (stats?.isFile() !== true) return false
  const named = gitFolderOf(dirname(path))
  const isInReach = named !== undefined && ground.some((base) => isWithin(base, named))
  return isInReach && !packages.some((folder) => isWithin(folder, named))
}
