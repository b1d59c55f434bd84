import { dirname, join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import type { Indexed } from './folder-index.ts'
import type { GitFolders } from './git-folders.ts'
import { linkOnTheWay, statsOn, targetOn } from './ground.ts'
import { type Guard, matching, type WatchedPaths, wasGuarded } from './guard.ts'
import { isHarmlessEntry, isHarmlessInGit } from './harmless-git.ts'
import { guardedPlaces, repositoriesIn, type Repository } from './repositories.ts'
import { putLinkBack, setAside, stuck } from './set-aside.ts'
import type { SetAside } from './walls.ts'
import { unfinishedThatRuns } from './unfinished.ts'
import { nameIt, unnameableIn } from './unnameable.ts'

export interface Settling {
  readonly root: string
  readonly git: GitFolders
  readonly guard: Guard
  /** The index after the command has ended. */
  readonly now: Indexed
  /** Guarded paths relative to the workspace. */
  readonly paths: readonly string[]
  readonly into: string
  /** Paths that could not be set aside after earlier commands. */
  readonly left: readonly string[]
}

/** With the repositories as the command left them, before any of them is moved. */
type Left = Settling & { readonly repositories: readonly Repository[] }

/** One step, and the path to name if it fails. */
interface Step {
  readonly place: string
  readonly act: () => void
}

/**
 * Moves away what a command has created at guarded places, and restores links. Steps are independent: if one fails, the
 * others are still taken, and the path is reported.
 */
export function setGuardedAside(settling: Settling): readonly SetAside[] {
  const { git, guard, now, into } = settling
  const { ground } = guard
  const left: Left = { ...settling, repositories: repositoriesIn(ground, git, now) }
  const aside: SetAside[] = []
  const take = (steps: Iterable<Step>) => {
    for (const { place, act } of steps) {
      try {
        act()
      } catch (error) {
        aside.push(stuck(place, error))
      }
    }
  }
  const away = (path: string) => {
    if (statsOn(ground, path) !== undefined) {
      take([{ place: path, act: () => void aside.push(setAside(ground, path, into)) }])
    }
  }
  take(settling.left.map((path) => ({ place: path, act: () => away(path) })))
  take(guard.watched.map((watched) => ({ place: watched.path, act: () => settleWatched(left, watched, away) })))
  take(newGuarded(settling).map((path) => ({ place: path, act: () => away(path) })))
  take(unnameableSteps(settling, away))
  take(gitSteps(left, away))
  return aside
}

type Away = (path: string) => void

/** Handles paths that did not exist before, and links. */
function settleWatched(left: Left, watched: WatchedPaths, away: Away): void {
  const { ground } = left.guard
  const { path } = watched
  // No folder on the path was a link when the command began.
  const link = linkOnTheWay(ground, path)
  if (link !== undefined) away(link)
  switch (watched.was) {
    case 'absent':
      if (statsOn(ground, path) !== undefined && !mayStay(left, path)) away(path)
      break
    case 'no file':
      if (statsOn(ground, path)?.isDirectory() === false) away(path)
      break
    case 'link':
      if (targetOn(ground, path) === watched.target) break
      away(path)
      putLinkBack(ground, path, watched.target)
      break
    default:
      watched satisfies never
  }
}

/** Git places are judged by their content. */
function mayStay({ guard, now, repositories }: Left, path: string): boolean {
  const { ground } = guard
  if (path.endsWith('/.git')) return isHarmlessEntry(ground, path, now.packages)
  const repository = repositories.find(({ folder, common }) => [folder, common].includes(dirname(path)))
  return repository !== undefined && isHarmlessInGit(ground, repository, path)
}

/** The new paths that match a guarded pattern with `*`. */
function newGuarded({ root, guard, paths }: Settling): readonly string[] {
  const all = paths.filter((path) => path.startsWith('*')).flatMap((path) => matching(root, path))
  return all.map((name) => join(root, name)).filter((path) => !wasGuarded(guard, path))
}

function unnameableSteps({ guard, now }: Settling, away: Away): readonly Step[] {
  const fresh = [...unnameableIn(now.unnameable)].filter(([key]) => !guard.unnameable.has(key))
  return fresh.map(([, folder]) => ({
    place: folder.parent,
    act: () => {
      const path = nameIt(guard.ground, folder)
      if (path !== undefined) away(path)
    },
  }))
}

function gitSteps({ root, guard, now, repositories }: Left, away: Away): readonly Step[] {
  const { ground } = guard
  const isNew = (path: string) => !wasGuarded(guard, path)
  const entries = [...now.repositories].filter((path) => path.endsWith('/.git') && isNew(path))
  const ofRepository = (repository: Repository): readonly Step[] => {
    const { folder } = repository
    const settlePlace = (place: string) => {
      if (!isHarmlessInGit(ground, repository, place)) away(place)
    }
    const places = guardedPlaces(ground, root, repository).filter(isNew)
    const settleUnfinished = () => unfinishedThatRuns(ground, folder, guard.planned.get(folder)).forEach(away)
    return [
      ...places.map((place) => ({ place, act: () => settlePlace(place) })),
      { place: folder, act: settleUnfinished },
    ]
  }
  const settleEntry = (path: string) => {
    if (!isHarmlessEntry(ground, path, now.packages)) away(path)
  }
  return [
    ...entries.map((path) => ({ place: path, act: () => settleEntry(path) })),
    ...newLinks(now, guard, repositories).map((path) => ({ place: path, act: () => away(path) })),
    ...repositories.flatMap(ofRepository),
  ]
}

/** New links in git folders. Git never makes any, so each was left by a command to redirect git. */
function newLinks(now: Indexed, { before }: Guard, repositories: readonly Repository[]): readonly string[] {
  const isInGit = (path: string) => repositories.some(({ folder }) => isWithin(folder, path))
  return [...now.links].filter((link) => !before.links.has(link) && isInGit(link))
}
