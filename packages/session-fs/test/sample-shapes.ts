import nodeFileSystem, { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fold, parseEvent, Session, type SessionState, type StoredEvent } from '@loader/session-core'
import { systemError } from '@loader/test-harness/faults'
import { FileSessionStore, type FileSystem } from '../src/index.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { environment, fill, load, type Place, record, recordLong, turn } from './sample-sessions.ts'

/** A session as it was left, in a folder of its own. */
export interface Sample {
  /** Folder and id. */
  readonly session: string
  readonly directory: string
  /** Files and folders that belong to it, but for locks. */
  readonly names: readonly string[]
  /** What its files were at earlier moments. */
  readonly older: ReadonlyMap<string, readonly Buffer[]>
}

type Versions = Map<string, Buffer[]>

interface Shape {
  readonly id: string
  readonly make: (store: FileSessionStore, shot: () => void) => Promise<unknown>
}

/** Two sessions of 14 events, a segment and a journal each, as they were written before journals had marks. */
export const unmarkedSessions = fileURLToPath(new URL('fixtures/unmarked', import.meta.url))

const small = { rotateAfterBytes: 1500 }

/** Sessions of every shape that a store leaves behind, each made by the store itself. */
export async function writeSamples({ workspace }: Place): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const [index, { id, make }] of shapes.entries()) {
    const directory = workspace.path(`sample-${index}`)
    const older: Versions = new Map()
    await make(new FileSessionStore({ directory }, small), () => keepVersions(directory, older))
    shortenJournals(directory)
    const all = readdirSync(directory)
    const names = all.filter((name) => name.startsWith(`${id.toLowerCase()}.`) && !name.includes('.lock.'))
    samples.push({ session: `${basename(directory)}/${id}`, directory, names, older })
  }
  return samples
}

function keepVersions(directory: string, older: Versions): void {
  for (const name of readdirSync(directory).filter((each) => /\.jsonl?$/.test(each))) {
    const bytes = shortened(readFileSync(join(directory, name)))
    older.set(name, [...(older.get(name) ?? []), bytes])
  }
}

const unit = 4 * 1024

/** A journal with less filler is as good, and quicker to copy a thousand times. */
function shortened(bytes: Buffer): Buffer {
  const used = bytes.findLastIndex((byte) => byte !== 10) + 1
  return bytes.length % unit === 0 ? bytes.subarray(0, Math.max(1, Math.ceil(used / unit)) * unit) : bytes
}

function shortenJournals(directory: string): void {
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.journal.jsonl'))) {
    const path = join(directory, name)
    writeFileSync(path, shortened(readFileSync(path)))
  }
}

const shapes: readonly Shape[] = [
  { id: 'short', make: (store) => fill(store, 'short', 2) },
  { id: 'live', make: (store) => fill(store, 'live', 8) },
  {
    id: 'long',
    async make(store, shot) {
      const session = await Session.open(store, { environment, id: 'long', title: 'A long one' })
      for (let part = 0; part < 6; part += 1) {
        await record(session, 12)
        shot()
      }
      await session.close()
    },
  },
  {
    id: 'Capital',
    async make(store, shot) {
      await fill(store, 'Capital', 14)
      shot()
      for (let claim = 0; claim < 3; claim += 1) {
        const session = await load(store, 'capital')
        await session.append(turn(`${claim}`, 'An answer. '.repeat(20)))
        await session.close()
        shot()
      }
    },
  },
  { id: 'killed', make: (store, shot) => kill(store, 'killed', 24, 15, shot) },
  {
    id: 'headless',
    async make(store, shot) {
      await kill(store, 'headless', 22, 9, shot)
      rmSync(join(store.directory, 'headless.json'))
    },
  },
  { id: 'torn', make: (store, shot) => tear(store, 'torn', shot) },
  { id: 'holed', make: (store, shot) => tear(store, 'holed', shot, 512) },
  { id: 'refused', make: (store, shot) => refuseSeals(store, 'refused', shot) },
  {
    id: 'texts',
    async make(store, shot) {
      const session = await Session.open(store, { environment, id: 'texts' })
      await recordLong(session, 'long text\n'.repeat(8_000))
      shot()
      await record(session, 6)
      await recordLong(session, 'half a pair \ud800 '.repeat(6_000))
      await session.close()
    },
  },
  { id: 'odd', make: (store, shot) => oddTexts(store, 'odd', shot) },
  {
    id: 'imported',
    async make(store) {
      const session = await Session.open(store, { environment, id: 'imported' })
      const messages = Array.from({ length: 12 }, (_unused, index) => ({
        id: `msg_${index}`,
        role: 'user' as const,
        origin: 'import' as const,
        at: environment.now(),
        content: [{ type: 'text' as const, text: `Words of another program, ${index}.` }],
      }))
      await session.append({ type: 'session.imported', source: { kind: 'other' }, messages })
      await session.append(turn('next', 'It goes on.'))
      await session.close()
    },
  },
  {
    id: 'forked',
    async make(store, shot) {
      await fill(store, 'origin', 30)
      await store.fork('origin', 26, { id: 'between', environment })
      const between = await load(store, 'between')
      await record(between, 14)
      await between.close()
      await store.fork('between', 38, { id: 'forked', environment })
      shot()
      const session = await load(store, 'forked')
      await record(session, 20)
      await session.close()
    },
  },
  {
    id: 'early',
    async make(store) {
      await fill(store, 'origin', 5)
      await store.fork('origin', 3, { id: 'early', environment })
    },
  },
  {
    id: 'salvaged',
    async make(store) {
      await fill(store, 'whole', 40)
      const path = join(store.directory, 'whole.2.json')
      const bytes = readFileSync(path)
      bytes[700] = (bytes[700] as number) ^ 1
      writeFileSync(path, bytes)
      await store.salvage('whole', { as: 'salvaged', environment })
      const session = await load(store, 'salvaged')
      await record(session, 12)
      await session.close()
    },
  },
  { id: 'closed', make: async (store) => cpSync(unmarkedSessions, store.directory, { recursive: true }) },
  { id: 'killed', make: async (store) => cpSync(unmarkedSessions, store.directory, { recursive: true }) },
  { id: 'ses_format-1', make: (store, shot) => fromFixture(store, 'ses_format-1', shot) },
]

/** A session whose writer never came to its end. */
async function kill(store: FileSessionStore, id: string, last: number, savedAt: number, shot: () => void) {
  const events = eventsOf(id, last)
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  for (const [index, event] of events.entries()) {
    await writer.append([event], index % 3 === 2 ? 'os' : 'flush')
    if (index + 1 === savedAt) await writer.save(fold(events.slice(0, savedAt)) as SessionState)
    if (index % 5 === 0) shot()
  }
}

function eventsOf(id: string, last: number): StoredEvent[] {
  return [opened(id), ...Array.from({ length: last - 1 }, (_unused, index) => eventBy(id, index + 2))]
}

/** The last write arrived in part: up to somewhere, or without a sector in its middle. */
async function tear(store: FileSessionStore, id: string, shot: () => void, hole = 0): Promise<void> {
  const events = eventsOf(id, 30)
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  for (const event of events.slice(0, 24)) await writer.append([event], 'flush')
  shot()
  const path = join(store.directory, `${id}.journal.jsonl`)
  const before = readFileSync(path).findLastIndex((byte) => byte !== 10) + 2
  await writer.append(events.slice(24), 'flush')
  const bytes = readFileSync(path)
  const end = bytes.findLastIndex((byte) => byte !== 10)
  // A disk takes whole sectors of a write.
  const from = Math.ceil((hole === 0 ? (before + end) / 2 : before) / 512) * 512
  writeFileSync(path, Buffer.from(bytes).fill(10, from, hole === 0 ? bytes.length : from + hole))
}

/** Segments are published, but the disk has no room for the journals behind them. */
async function refuseSeals(store: FileSessionStore, id: string, shot: () => void): Promise<void> {
  let isFull = false
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    openSync(path: string, flags: string, mode?: number) {
      if (isFull && /\.journal\.jsonl\..*tmp$/.test(path)) throw systemError('ENOSPC', { syscall: 'open', path })
      return nodeFileSystem.openSync(path, flags, mode)
    },
  }
  const refusing = new FileSessionStore({ directory: store.directory }, { ...small, fileSystem })
  const { writer } = await refusing.claim(id, { owner, expect: 'new' })
  for (const event of eventsOf(id, 36)) {
    isFull = event.seq > 14
    await writer.append([event], 'flush')
    if (event.seq % 9 === 0) shot()
  }
}

async function oddTexts(store: FileSessionStore, id: string, shot: () => void): Promise<void> {
  const session = await Session.open(store, { environment, id })
  const texts = [
    '\u2028 and \u2029',
    '"},\n{"type":"x"',
    '],\n"eventChecksums":["0a0b0c0d"]',
    '\ud83d',
    'ä€😀',
    '}],["',
    '["00000000",1,2,1,{',
  ]
  for (const text of [...texts, ...texts]) {
    await session.append({
      type: 'custom.recorded',
      name: 'odd',
      data: [text, { type: text }, [{ seq: 3 }, { seq: 4 }]],
    })
    shot()
  }
  await session.close()
}

/** The frozen session, as a store writes it today. */
async function fromFixture(store: FileSessionStore, id: string, shot: () => void): Promise<void> {
  const file = new URL('../../session-core/test/fixtures/format-1/session.jsonl', import.meta.url)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const events = lines.map((line) => parseEvent(JSON.parse(line)))
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  for (const event of events) {
    await writer.append([event], 'flush')
    if (event.seq % 40 === 0) shot()
  }
  await writer.release()
}
