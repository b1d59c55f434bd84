import { rootOf, type SessionState } from '@loader/session-core'

/** The files that the work has changed, relative to the project where they lie in it. */
export function touchedInProject(state: SessionState): string[] {
  const { turn, touchedFiles } = state
  const folder = rootOf(state)
  const root = folder === undefined ? undefined : `${folder.replace(/[/\\]+$/, '')}/`
  const files = turn?.work.files ?? touchedFiles
  return files.map((path) => (root !== undefined && path.startsWith(root) ? path.slice(root.length) : path))
}
