import { shortBytes } from '@loader/readings'
import { knownProjects } from '@loader/workspace'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { sizeOf } from '../tables/size-on-disk.ts'

/** The most projects that are listed by name. */
const mostNamed = 10

/** Lists the projects with stored state. State of removed projects stays until the user deletes it. */
export function projectChecks(variables: Readonly<Record<string, string | undefined>>): DoctorCheck[] {
  const known = knownProjects({ variables })
  const unreadable = known.filter(({ root }) => root === undefined)
  const gone = known.filter(({ root, isThere }) => root !== undefined && !isThere)
  const bytes = gone.reduce((sum, { folders }) => sum + sizeOf(folders.folder), 0)
  const named = gone.slice(0, mostNamed).map(({ root, folders }) => `${root}: ${folders.folder}`)
  const more = gone.length > mostNamed ? `; and ${gone.length - mostNamed} more` : ''
  return [
    gone.length === 0
      ? { name: 'projects', state: 'ok', message: `${known.length} known` }
      : {
          name: 'projects',
          state: 'note',
          message:
            `${known.length} known, ${gone.length} of them gone, with ${shortBytes(bytes)}. Their sessions: loader sessions ` +
            `--all. Remove the folder of one that you no longer need: ${named.join('; ')}${more}`,
        },
    ...unreadable.map(({ folders }): DoctorCheck => ({
      name: 'projects',
      state: 'warning',
      message: `${folders.folder}/project.json cannot be understood, so a move of this project is not noticed. Remove the file: the next run in the project writes it again.`,
    })),
  ]
}
