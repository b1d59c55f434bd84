import type { SessionState } from '@loader/session-core'

/** The files that the work has changed, relative to the project where they lie in it. */
export function touchedInProject({ turn, touchedFiles, project }: SessionState): string[] {
  const root = project === null ? null : `${project.root.replace(/[/\\]+$/, '')}/`
  const files = turn?.work.files ?? touchedFiles
  return files.map((path) => (root !== null && path.startsWith(root) ? path.slice(root.length) : path))
}
