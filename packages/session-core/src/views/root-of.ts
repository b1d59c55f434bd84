import type { SessionState } from '../state/state.ts'

/** The folder that the session works in; undefined for a session without a project. It may have been begun elsewhere. */
export function rootOf({ place, project }: Pick<SessionState, 'place' | 'project'>): string | undefined {
  return place?.since === undefined ? project?.root : place.root
}
