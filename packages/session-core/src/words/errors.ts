/**
 * Every code a LoaderError can carry, with what it means. Programs branch on the code; people read the message,
 * which says what happened, to which thing, and what to do next.
 */
export const errorCodes = {
  invalid_id: 'an id that cannot name a session or a thing in one',
  id_used: 'an id that stands for something of the session already',
  invalid_event: 'an event whose fields do not match its schema',
  impossible_event: 'a well-formed event that cannot follow the events before it',
  invalid_message: 'a message from another program that cannot be read',
  invalid_state: 'a saved state (or snapshot, or segment) that does not match its schema',
  format_newer: 'written by a newer version, in a format this one does not know',
  session_not_found: 'no session has this id',
  session_exists: 'a session with this id is already there',
  session_busy: 'another writer holds the session',
  session_closed: 'the session was closed and takes no more events',
  session_damaged: 'part of the stored session cannot be read and nothing intact covers it',
  session_read_only: 'the session can be read but not continued by this version',
  writer_fenced: 'another writer took the session over',
  storage_full: 'there is no space left; nothing of the refused write was kept',
  storage_refused: 'the storage refused the write as a whole (permissions, read-only folder)',
  storage_uncertain: 'the storage failed in a way that leaves open what was written',
  blob_missing: 'a long text that an event names is not in the store',
  invalid_config: 'settings, rules or arguments that cannot be understood',
  invalid_port: 'a tool, hook, store or another part that the program brings does not keep to its contract',
  unsupported: 'what is at hand (a store, a model, this machine) cannot do this',
  workspace_differs: 'the files of a folder are not those that a session goes on with; nothing was run',
  listener_failed: 'a subscriber threw while it was told about an event',
} as const

/** What a `LoaderError` is about. Programs branch on the code; messages may change. */
export type ErrorCode = keyof typeof errorCodes

const marker = Symbol.for('@loader/session-core/LoaderError')

/** The one error class of all Loader packages. */
export class LoaderError extends Error {
  override readonly name = 'LoaderError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** True for a LoaderError of any copy of this package: two versions may live in one process. */
  static is(error: unknown, code?: ErrorCode): error is LoaderError {
    if (!(error instanceof Error) || !(marker in error)) return false
    return code === undefined || ('code' in error && error.code === code)
  }
}

/** A write that was refused as a whole: none of it is stored, memory and disk agree, and the session can go on. */
export function isStorageRefusal(error: unknown): error is LoaderError {
  return LoaderError.is(error, 'storage_full') || LoaderError.is(error, 'storage_refused')
}
