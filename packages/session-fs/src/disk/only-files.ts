import { constants } from 'node:buffer'
import type { FileFacts } from './file-system.ts'

/** No text of this length can be held, so that no file of a session is this long. */
const mostBytes = constants.MAX_STRING_LENGTH

/**
 * Something stands where a file belongs that must not be opened: to read a pipe or a device may never end, and a folder or a
 * file of such a length is nothing that this program wrote.
 */
export class NotAFile extends Error {
  readonly code: 'EISDIR' | 'EFTYPE'
  readonly path: string
  /** What it is instead. */
  readonly what: string
  /** As Node names a call that leaves everything as it was. */
  readonly syscall = 'open'

  constructor(path: string, { what, code = 'EFTYPE' }: { readonly what: string; readonly code?: NotAFile['code'] }) {
    super(`${path} is ${what}, where a file of a session belongs`)
    this.code = code
    this.path = path
    this.what = what
  }
}

/** Links count as what they lead to. This does not protect against a file that is replaced between this check and its opening. */
export function requireFile(path: string, facts: FileFacts | undefined): void {
  if (facts === undefined) return
  if (facts.isDirectory()) throw new NotAFile(path, { what: 'a folder', code: 'EISDIR' })
  if (!facts.isFile()) throw new NotAFile(path, { what: 'a pipe, a socket or a device' })
  if (facts.size > mostBytes) throw new NotAFile(path, { what: `longer than any (${facts.size} bytes)` })
}
