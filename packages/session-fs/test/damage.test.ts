import {
  fold,
  LoaderError,
  reduce,
  type SessionState,
  type SessionWriter,
  type StoredEvent,
  summarize,
} from '@loader/session-core'
import { tier, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { FileSessionStore } from '../src/index.ts'
import { claimedBy, opened, owner, randomNumbers } from './children/events.ts'
import { MemoryFileSystem } from './memory-file-system.ts'

/** `all`, or how many flips and cuts of the small stores are tried. */
const flips = tier === 'long' ? 'all' : `${times({ quick: 40, ci: 1200 })}`
const flipsOfLarge = times({ quick: 10, ci: 250, long: 50_000 })

const directory = '/w/sessions'
const at = '2026-01-01T00:00:00.000Z'
const journal = `${directory}/one.journal.jsonl`
const snapshot = `${directory}/one.json`

/** A session as it was left, and what it holds. */
interface Sample {
  readonly name: string
  readonly disk: MemoryFileSystem
  readonly events: readonly StoredEvent[]
  readonly lines: readonly string[]
  /** Where the events stand in the files that are the truth. */
  readonly units: readonly Unit[]
  /** What a good snapshot covers. */
  readonly headSeq: number
}

/** The bytes that have to be intact for an event to be. */
interface Unit {
  readonly path: string
  readonly seq: number
  readonly start: number
  readonly end: number
}

function storeOn(disk: MemoryFileSystem, rotateAfterBytes = 100_000): FileSessionStore {
  const self = { pid: 2, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  return new FileSessionStore(
    { directory },
    {
      commit: 'inline',
      rotateAfterBytes,
      fileSystem: disk,
      processes: { self, stateOf: ({ pid }) => (pid === self.pid ? 'alive' : 'dead') },
    },
  )
}

function event(seq: number, size: number): StoredEvent {
  const data = ['ä"\n'.padEnd(size, 'x'), { type: 'text', seq }, { type: 'text' }]
  return { type: 'custom.recorded', seq, at, name: 'sample', data }
}

interface Making {
  readonly name: string
  /** Seqs after which a segment is sealed. */
  readonly seals: readonly number[]
  readonly last: number
  readonly size: number
  /** The event at which the snapshot is saved last; 0 for none. */
  readonly savedAt: number
}

/** Writes a session: two events at a time now and then, the seals and the snapshot where they are wanted. */
async function make({ name, seals, last, size, savedAt }: Making): Promise<Sample> {
  const disk = new MemoryFileSystem()
  const events: StoredEvent[] = [opened('one'), claimedBy(1, 2)]
  for (let seq = 3; seq <= last; seq += 1) events.push(event(seq, size))
  const write = async (from: number, to: number, rotateAfterBytes?: number) => {
    const store = storeOn(disk, rotateAfterBytes)
    const { writer } = await store.claim('one', { owner, expect: from === 0 ? 'new' : 'existing' })
    await appendInGroups(writer, events.slice(from, to))
    if (savedAt > from && savedAt <= to) await writer.save(fold(events.slice(0, savedAt)) as SessionState)
    await writer.release()
  }
  let from = 0
  for (const to of [...seals, last]) {
    await write(from, to)
    // Before it appends anything, this writer seals what was left live.
    if (to < last) await write(to, to + 1, 1)
    from = to + 1
  }
  if (savedAt === 0) disk.unlinkSync(snapshot)
  const lines = events.map((each) => JSON.stringify(each))
  return { name, disk, events, lines, units: unitsOf(disk, lines), headSeq: savedAt }
}

async function appendInGroups(writer: SessionWriter, events: readonly StoredEvent[]): Promise<void> {
  for (let index = 0; index < events.length;) {
    const count = index % 5 === 0 ? 2 : 1
    await writer.append(events.slice(index, index + count), 'flush')
    index += count
  }
}

function unitsOf(disk: MemoryFileSystem, lines: readonly string[]): Unit[] {
  return [...disk.files()].flatMap(([path, bytes]) => {
    if (!path.startsWith(`${directory}/one.`) || path === snapshot || path.includes('.lock.')) return []
    const buffer = Buffer.from(bytes)
    return lines.flatMap((line, index) => {
      const found = buffer.indexOf(line)
      if (found < 0) return []
      // A record's checksum covers what stands before the event in its line, and the bracket behind it.
      const start = path === journal ? buffer.lastIndexOf('\n', found) + 1 + '["00000000"'.length : found
      const end = found + Buffer.byteLength(line) + (path === journal ? 1 : 0)
      return [{ path, seq: index + 1, start, end }]
    })
  })
}

type Outcome = 'whole' | 'with a gap, and said so' | 'shorter, and said so' | 'refused'

interface Damage {
  readonly path: string
  /** What it says for people. */
  readonly what: string
  /** Where it begins, and whether everything behind it is gone as well. */
  readonly offset: number
  readonly isCut: boolean
}

function flip(disk: MemoryFileSystem, path: string, offset: number, bit: number): Damage {
  const bytes = Buffer.from(disk.readFileSync(path))
  bytes[offset] = (bytes[offset] as number) ^ (1 << bit)
  disk.put(path, bytes)
  return { path, what: `bit ${bit} of byte ${offset} of ${path}`, offset, isCut: false }
}

function cut(disk: MemoryFileSystem, path: string, length: number): Damage {
  disk.put(path, Buffer.from(disk.readFileSync(path).subarray(0, length)))
  return { path, what: `${path} cut to ${length} bytes`, offset: length, isCut: true }
}

/** Events of which no copy is left, and which no snapshot covers. */
function lostBy(sample: Sample, damage: Damage): number[] {
  const covered = damage.path === snapshot ? 0 : sample.headSeq
  return hitBy(sample, damage).filter((seq) => seq > covered)
}

function hitBy({ units, lines }: Sample, { path, offset, isCut }: Damage): number[] {
  const intact = new Set(
    units
      .filter((unit) => unit.path !== path || (isCut ? unit.end <= offset : offset < unit.start || offset >= unit.end))
      .map(({ seq }) => seq),
  )
  return lines.map((_line, index) => index + 1).filter((seq) => !intact.has(seq))
}

/** Reads, lists, verifies and claims what was damaged, and says how it went. Anything silently wrong is an error. */
async function look(sample: Sample, disk: MemoryFileSystem, damage: Damage): Promise<Outcome> {
  const store = storeOn(disk)
  const before = disk.changes
  await requireRightRead(sample, store, damage)
  await requireRightRow(sample, store, damage)
  expect(disk.changes, `${damage.what}: reading wrote something`).toBe(before)
  const { outcome, isReported } = await claimed(sample, storeOn(new MemoryFileSystem(disk)), damage)
  // What a claim had no need to read is found by who looks at everything. Locks and the list are no events.
  const matters = !/\.lock\.|_index/.test(damage.path)
  if (matters && !isReported)
    expect((await store.verify('one')).findings, `${damage.what}: not reported`).not.toEqual([])
  return outcome
}

async function requireRightRead({ lines }: Sample, store: FileSessionStore, { what }: Damage): Promise<void> {
  let next = 0
  try {
    for await (const each of store.read('one')) {
      if (JSON.stringify(each) !== lines[next]) throw new Error(`${what}: read gives ${JSON.stringify(each)}`)
      next += 1
    }
  } catch (error) {
    if (!LoaderError.is(error, 'session_damaged')) throw error
  }
}

async function requireRightRow(sample: Sample, store: FileSessionStore, damage: Damage): Promise<void> {
  for (const query of [{}, { check: true }]) {
    const { rows } = await store.list(query)
    const { events, lines } = sample
    const { what } = damage
    expect(rows.length, `${what}: listed ${JSON.stringify(query)}`).toBe(1)
    const [row] = rows
    if (row === undefined || row.status === 'damaged') continue
    // A session that goes on over a gap is at its end, and tells of the gap.
    const goesOn = row.seq === lines.length && row.messages === 1
    if (goesOn && (lostBy(sample, damage).length > 0 || isOfLastRecord(sample, damage))) continue
    const { gaps = [], ...rest } = row
    expect(rest, `${what}: listed ${JSON.stringify(query)}`).toEqual(rowAt(events, row.seq))
    if (isOfLastRecord(sample, damage)) continue
    const hit = hitBy(sample, damage)
    expect(
      gaps.filter(({ first, last }) => !hit.includes(first) || !hit.includes(last)),
      `${what}: gaps`,
    ).toEqual([])
  }
}

const rows = new WeakMap<readonly StoredEvent[], unknown[]>()

function rowAt(events: readonly StoredEvent[], seq: number): unknown {
  const known =
    rows.get(events) ?? events.map((_event, index) => JSON.parse(JSON.stringify(summarize(stateAt(events, index + 1)))))
  rows.set(events, known)
  return known[seq - 1]
}

const states = new WeakMap<readonly StoredEvent[], SessionState[]>()

function stateAt(events: readonly StoredEvent[], seq: number): SessionState {
  const known = states.get(events) ?? foldEach(events)
  states.set(events, known)
  return known[seq - 1] as SessionState
}

function foldEach(events: readonly StoredEvent[]): SessionState[] {
  let state = fold(events.slice(0, 1)) as SessionState
  return [state, ...events.slice(1).map((each) => (state = reduce(state, each)))]
}

interface Claimed {
  readonly outcome: Outcome
  readonly isReported: boolean
}

async function claimed(sample: Sample, store: FileSessionStore, damage: Damage): Promise<Claimed> {
  const lost = lostBy(sample, damage)
  try {
    const { writer, state, events, report } = await store.claim('one', { owner, expect: 'existing' })
    const folded = fold(events, state)
    const seq = folded?.seq ?? 0
    await writer.release()
    if (folded?.gaps !== undefined) {
      requireOnlyLost(sample, events, damage)
      expect(report.findings.map(({ what }) => what)).toContain('lost_events')
      return { outcome: 'with a gap, and said so', isReported: true }
    }
    if (JSON.stringify(folded) !== JSON.stringify(stateAt(sample.events, seq)))
      throw new Error(`${damage.what}: another state`)
    if (seq === sample.lines.length) return { outcome: 'whole', isReported: report.findings.length > 0 }
    expect(report.findings, `${damage.what}: ends at ${seq} and does not say so`).not.toEqual([])
    const isKnownLoss = seq + 1 === lost[0] || isOfLastRecord(sample, damage)
    if (!isKnownLoss) throw new Error(`${damage.what}: ends at ${seq}, but what is lost is ${lost.join(' ')}`)
    return { outcome: 'shorter, and said so', isReported: true }
  } catch (error) {
    if (!LoaderError.is(error, 'session_damaged')) throw error
    if (lost.length === 0)
      throw new Error(`${damage.what}: refused, though a copy of each event is left`, { cause: error })
    return { outcome: 'refused', isReported: true }
  }
}

/** What is intact is there as it was written, and what is not is said to be lost. */
function requireOnlyLost(sample: Sample, events: readonly StoredEvent[], damage: Damage): void {
  const lost = lostBy(sample, damage)
  for (const each of events) {
    if (each.type !== 'event.lost') expect(JSON.stringify(each), `${damage.what}`).toBe(sample.lines[each.seq - 1])
    else if (!lost.includes(each.seq) && !isOfLastRecord(sample, damage))
      throw new Error(`${damage.what}: event ${each.seq} is said to be lost, though a copy of it is left`)
  }
  // What a cut took away altogether is lost without a trace.
  if (!damage.isCut) expect(events.at(-1)?.seq, `${damage.what}`).toBe(sample.lines.length)
}

/** Nothing stands behind the last record that could prove it when its own checksum is hit. */
function isOfLastRecord({ units, lines }: Sample, { path, offset }: Damage): boolean {
  const last = units.find((unit) => unit.path === journal && unit.seq === lines.length)
  return last !== undefined && path === journal && offset >= last.start - '["00000000"'.length && offset < last.end
}

/** Bytes that something was written to; the space behind the records of a journal counts a little. */
function usedOf(path: string, bytes: Uint8Array): number {
  return path === journal ? bytes.findLastIndex((byte) => byte !== 10) + 18 : bytes.length
}

function* everyDamage(disk: MemoryFileSystem): Generator<(onto: MemoryFileSystem) => Damage> {
  for (const [path, bytes] of disk.files()) {
    const used = usedOf(path, bytes)
    for (let offset = 0; offset < used; offset += 1) {
      for (let bit = 0; bit < 8; bit += 1) yield (onto) => flip(onto, path, offset, bit)
      yield (onto) => cut(onto, path, offset)
    }
  }
}

function tally(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const small = { seals: [4, 8], last: 18, size: 8 }

describe('a damaged session', () => {
  test.each([
    { ...small, name: 'with a snapshot older than its journal', savedAt: 12 },
    { ...small, name: 'with a snapshot that is up to date', savedAt: 18 },
    { ...small, name: 'without a snapshot', savedAt: 0 },
  ])(`is never wrong in silence, $name (${flips} flips of a bit and cuts)`, { timeout: 3_600_000 }, async (making) => {
    const sample = await make(making)
    expect([...sample.disk.files().keys()].filter((path) => /one\.\d\.json$/.test(path))).toHaveLength(2)
    const all = [...everyDamage(sample.disk)]
    const step = flips === 'all' ? 1 : Math.max(1, Math.floor(all.length / Number(flips)))
    const counts = new Map<string, number>()
    for (let index = 0; index < all.length; index += step) {
      const disk = new MemoryFileSystem(sample.disk)
      const damage = (all[index] as (onto: MemoryFileSystem) => Damage)(disk)
      tally(counts, await look(sample, disk, damage))
    }
    console.log(`${making.name}: ${Math.ceil(all.length / step)} of ${all.length} flips and cuts`, counts)
  })

  test(
    `is never wrong in silence when it is large (${flipsOfLarge} flips of a bit)`,
    { timeout: 3_600_000 },
    async () => {
      const sample = await make({ name: 'large', seals: [60, 120, 180], last: 240, size: 900, savedAt: 150 })
      const random = randomNumbers(5)
      const files = [...sample.disk.files()].map(([path, bytes]) => ({ path, used: usedOf(path, bytes) }))
      const total = files.reduce((sum, { used }) => sum + used, 0)
      const counts = new Map<string, number>()
      for (let index = 0; index < flipsOfLarge; index += 1) {
        let place = Math.floor(random() * total)
        const file = files.find(({ used }) => (place -= used) < 0) as { path: string; used: number }
        const disk = new MemoryFileSystem(sample.disk)
        tally(counts, await look(sample, disk, flip(disk, file.path, place + file.used, Math.floor(random() * 8))))
      }
      console.log(`large, ${total} bytes: ${flipsOfLarge} flips`, counts)
      expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBe(flipsOfLarge)
    },
  )
})
