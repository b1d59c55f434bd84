import type { SessionStore } from '@loader/session-core'
import type { DiffAnswer, DiffRequest, ListAnswer, ListRequest, SessionAnswer, Standing } from '../../protocol.ts'

/** What the server needs of the program that starts it. It only ever reads. */
export interface ServedSessions {
  /** A page of the sessions, newest first, as they are right now. */
  list(query: ListRequest): Promise<ListAnswer>
  /** A session by its whole id; undefined where there is none. */
  find(id: string): Promise<ServedSession | undefined>
}

/** One session, and what is known of its files. */
export interface ServedSession {
  readonly store: Pick<SessionStore, 'read' | 'readBlob' | 'watch'>
  /** Its row as it is now. */
  row(): Promise<SessionAnswer>
  /** What a call, a turn, or all of them changed in files. */
  diff(wanted: DiffRequest): Promise<DiffAnswer>
  /** How it stands with those who work on it. */
  standing(): Promise<Standing>
  /** All of it in one file, with secrets replaced. */
  exported(format: 'json' | 'html' | 'markdown'): Promise<{ readonly text: string; readonly type: string }>
  /** The same session with secrets replaced, for a link that is passed on. */
  redacted(): Promise<ServedSession>
}
