import { expect, test } from 'vitest'
import { type CrashModel, crashStates, type FileSystemPort, SimulatedFileSystem } from '../../src/faults.ts'
import { bytes, flushFolder, put, text, write } from './small-files.ts'

/** A way to keep a count: after a crash it is what was acknowledged last, or what was on its way. */
interface Protocol {
  store(disk: FileSystemPort, count: number): void
  /** Not a number when nothing can be read. */
  read(disk: FileSystemPort): number
}

type Mark = { readonly submitted: number } | { readonly acknowledged: number }

const inPlace: Protocol = {
  store: (disk, count) => put(disk, '/store/count', 'w', line(count), 'flushed'),
  read: readCount,
}

const unflushedData: Protocol = {
  store(disk, count) {
    put(disk, '/store/new', 'w', line(count), 'unflushed')
    disk.renameSync('/store/new', '/store/count')
    flushFolder(disk, '/store')
  },
  read: readCount,
}

const unflushedFolder: Protocol = {
  store(disk, count) {
    put(disk, '/store/new', 'w', line(count), 'flushed')
    disk.renameSync('/store/new', '/store/count')
  },
  read: readCount,
}

const atomic: Protocol = {
  store(disk, count) {
    unflushedFolder.store(disk, count)
    flushFolder(disk, '/store')
  },
  read: readCount,
}

/** Two places that are written in turn, in space that was there before: one of them is always whole. */
const preallocated: Protocol = {
  store(disk, count) {
    const fd = disk.openSync('/store/slots', 'r+')
    write(disk, fd, line(count), slotOf(count))
    disk.fdatasyncSync(fd)
    disk.closeSync(fd)
  },
  read(disk) {
    const slots = text(disk.readFileSync('/store/slots'))
    const counts = [0, 1].map((slot) => countIn(slots.slice(slotOf(slot), slotOf(slot) + lineLength)))
    return Math.max(...counts.filter((count) => !Number.isNaN(count)))
  },
}

test.for([
  { what: 'a rewrite in place', protocol: inPlace, weak: 'unreadable', ordered: 'unreadable' },
  { what: 'a rename before the data is flushed', protocol: unflushedData, weak: 'unreadable', ordered: 'unreadable' },
  { what: 'a rename in a folder that is not flushed', protocol: unflushedFolder, weak: 'lost', ordered: 'lost' },
])('$what is found to lose data', ({ protocol, weak, ordered }) => {
  expect(explore(protocol, 'weak').problems).toContain(weak)
  expect(explore(protocol, 'ordered').problems).toContain(ordered)
})

test.for([
  { what: 'a new file, flushed, renamed, its folder flushed', protocol: atomic, weak: 49, ordered: 49 },
  { what: 'an overwrite in space that was there before', protocol: preallocated, weak: 31, ordered: 31 },
])('$what loses nothing', ({ protocol, weak, ordered }) => {
  expect(explore(protocol, 'weak')).toEqual({ problems: new Set(), distinct: weak })
  expect(explore(protocol, 'ordered')).toEqual({ problems: new Set(), distinct: ordered })
})

test('every crash state can be recovered, recorded and crashed again', () => {
  const first = emptyStore()
  storeSome(first, atomic, 0)
  const problems = new Set<string>()
  const disks = new Set<string>()
  for (const { mount } of firstOfEachDisk(first)) {
    const disk = mount()
    for (const problem of explore(atomic, 'weak', disk, disks).problems) problems.add(problem)
  }
  expect(problems).toEqual(new Set())
  expect(disks.size).toBe(115)
})

const rounds = 6

function explore(protocol: Protocol, model: CrashModel, disk = emptyStore(), disks = new Set<string>()) {
  const before = protocol.read(disk)
  storeSome(disk, protocol, before)
  const problems = new Set<string>()
  for (const { digest, marks, mount } of crashStates(disk, { model })) {
    disks.add(digest)
    const count = protocol.read(mount())
    const { acknowledged, submitted } = known(marks, before)
    if (Number.isNaN(count)) problems.add('unreadable')
    else if (count < acknowledged) problems.add('lost')
    else if (count > submitted) problems.add('phantom')
  }
  return { problems, distinct: disks.size }
}

function storeSome(disk: SimulatedFileSystem<Mark>, protocol: Protocol, before: number): void {
  for (let count = before + 1; count <= before + rounds; count += 1) {
    disk.mark({ submitted: count })
    protocol.store(disk, count)
    disk.mark({ acknowledged: count })
  }
}

function* firstOfEachDisk(disk: SimulatedFileSystem<Mark>) {
  const seen = new Set<string>()
  for (const state of crashStates(disk)) {
    if (!seen.has(state.digest)) yield state
    seen.add(state.digest)
  }
}

function emptyStore(): SimulatedFileSystem<Mark> {
  const slots = new Uint8Array(2 * slotLength)
  slots.set(bytes(line(0)))
  return new SimulatedFileSystem<Mark>({ files: { '/store/count': line(0), '/store/slots': slots } })
}

function known(marks: readonly Mark[], before: number) {
  let acknowledged = before
  let submitted = before
  for (const mark of marks) {
    if ('submitted' in mark) submitted = mark.submitted
    else acknowledged = mark.acknowledged
  }
  return { acknowledged, submitted }
}

const lineLength = 1200
const slotLength = 4096

function slotOf(count: number): number {
  return (count % 2) * slotLength
}

function line(count: number): string {
  return `${count};`.repeat(lineLength).slice(0, lineLength - 1) + '\n'
}

function readCount(disk: FileSystemPort): number {
  return countIn(text(disk.readFileSync('/store/count')))
}

function countIn(content: string): number {
  const count = Number.parseInt(content, 10)
  return content === line(count) ? count : Number.NaN
}
