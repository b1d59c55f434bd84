import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fold, LoaderError, Session, type SessionState } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import { SimulatedFileSystem, systemError } from '@loader/test-harness/faults'
import { explore, type Mark, run, storeOn, type Subject } from './crash-scenario.ts'

/** The package with one obligation taken out, and a place where that must show. */
export interface Mutant {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly put: string
  readonly hunt: Hunt
}

/** Looks for harm; tells the state in which it was found, or undefined. */
export type Hunt = (subject: Subject) => Promise<string | undefined>

const root = new URL('..', import.meta.url).pathname

/** The file with its change. One that fits nowhere, or in two places, is an error. */
export function mutated({ name, file, find, put }: Mutant): string {
  const source = readFileSync(join(root, 'src', file), 'utf8')
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`Mutant "${name}" fits in ${places} places of ${file}; adjust it to the sources.`)
  return source.replace(find, () => put)
}

/** A copy of the sources with one change, loaded. */
export async function load(mutant: Mutant): Promise<Subject> {
  const folder = join(root, '.mutants', mutant.name.replace(/[^a-z0-9]+/gi, '-'))
  const source = mutated(mutant)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'src'), folder, { recursive: true })
  writeFileSync(join(folder, mutant.file), source)
  return (await import(pathToFileURL(join(folder, 'index.ts')).href)) as Subject
}

const newDisk = () => new SimulatedFileSystem<Mark>({ directories: ['/w'] })

async function harmIn(subject: Subject, work: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work()
  } catch (error) {
    if (LoaderError.is(error)) return `${error.code}: ${error.message}`
    throw error
  }
}

/** Power cuts at every moment, committing in this way. */
export const powerCut =
  (commit: 'inline' | 'pool' = 'inline'): Hunt =>
  (subject) =>
    harmIn(subject, async () => {
      const first = await run(subject, newDisk(), commit, 14)
      const { example } = await explore(subject, first, { randomSubsets: 12 }, { stopAtFault: true })
      return example
    })

/** A power cut, going on, and another power cut. */
export const secondPowerCut: Hunt = (subject) =>
  harmIn(subject, async () => {
    const first = await run(subject, newDisk(), 'inline', 6)
    const { kept } = await explore(subject, first, { randomSubsets: 6 }, { keepEvery: 20 })
    for (const { state, events } of kept) {
      if (events.length === 0) continue
      const opened = state.marks.at(-1)?.opened === true
      const goesOn = await harmIn(subject, async () => {
        const second = await run(subject, state.mount(), 'inline', 3, { from: events, opened })
        const { example } = await explore(subject, second, { randomSubsets: 2, exhaustive: 3 }, { stopAtFault: true })
        return example
      })
      if (goesOn !== undefined) return `${state.describe()}, then ${goesOn}`
    }
    return undefined
  })

const owner = { type: 'Test', path: 'test' }
const at = '2026-01-01T00:00:00.000Z'
const opened = { type: 'session.opened', seq: 1, at, format: 1, id: 'crash' } as const
const custom = (seq: number, name: string) => ({ type: 'custom.recorded', seq, at, name, data: null }) as const

function outcomeOf(append: Promise<void>): Promise<'acknowledged' | 'refused'> {
  return append.then(
    () => 'acknowledged',
    () => 'refused',
  )
}

async function linesOn(subject: Subject, disk: SimulatedFileSystem<Mark>): Promise<string[]> {
  const lines: string[] = []
  for await (const event of storeOn(subject, disk, 'inline').read('crash')) lines.push(JSON.stringify(event))
  return lines
}

/** A live writer is displaced and goes on as if nothing had happened. */
export const takeover: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const old = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
    await old.writer.append([opened], 'flush')
    const taken = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing', takeover: true })
    await taken.writer.append([custom(2, 'new')], 'flush')
    const late = await outcomeOf(old.writer.append([custom(2, 'old')], 'flush'))
    return late === 'acknowledged' ? 'a displaced writer was told that its event was stored' : undefined
  })

/** A writer is displaced that has begun no journal yet, and appends once its successor has been told of an event. */
export const takeoverBeforeFirst: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const closed = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
    await closed.writer.append([opened], 'flush')
    await closed.writer.save(fold([opened]) as SessionState)
    await closed.writer.release()
    const old = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing' })
    const taken = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing', takeover: true })
    await taken.writer.append([custom(2, 'new')], 'flush')
    const late = await outcomeOf(old.writer.append([custom(2, 'old')], 'flush'))
    if (late === 'acknowledged') return 'a displaced writer was told that its event was stored'
    const lines = await linesOn(subject, disk)
    return lines.includes(JSON.stringify(custom(2, 'new')))
      ? undefined
      : `what was acknowledged is gone: ${lines.join()}`
  })

/** A live writer is displaced right after a save, and writes before its successor does, which then has nothing to write. */
export const takeoverOfSaved: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const old = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
    await old.writer.append([opened], 'flush')
    await old.writer.save(fold([opened]) as SessionState)
    const taken = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing', takeover: true })
    const late = await outcomeOf(old.writer.append([custom(2, 'old')], 'flush'))
    if (late === 'acknowledged') return 'a displaced writer was told that its event was stored'
    await taken.writer.release()
    const lines = await linesOn(subject, disk)
    return lines.length === 1 ? undefined : `what was refused to a displaced writer is there: ${lines.join()}`
  })

/** A live writer is displaced between two of its calls: its successor has read what there was when the record arrives. */
export const takeoverBetween: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const old = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
    await old.writer.append([opened], 'flush')
    const write = disk.writeSync.bind(disk)
    let claiming: ReturnType<ReturnType<typeof storeOn>['claim']> | undefined
    disk.writeSync = (fd, data, offset, length, position) => {
      const text = Buffer.from(data).toString('utf8', offset, offset + length)
      if (text.includes('"old"'))
        claiming ??= storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing', takeover: true })
      return write(fd, data, offset, length, position)
    }
    const late = await outcomeOf(old.writer.append([custom(2, 'old')], 'flush'))
    if (claiming === undefined) throw new Error('The record did not arrive.')
    const { writer } = await claiming
    await writer.append([custom(2, 'new')], 'flush')
    return late === 'acknowledged' ? 'an event that was acknowledged to a displaced writer is lost' : undefined
  })

/** Another program puts an older copy of the journal under its name, and the writer goes on. */
export const replacedJournal: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const { writer } = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
    await writer.append([opened], 'flush')
    const journal = '/w/.loader/sessions/crash.journal.jsonl'
    const older = disk.files()[journal] as Uint8Array
    await writer.append([custom(2, 'before')], 'flush')
    const fd = disk.openSync('/w/restored', 'wx')
    disk.writeSync(fd, older, 0, older.length, 0)
    disk.closeSync(fd)
    disk.renameSync('/w/restored', journal)
    const outcome = await outcomeOf(writer.append([custom(3, 'after')], 'flush'))
    const lines = await linesOn(subject, disk.afterKill())
    if (outcome === 'refused' || lines.length === 3) return undefined
    return `three events were acknowledged, ${lines.length} are there`
  })

/** Power cuts between a claim and its first save: only the journal holds what was acknowledged. */
export const unsavedPowerCut: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const first = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
    await first.writer.append([opened, custom(2, 'first')], 'flush')
    // A session without a snapshot gets one with its next record, and with that each name becomes durable.
    await first.writer.save(fold([opened, custom(2, 'first')]) as SessionState)
    const second = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing' })
    await second.writer.append([custom(3, 'second')], 'flush')
    disk.mark({ submitted: 3, acknowledged: 3, opened: false })
    const expected = [opened, custom(2, 'first'), custom(3, 'second')].map((event) => JSON.stringify(event))
    const { example } = await explore(subject, { disk, expected }, {}, { stopAtFault: true })
    return example
  })

/** A power cut takes the locks, which nobody flushes, and spares a record of the newest claim. */
export const lostLocks: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const environment = fixedEnvironment()
    const first = await Session.open(storeOn(subject, disk, 'inline'), { environment, id: 'crash' })
    await first.close()
    const second = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'existing' })
    const claimed = { type: 'session.claimed', seq: 3, at, epoch: second.writer.epoch, owner } as const
    await second.writer.append([claimed], 'flush')
    for (const epoch of [1, 2]) {
      const lock = `/w/.loader/sessions/crash.lock.${epoch}`
      if (disk.statSync(lock, { throwIfNoEntry: false })) disk.unlinkSync(lock)
    }
    const third = await Session.load(storeOn(subject, disk, 'inline'), 'crash', { environment })
    return third.epoch > second.writer.epoch ? undefined : `epoch ${third.epoch} was given twice`
  })

/** A write that the file system takes only in part, and refuses the rest of. */
export const refusedWrite: Hunt = (subject) =>
  harmIn(subject, async () => {
    const disk = newDisk()
    const store = storeOn(subject, disk, 'inline')
    const { writer } = await store.claim('crash', { owner, expect: 'new' })
    await writer.append([opened], 'flush')
    const write = disk.writeSync.bind(disk)
    let isFull = true
    disk.writeSync = (fd, data, offset, length, position) => {
      const text = Buffer.from(data).toString('utf8', offset, offset + length)
      if (!isFull || !text.includes('refused')) return write(fd, data, offset, length, position)
      isFull = false
      // The whole line arrives, and then the call says that there was no space.
      write(fd, data, offset, length, position)
      throw systemError('ENOSPC', { syscall: 'write' })
    }
    const outcome = await writer.append([custom(2, 'refused')], 'flush').catch((error: unknown) => error)
    if (!LoaderError.is(outcome, 'storage_full')) return 'the refusal was not told'
    const seen: number[] = []
    for await (const event of storeOn(subject, disk.afterKill(), 'inline').read('crash')) seen.push(event.seq)
    return seen.length === 1 ? undefined : `an event that was refused is there: ${seen.join(' ')}`
  })

/** A record from elsewhere stands in the place of the true one. */
export const foreignRecord: Hunt = (subject) =>
  harmIn(subject, async () => {
    const [mine, other] = [await journalOf(subject, 'mine'), await journalOf(subject, 'other')]
    const lines = mine.text.split('\n')
    const second = other.text.split('\n')[1] as string
    const spliced = [lines[0], second, ...lines.slice(2)].join('\n')
    const disk = new SimulatedFileSystem<Mark>({ files: { ...mine.files, [mine.path]: spliced } })
    const seen: string[] = []
    try {
      for await (const event of storeOn(subject, disk, 'inline').read('crash')) seen.push(JSON.stringify(event))
    } catch (error) {
      // As it has to be: what was acknowledged in that place cannot be read.
      if (!LoaderError.is(error, 'session_damaged')) throw error
    }
    return seen.some((line) => line.includes('other'))
      ? 'a record of another history was read as if it were ours'
      : undefined
  })

async function journalOf(subject: Subject, name: string) {
  const disk = newDisk()
  const { writer } = await storeOn(subject, disk, 'inline').claim('crash', { owner, expect: 'new' })
  // Something differs before the record that is swapped, as it does between two attempts at the same history.
  await writer.append([{ ...opened, title: name }], 'flush')
  await writer.append([custom(2, name)], 'flush')
  await writer.append([custom(3, 'same')], 'flush')
  const files = disk.files()
  const path = '/w/.loader/sessions/crash.journal.jsonl'
  return { path, files, text: Buffer.from(files[path] as Uint8Array).toString('utf8') }
}
