import {
  type Claim,
  LoaderError,
  parseEvent,
  type SessionStore,
  type SessionWriter,
  type StoredEvent,
} from '@loader/session-core'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of events for each session, and nothing else: enough to outlive a process. */
export function linesStore(folder: string): SessionStore {
  const fileOf = (id: string) => join(folder, `${id}.lines`)
  return {
    async list() {
      return { rows: [] }
    },
    async *read(id) {
      yield* eventsIn(fileOf(id), id)
    },
    async readBlob(id, blob) {
      throw new LoaderError('blob_missing', `Session ${id} has no text ${blob}.`)
    },
    async claim(id, { expect }): Promise<Claim> {
      const events = expect === 'new' ? [] : eventsIn(fileOf(id), id)
      const epoch = 1 + events.filter(({ type }) => type === 'session.claimed').length
      return { writer: writerOf(fileOf(id), id, epoch), state: null, events, report: { findings: [] } }
    },
    async delete() {},
  }
}

function writerOf(file: string, id: string, epoch: number): SessionWriter {
  return {
    id,
    epoch,
    blobs: {
      put: () => Promise.reject(new Error('There are no blobs here.')),
      get: () => Promise.reject(new Error('There are no blobs here.')),
    },
    async append(events) {
      appendFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    },
    async save() {},
    async release() {},
  }
}

function eventsIn(file: string, id: string): StoredEvent[] {
  if (!existsSync(file)) throw new LoaderError('session_not_found', `There is no session ${id}.`)
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => parseEvent(JSON.parse(line)))
}
