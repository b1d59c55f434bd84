import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { homeFolder } from '@loader/workspace'
import type { Places } from '../places/places.ts'

/** Where skills of this project and of the user may lie. */
export function skillPlaces({ root, config }: Pick<Places, 'root' | 'config'>) {
  const home = homeFolder()
  return { root, config, ...(home !== undefined && { home }) }
}

/** Whether there may be skills. Most runs have none, and load nothing of what follows. */
export function mayHaveSkills(places: Pick<Places, 'root' | 'config'>): boolean {
  const { root, config, home } = skillPlaces(places)
  const folders = [root, ...(home === undefined ? [] : [home])].flatMap((top) => [
    join(top, '.agents/skills'),
    join(top, '.claude/skills'),
  ])
  return [...folders, join(config, 'skills')].some((folder) => existsSync(folder))
}
