import { existsSync } from 'node:fs'
import { hasSession } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import { type Places, sessionFolders } from '../places/places.ts'
import type { StoreAddress } from '../settings/store-address.ts'

/** The command that resumes a session, or why there is none. */
export type WayBack =
  | { readonly kind: 'resume'; readonly command: string }
  | { readonly kind: 'lost'; readonly why: string }

/** Looks at the disk: the project, or what is kept of it, can have been removed during the run. */
export function wayBack(
  given: Given,
  { root, project }: Places,
  sessionId: string,
  address: StoreAddress | undefined,
): WayBack {
  const { folders } = project()
  if (address === undefined && !sessionFolders(root, folders).some((folder) => hasSession(folder, sessionId))) {
    return { kind: 'lost', why: `Session ${sessionId} was removed from ${folders.sessions} in the meantime.` }
  }
  if (existsSync(root)) return { kind: 'resume', command: resumeCommand(given, sessionId, address) }
  return {
    kind: 'lost',
    why: `The project was removed from ${root} in the meantime. The session is kept: loader show ${sessionId}`,
  }
}

/** The command that goes on with a session, to be copied into the same shell. A password is left out of it. */
function resumeCommand(given: Given, sessionId: string, address: StoreAddress | undefined): string {
  const folder = given.value('cd')
  const store = given.has('store') ? (address?.typed ?? 'files') : undefined
  return [
    'loader',
    ...(folder === undefined ? [] : ['-C', quoted(folder)]),
    ...(store === undefined ? [] : ['--store', quoted(store)]),
    '-r',
    sessionId,
  ].join(' ')
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
