import { existsSync } from 'node:fs'
import { hasSession } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import { type Places, sessionFolders } from '../places/places.ts'

/** The command that goes on with a session, or why there is none. */
export type WayBack =
  | { readonly kind: 'resume'; readonly command: string }
  | { readonly kind: 'lost'; readonly why: string }

/** Looks at the disk: the project, or what is kept of it, can have been removed during the run. */
export function wayBack(given: Given, { root, project }: Places, sessionId: string): WayBack {
  const { folders } = project()
  if (!sessionFolders(root, folders).some((folder) => hasSession(folder, sessionId))) {
    return { kind: 'lost', why: `Session ${sessionId} was removed from ${folders.sessions} in the meantime.` }
  }
  if (existsSync(root)) return { kind: 'resume', command: resumeCommand(given, sessionId) }
  return {
    kind: 'lost',
    why: `The project was removed from ${root} in the meantime. The session is kept: loader show ${sessionId}`,
  }
}

/** The command that goes on with a session, to be copied into the same shell. */
function resumeCommand(given: Given, sessionId: string): string {
  const folder = given.value('cd')
  return ['loader', ...(folder === undefined ? [] : ['-C', quoted(folder)]), '-r', sessionId].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
