import { type Environment, type EventInput, fold, LoaderError, Session, type StoredEvent } from '@loader/session-core'
import {
  type CrashState,
  crashStates,
  type CrashStateOptions,
  type SimulatedFileSystem,
} from '@loader/test-harness/faults'
import type * as sessionFs from '../src/index.ts'
import type { CommitMode, FileSessionStore, ProcessTable } from '../src/index.ts'

/** What is known at a point of a run: the events that were enqueued, and how many of them were acknowledged. */
export interface Mark {
  readonly submitted: number
  readonly acknowledged: number
  /** Whether `Session.open` had resolved: from then on there is a whole snapshot. */
  readonly opened: boolean
}

export type Disk = SimulatedFileSystem<Mark>

/** The code that is looked at: the package, or a mutant of it. */
export type Subject = Pick<typeof sessionFs, 'FileSessionStore'>

const id = 'crash'
const directory = '/w/.loader/sessions'

/** The process of every run is gone when the next one looks. */
let processes = 0
function newProcess(): ProcessTable {
  processes += 1
  const self = { pid: processes, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  return { self, stateOf: (other) => (other.pid === self.pid ? 'alive' : 'dead') }
}

export function storeOn(
  { FileSessionStore }: Subject,
  disk: Disk,
  commit: CommitMode,
  rotateAfterBytes = 1_200,
): FileSessionStore {
  return new FileSessionStore({ root: '/w' }, { fileSystem: disk, commit, rotateAfterBytes, processes: newProcess() })
}

/** A clock and ids that depend on nothing, so that every run writes the same. */
function environment(): Environment {
  let ticks = 0
  return {
    now: () => new Date(Date.UTC(2026, 0, 1) + 1000 * ticks++).toISOString(),
    newId: (prefix) => `${prefix}_${(ticks += 1)}`,
  }
}

/** A run, and what every event was when it was enqueued. */
export interface Run {
  readonly disk: Disk
  readonly expected: readonly string[]
}

/** Opens or continues the session and records `steps` more events, in groups, with a save now and then. */
export async function run(
  subject: Subject,
  disk: Disk,
  commit: CommitMode,
  steps: number,
  {
    from = [],
    opened = false,
    isLong = false,
  }: { readonly from?: readonly string[]; readonly opened?: boolean; readonly isLong?: boolean } = {},
): Promise<Run> {
  const expected = [...from]
  let mark: Mark = { submitted: from.length, acknowledged: from.length, opened }
  const note = (more: Partial<Mark>) => {
    mark = { ...mark, ...more }
    disk.mark(mark)
  }
  // One that is not sealed has to grow.
  const store = storeOn(subject, disk, commit, isLong ? 100_000 : undefined)
  // Opening records one or two events of its own before anybody can know them.
  note({ submitted: from.length + 2 })
  const opening = from.length === 0
  const session = opening
    ? await Session.open(store, { environment: environment(), id })
    : await Session.load(store, id, { environment: environment() })
  for await (const event of store.read(id)) if (event.seq > expected.length) expected.push(JSON.stringify(event))
  note({ submitted: expected.length, acknowledged: expected.length, opened: true })
  for (let step = 1; step <= steps; step += 1) {
    const group = Array.from({ length: 1 + (step % 3) }, (_unused, index) =>
      custom(expected.length, step, index, isLong ? 1500 : 0),
    )
    note({ submitted: expected.length + group.length })
    const events = group.map((input) => session.record(input))
    expected.push(...events.map((event) => JSON.stringify(event)))
    await session.durable()
    note({ acknowledged: expected.length })
    if (step % 5 === 0) await session.save({ index: false })
  }
  await session.close()
  return { disk, expected }
}

function custom(seq: number, step: number, index: number, more: number): EventInput {
  return { type: 'custom.recorded', name: `step ${step}.${index}`, data: 'x'.repeat(40 + more + ((seq * 37) % 150)) }
}

type Fault = 'damaged' | 'lost' | 'unreadable' | 'phantom' | 'doubled' | 'snapshotInvalid'

export interface Exploration {
  /** Distinct disks that were looked at, and that there were. */
  readonly states: number
  readonly made: number
  readonly faults: Readonly<Record<Fault, number>>
  readonly example: string | undefined
  /** States that can be continued from, with what must be there. */
  readonly kept: readonly { readonly state: CrashState<Mark>; readonly events: readonly string[] }[]
}

/** Looks at every disk that a power cut could leave behind. */
export async function explore(
  subject: Subject,
  { disk, expected }: Run,
  options: CrashStateOptions,
  { every = 1, keepEvery = 0, stopAtFault = false } = {},
): Promise<Exploration> {
  const faults: Record<Fault, number> = {
    damaged: 0,
    lost: 0,
    unreadable: 0,
    phantom: 0,
    doubled: 0,
    snapshotInvalid: 0,
  }
  const kept: { state: CrashState<Mark>; events: readonly string[] }[] = []
  let made = 0
  let states = 0
  let example: string | undefined
  for (const state of crashStates(disk, options)) {
    const mark = state.marks.at(-1)
    if (mark === undefined) continue
    made += 1
    if (made % every !== 0) continue
    states += 1
    const found = await look(subject, state.mount(), expected, mark)
    if (typeof found === 'object') {
      if (keepEvery > 0 && states % keepEvery === 0) kept.push({ state, events: found })
      continue
    }
    faults[found.split(':')[0] as Fault] += 1
    example ??= `${found} ${state.describe()}`
    if (stopAtFault) break
  }
  return { states, made, faults, example, kept }
}

/** The events that are there, or what is wrong with them. */
async function look(
  subject: Subject,
  disk: Disk,
  expected: readonly string[],
  mark: Mark,
): Promise<readonly string[] | string> {
  const snapshot = snapshotOf(disk)
  if (snapshot === 'invalid' || (mark.opened && snapshot === 'missing')) return `snapshotInvalid: ${snapshot}`
  const store = storeOn(subject, disk, 'inline')
  const read: StoredEvent[] = []
  try {
    for await (const event of store.read(id)) read.push(event)
    const { intact, findings } = await store.verify(id)
    if (!intact) return `damaged: ${JSON.stringify(findings)}`
    const { state, events } = await store.claim(id, { owner: { type: 'Look', path: 'look' }, expect: 'existing' })
    const folded = fold(events, state)
    if (folded?.seq !== read.length) return `unreadable: folds to ${folded?.seq}, but ${read.length} events are there`
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    if (error.code === 'session_not_found' && mark.acknowledged === 0) return []
    return `unreadable: ${error.code} ${error.message}`
  }
  const lines = read.map((event) => JSON.stringify(event))
  const wrong = lines.findIndex((line, index) => line !== expected[index])
  if (read.some(({ seq }, index) => seq !== index + 1)) return `doubled: ${read.map(({ seq }) => seq).join(' ')}`
  if (wrong >= 0 && !isOfOpening(expected, wrong)) return `phantom: event ${wrong + 1} is ${lines[wrong]}`
  if (lines.length > mark.submitted) return `phantom: ${lines.length} events, ${mark.submitted} submitted`
  if (lines.length < mark.acknowledged) return `lost: ${lines.length} events, ${mark.acknowledged} acknowledged`
  return lines
}

/** An unfinished opening leaves events that no caller ever saw. */
function isOfOpening(expected: readonly string[], index: number): boolean {
  return index >= expected.length
}

function snapshotOf(disk: Disk): 'valid' | 'invalid' | 'missing' {
  if (disk.statSync(`${directory}/${id}.json`, { throwIfNoEntry: false }) === undefined) return 'missing'
  try {
    const snapshot = JSON.parse(Buffer.from(disk.readFileSync(`${directory}/${id}.json`)).toString('utf8')) as {
      id?: string
    }
    return snapshot.id === id ? 'valid' : 'invalid'
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid'
    throw error
  }
}
