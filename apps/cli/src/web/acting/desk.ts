import { ActRefused } from '@loader/web/server'
import { allSources, type Located, placesOfLocated, type ServedFrom } from '../sessions/located.ts'
import type { Standings } from '../standing/standings.ts'
import type { FleetLine } from './fleet-line.ts'
import type { Runners, Wanted } from './runners.ts'

/** What every act needs. */
export interface Desk {
  readonly served: ServedFrom
  /** A session by its whole id; undefined where there is none. */
  find(id: string): Promise<Located | undefined>
  readonly runners: Runners
  readonly standings: Standings
  readonly line: FleetLine | undefined
}

/** Where messages of the page were written. */
export const from = 'browser'

/** A session that is there. */
export async function found(id: string, desk: Pick<Desk, 'find'>): Promise<Located> {
  const session = await desk.find(id)
  if (session !== undefined) return session
  throw new ActRefused('not_found', `There is no session ${id} here. It may have been deleted.`)
}

/** A session that is there, for a runner of it. */
export async function wantedOf(session: Located, { served, standings }: Desk): Promise<Wanted> {
  const { project } = await standings.followed(session).now()
  return { id: session.id, places: placesOfLocated(session, project?.root ?? null, served), isNew: false }
}

/** Refuses a folder in which Loader has never been used: an act must not create a project. */
export async function requireKnownProject(folder: string, { served }: Desk): Promise<void> {
  if (folder === served.places.root) return
  const sources = await allSources(served)
  if (sources.some(({ where, root, gone }) => typeof where === 'string' && root === folder && !gone)) return
  const message = `${folder} is no project that has sessions on this machine. Begin the first one there: cd ${folder} && loader`
  throw new ActRefused('not_found', message)
}
