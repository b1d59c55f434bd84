import nodeFileSystem, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EventInput, JsonValue, type LoadOptions, Session, type StoredEvent } from '@loader/session-core'
import { fixedEnvironment, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { systemError } from '@loader/test-harness/faults'
import { FileSessionStore, type FileSessionStoreOptions, type FileSystem, type ProcessTable } from '../src/index.ts'
import { opened, owner } from './children/events.ts'

export const environment = fixedEnvironment()

/** Processes that live until they are killed, all of them in this one. */
export function processTable(): { readonly table: ProcessTable; next(): ProcessTable } {
  let alive = 1
  const tableOf = (pid: number): ProcessTable => ({
    self: { pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null },
    stateOf: (other) => (other.pid === alive ? 'alive' : 'dead'),
  })
  return {
    table: tableOf(alive),
    next() {
      alive += 1
      return tableOf(alive)
    },
  }
}

/** A store over a real folder, with its files at hand. */
export interface Place extends AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly store: FileSessionStore
  readonly directory: string
  open(options?: FileSessionStoreOptions): FileSessionStore
  path(name: string): string
  names(): string[]
  /** Every file of the folder and below, by path. */
  bytes(prefix?: string): Record<string, string>
  damage(name: string, change: (bytes: Buffer) => Buffer | void): void
}

export async function place(options: FileSessionStoreOptions = {}): Promise<Place> {
  const workspace = await temporaryWorkspace()
  const open: Place['open'] = (changes = {}) =>
    new FileSessionStore({ root: workspace.root }, { rotateAfterBytes: 1_500, ...options, ...changes })
  const store = open()
  const path = (name: string) => join(store.directory, name)
  return {
    workspace,
    store,
    directory: store.directory,
    open,
    path,
    names: () => readdirSync(store.directory).sort(),
    bytes: (prefix = '') => bytesBelow(store.directory, prefix),
    damage(name, change) {
      const bytes = readFileSync(path(name))
      writeFileSync(path(name), change(bytes) ?? bytes)
    },
    [Symbol.asyncDispose]: () => workspace.dispose(),
  }
}

function bytesBelow(directory: string, prefix: string): Record<string, string> {
  if (!existsSync(directory)) return {}
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) => path.includes(prefix))
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(directory.length + 1), readFileSync(path, 'latin1')]),
  )
}

export function custom(size = 100): EventInput {
  return { type: 'custom.recorded', name: 'sample', data: 'x'.repeat(size) }
}

/** A session with this many events of its own, closed and sealed several times on the way. */
export async function fill(store: FileSessionStore, id: string, count: number): Promise<void> {
  const session = await Session.open(store, { environment, id, title: `Session ${id}` })
  await record(session, count)
  await session.close()
}

export async function record(session: Session, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await session.append(custom(80 + (index % 5) * 30))
}

/** Records these texts, each of which is too long to stand in its event, and returns their blobs. */
export async function recordLong(session: Session, ...texts: readonly string[]): Promise<string[]> {
  const stored = await Promise.all(texts.map((text) => session.storeText(text)))
  for (const text of stored) await session.append({ type: 'custom.recorded', name: 'long', data: plain(text) })
  return stored.map((text) => {
    if (typeof text === 'string') throw new Error('A text was stored in its event, because it is not long enough.')
    return text.blob
  })
}

/** Leaves a session of three events, of which each is as it was written, but the second cannot follow the first. */
export async function leaveImpossible(store: FileSessionStore, id: string): Promise<void> {
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  const first = opened(id)
  await writer.append(
    [
      first,
      { type: 'tool.started', seq: 2, at: first.at, callId: 'none' },
      { type: 'session.titled', seq: 3, at: first.at, title: 'x', by: 'user' },
    ],
    'flush',
  )
  await writer.release()
}

/** A turn that is answered with this text. */
export function turn(name: string, text: string): EventInput[] {
  return [
    { type: 'input.queued', inputId: `in_${name}`, text: `Ask ${name}` },
    { type: 'turn.started', turnId: `turn_${name}`, inputId: `in_${name}` },
    { type: 'model.asked', requestId: `req_${name}`, purpose: 'answer', attempt: 1 },
    {
      type: 'model.answered',
      requestId: `req_${name}`,
      content: [{ type: 'text', text }],
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 4 },
    },
    { type: 'turn.finished', turnId: `turn_${name}`, reason: 'turn_complete', responseId: `req_${name}` },
  ]
}

export async function load(store: FileSessionStore, id: string, options: Partial<LoadOptions> = {}): Promise<Session> {
  return Session.load(store, id, { environment, ...options })
}

/** The file system, but for one file that may not be opened. */
export function forbidding(forbidden: string): FileSystem {
  return {
    ...nodeFileSystem,
    readFileSync(path: string) {
      if (path === forbidden) throw systemError('EACCES', { syscall: 'open', path })
      return nodeFileSystem.readFileSync(path)
    },
  }
}

/** The events as they are written. */
export async function linesOf(store: FileSessionStore, id: string, fromSeq = 1): Promise<string[]> {
  const lines: string[] = []
  for await (const event of store.read(id, { fromSeq })) lines.push(JSON.stringify(event))
  return lines
}

export async function eventsOf(store: FileSessionStore, id: string, fromSeq = 1): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id, { fromSeq })) events.push(event)
  return events
}

/** The value as JSON has it. */
export function plain(value: unknown): JsonValue {
  return JsonValue.parse(JSON.parse(JSON.stringify(value)))
}
