import { join } from 'node:path'

/** `root` is a project: its sessions lie in `.loader/sessions`. `directory` is exactly that folder. */
export type FileSessionStorePlace = { readonly root: string } | { readonly directory: string }

/** The folder in which a store for this place keeps its files. */
export function sessionsDirectory(place: FileSessionStorePlace): string {
  return 'root' in place ? join(place.root, '.loader', 'sessions') : place.directory
}
