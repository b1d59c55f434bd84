import { knownProjects, type LivingCommand, livingCommands } from '@loader/workspace'
import { join } from 'node:path'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'

/** The background commands that go on, of this project or of all. */
export function livingIn(places: Places, { environment }: Console, which: 'here' | 'all'): readonly LivingCommand[] {
  const folders =
    which === 'all'
      ? knownProjects({ variables: environment }).map(({ folders: { folder } }) => folder)
      : [places.project().folders.folder]
  return folders.flatMap((folder) => livingCommands(join(folder, 'scratch')))
}

/** How `loader stop` knows it: by its id alone where no other one goes on under it. */
export function nameOf({ id, session }: LivingCommand, all: readonly LivingCommand[]): string {
  return all.filter((each) => each.id === id).length > 1 ? `${session}/${id}` : id
}
