import { join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { statsOf, targetOf } from './entries.ts'
import type { Indexed } from './folder-index.ts'
import { gitFolderOf, type GitFolders, guardedGitPaths } from './git-folders.ts'
import type { Guard } from './guard.ts'
import { isHarmlessEntry, isHarmlessInGit, rebaseThatRuns } from './harmless-git.ts'
import { putLinkBack, type SetAside, setAside } from './set-aside.ts'

export interface Settling {
  readonly root: string
  readonly git: GitFolders
  readonly guard: Guard
  /** The folders as they are when the command has ended. */
  readonly now: Indexed
  readonly into: string
  /** Rebases that would run something and were there before. */
  readonly rebases: ReadonlySet<string>
}

/** Moves away what a command has made at guarded places, and puts back the links that were there. */
export function settle(settling: Settling): readonly SetAside[] {
  const { guard, into } = settling
  const aside: SetAside[] = []
  const away = (path: string) => aside.push(setAside(path, into))
  for (const each of guard.watched) {
    switch (each.was) {
      case 'absent':
        if (statsOf(each.path) !== undefined && !mayStay(settling, each.path)) away(each.path)
        break
      case 'link':
        if (statsOf(each.path) === undefined) putLinkBack(each.path, each.target)
        else if (targetOf(each.path) !== each.target) {
          away(each.path)
          putLinkBack(each.path, each.target)
        }
        break
      default:
        each satisfies never
    }
  }
  for (const path of newEntries(settling)) away(path)
  for (const folder of foldersNow(settling)) {
    for (const path of guardedGitPaths(folder, settling.root)) {
      const whole = join(folder, path)
      if (!wasGuarded(guard, whole) && statsOf(whole) !== undefined && !isHarmlessInGit(folder, path)) away(whole)
    }
    const rebase = rebaseThatRuns(folder)
    if (rebase !== undefined && !settling.rebases.has(rebase)) away(rebase)
  }
  return aside
}

/** Rebases of known repositories that will run a command when they go on. */
export function rebasesThatRun(guard: Guard): ReadonlySet<string> {
  return new Set([...guard.gitFolders].flatMap((folder) => rebaseThatRuns(folder) ?? []))
}

/** Places of git are judged by what they hold. */
function mayStay({ root, guard }: Settling, path: string): boolean {
  if (path === join(root, '.git')) return isHarmlessEntry(path, root, [...guard.gitFolders])
  const folder = [...guard.gitFolders].find((each) => isWithin(each, path))
  return folder !== undefined && isHarmlessInGit(folder, path.slice(folder.length + 1))
}

function newEntries({ root, git, guard, now }: Settling): readonly string[] {
  const known = [...guard.gitFolders, ...git.outside]
  return [...now.repositories].filter(
    (path) => path.endsWith('/.git') && !wasGuarded(guard, path) && !isHarmlessEntry(path, root, known),
  )
}

/** Folders of git that are there now, as far as commands can write them. */
function foldersNow({ root, guard, now }: Settling): readonly string[] {
  const found = [join(root, '.git'), ...now.repositories].map((path) =>
    path.endsWith('/.git') ? gitFolderOf(path.slice(0, -'/.git'.length)) : path,
  )
  const inside = found.filter((folder) => folder !== undefined && isWithin(root, folder))
  const all = [...new Set([...guard.gitFolders, ...inside.filter((folder) => folder !== undefined)])]
  // Those of submodules and work trees are looked at as parts of the folder that they lie in.
  return all.filter(
    (folder) => !all.some((outer) => ['worktrees', 'modules'].some((part) => isWithin(join(outer, part), folder))),
  )
}

function wasGuarded({ mounts, watched }: Guard, path: string): boolean {
  const isHeld = mounts.some((mount) => mount.kind === 'guarded' && isWithin(mount.path, path))
  return isHeld || watched.some((each) => each.path === path)
}
