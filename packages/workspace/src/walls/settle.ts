import { join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import type { Indexed } from './folder-index.ts'
import { gitFolderOf, type GitFolders, guardedGitPaths } from './git-folders.ts'
import { type Ground, linkOnTheWay, statsOn, targetOn } from './ground.ts'
import type { Guard } from './guard.ts'
import { isHarmlessEntry, isHarmlessInGit, rebaseThatRuns } from './harmless-git.ts'
import { putLinkBack, type SetAside, setAside, stuck } from './set-aside.ts'

export interface Settling {
  readonly root: string
  readonly git: GitFolders
  readonly guard: Guard
  /** The folders as they are when the command has ended. */
  readonly now: Indexed
  readonly into: string
  /** Rebases that would run something and were there before. */
  readonly rebases: ReadonlySet<string>
  /** What could not be set aside after the commands before. */
  readonly left: readonly string[]
}

/**
 * Moves away what a command has made at guarded places, and puts back the links that were there. Each place is settled by
 * itself: whatever goes wrong with one, the others are settled all the same, and the one is named.
 */
export function settle(settling: Settling): readonly SetAside[] {
  const { root, git, guard, into } = settling
  const ground: Ground = [root, ...git.outside]
  const aside: SetAside[] = []
  const each = <T>(items: Iterable<T>, place: (item: T) => string, act: (item: T) => void) => {
    for (const item of items) {
      try {
        act(item)
      } catch (error) {
        aside.push(stuck(place(item), error))
      }
    }
  }
  const away = (path: string) => each([path], itself, () => aside.push(setAside(ground, path, into)))
  each(settling.left, itself, (path) => {
    if (statsOn(ground, path) !== undefined) away(path)
  })
  each(
    guard.watched,
    ({ path }) => path,
    (watched) => {
      const { path } = watched
      const link = linkOnTheWay(ground, path)
      // No folder on the way was a link when the command began.
      if (link !== undefined) away(link)
      switch (watched.was) {
        case 'absent':
          if (statsOn(ground, path) !== undefined && !mayStay(settling, ground, path)) away(path)
          break
        case 'link':
          if (targetOn(ground, path) === watched.target) break
          if (statsOn(ground, path) !== undefined) away(path)
          putLinkBack(ground, path, watched.target)
          break
        default:
          watched satisfies never
      }
    },
  )
  each(newEntries(settling, ground), itself, away)
  each(foldersNow(settling), itself, (folder) => {
    each(
      guardedGitPaths(ground, folder, root),
      (path) => join(folder, path),
      (path) => {
        const whole = join(folder, path)
        if (wasGuarded(guard, whole) || statsOn(ground, whole) === undefined) return
        if (!isHarmlessInGit(ground, folder, path)) away(whole)
      },
    )
    const rebase = rebaseThatRuns(ground, folder)
    if (rebase !== undefined && !settling.rebases.has(rebase)) away(rebase)
  })
  return aside
}

/** Rebases of known repositories that will run a command when they go on. */
export function rebasesThatRun(root: string, git: GitFolders, guard: Guard): ReadonlySet<string> {
  const ground: Ground = [root, ...git.outside]
  return new Set([...guard.gitFolders].flatMap((folder) => rebaseThatRuns(ground, folder) ?? []))
}

function itself(path: string): string {
  return path
}

/** Places of git are judged by what they hold. */
function mayStay({ root, guard }: Settling, ground: Ground, path: string): boolean {
  if (path === join(root, '.git')) return isHarmlessEntry(ground, path, root, [...guard.gitFolders])
  const folder = [...guard.gitFolders].find((each) => isWithin(each, path))
  return folder !== undefined && isHarmlessInGit(ground, folder, path.slice(folder.length + 1))
}

function newEntries({ root, git, guard, now }: Settling, ground: Ground): readonly string[] {
  const known = [...guard.gitFolders, ...git.outside]
  return [...now.repositories].filter(
    (path) => path.endsWith('/.git') && !wasGuarded(guard, path) && !isHarmlessEntry(ground, path, root, known),
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
