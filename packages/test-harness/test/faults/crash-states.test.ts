import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CrashStateOptions, crashStates, SimulatedFileSystem } from '../../src/faults.ts'
import { bytes, flushFolder, put, text, write } from './small-files.ts'

test('a state tells when the power went and what became of what was pending', () => {
  const disk = new SimulatedFileSystem({ files: { '/count': '' } })
  put(disk, '/new', 'wx', '1', 'unflushed')
  disk.renameSync('/new', '/count')
  const described = [...crashStates(disk)].map((state) => state.describe())
  expect(described).toContain(
    'after event 3, rename /new -> /count; kept: rename /new -> /count; torn: write /new 0+1 (size alone); undone: create /new',
  )
})

test('a write is torn at sector and page boundaries, from the front and from the back', () => {
  const disk = new SimulatedFileSystem({ files: { '/a': 'x'.repeat(6000) } })
  const fd = disk.openSync('/a', 'r+')
  write(disk, fd, 'y'.repeat(1000), 3500)
  expect(shapes(disk)).toEqual(
    new Set([
      'x6000',
      'x3500 y1000 x1500',
      'x3500 y84 x2416',
      'x3500 y596 x1904',
      'x3584 y916 x1500',
      'x4096 y404 x1500',
    ]),
  )
  expect(shapes(disk, { tears: [] })).toEqual(new Set(['x6000', 'x3500 y1000 x1500']))
})

test('a file that grew can have its size without its data', () => {
  const disk = new SimulatedFileSystem({ files: { '/a': 'xx' } })
  const fd = disk.openSync('/a', 'a')
  write(disk, fd, 'yyy', null)
  expect(shapes(disk)).toEqual(new Set(['x2', 'x2 y3', 'x2 \0' + '3']))
})

test('a flush makes only that durable which was complete when it began', async () => {
  const early = new SimulatedFileSystem({ files: { '/a': 'x' } })
  const fd = early.openSync('/a', 'r+')
  await Promise.all([
    new Promise((resolve) => early.write(fd, bytes('y'), 0, 1, 0, resolve)),
    new Promise((resolve) => early.fsync(fd, resolve)),
  ])
  expect(lastShapes(early)).toEqual(new Set(['x1', 'y1']))
  early.fsyncSync(fd)
  expect(lastShapes(early)).toEqual(new Set(['y1']))
})

test('what was written over stays written over, in whatever order it reached the disk', () => {
  const disk = new SimulatedFileSystem({ files: { '/a': 'x' } })
  const fd = disk.openSync('/a', 'r+')
  disk.holdCompletions()
  disk.write(fd, bytes('y'), 0, 1, 0, () => undefined)
  write(disk, fd, 'z', 0)
  disk.fsyncSync(fd)
  expect(lastShapes(disk)).toEqual(new Set(['z1']))
})

test('the data of a file that is gone for good makes no more states', () => {
  const disk = new SimulatedFileSystem()
  put(disk, '/a', 'wx', 'x', 'unflushed')
  put(disk, '/new', 'wx', 'y', 'flushed')
  disk.renameSync('/new', '/a')
  flushFolder(disk, '/')
  const point = disk.recording.events.length
  put(disk, '/a', 'r+', 'z', 'unflushed')
  const described = [...crashStates(disk)].filter((state) => state.point > point).map((state) => state.describe())
  expect(described).toEqual([`after event ${point + 1}, write /a 0+1; kept: write /a 0+1`])
})

test('the same disk comes again when more had been noted by then', () => {
  const disk = new SimulatedFileSystem({ files: { '/a': '' } })
  disk.mark('one')
  put(disk, '/a', 'r+', 'x', 'flushed')
  disk.mark('two')
  const states = [...crashStates(disk)].map(({ point, marks }) => ({ point, marks }))
  expect(states).toEqual([
    { point: 0, marks: [] },
    { point: 1, marks: ['one'] },
    { point: 2, marks: ['one'] },
    { point: 2, marks: ['one'] },
    { point: 4, marks: ['one', 'two'] },
  ])
})

test('what is under way may be done, half done or not done', () => {
  const disk = new SimulatedFileSystem({ files: { '/a': 'x'.repeat(1024) } })
  const fd = disk.openSync('/a', 'r+')
  disk.holdCompletions()
  disk.write(fd, bytes('y'.repeat(1024)), 0, 1024, 0, () => undefined)
  disk.fsync(fd, () => undefined)
  expect(lastShapes(disk)).toEqual(new Set(['x1024', 'y1024', 'y512 x512', 'x512 y512']))
})

test('no later flush makes up for one that failed', () => {
  const disk = new SimulatedFileSystem({ files: { '/a': 'x' } })
  const fd = disk.openSync('/a', 'r+')
  write(disk, fd, 'y', 0)
  disk.loseUnflushed(fd)
  disk.fsyncSync(fd)
  expect(lastShapes(disk)).toEqual(new Set(['x1', 'y1']))
})

test('a flushed file without a flushed name is gone, and a move never loses the file', () => {
  const created = new SimulatedFileSystem()
  put(created, '/a', 'wx', 'x', 'flushed')
  expect(names(created)).toEqual(new Set(['', '/a']))

  const moved = new SimulatedFileSystem({ files: { '/from/a': 'x' }, directories: ['/to'] })
  moved.renameSync('/from/a', '/to/b')
  expect(names(moved)).toEqual(new Set(['/from/a', '/from/a /to/b', '/to/b']))
  flushFolder(moved, '/from')
  flushFolder(moved, '/to')
  expect(lastStates(moved, {})).toEqual(['/to/b=x1'])
})

test('weak entries reach the disk in any order, ordered ones in the order in which they were made', () => {
  const disk = new SimulatedFileSystem()
  put(disk, '/a', 'wx', '', 'unflushed')
  put(disk, '/b', 'wx', '', 'unflushed')
  expect(names(disk)).toEqual(new Set(['', '/a', '/b', '/a /b']))
  expect(names(disk, { model: 'ordered' })).toEqual(new Set(['', '/a', '/a /b']))
})

test('in order means that a durable entry has those before it with it, in any folder', () => {
  const disk = new SimulatedFileSystem({ directories: ['/d'] })
  put(disk, '/a', 'wx', '', 'unflushed')
  put(disk, '/d/b', 'wx', '', 'unflushed')
  flushFolder(disk, '/d')
  expect(lastStates(disk, { model: 'ordered' })).toEqual(['/a= /d/b='])
  expect(new Set(lastStates(disk, { model: 'weak' }))).toEqual(new Set(['/d/b=', '/a= /d/b=']))
})

test('what is flushed in a new folder is there as soon as the folder is', () => {
  const disk = new SimulatedFileSystem()
  disk.mkdirSync('/x/y', { recursive: true })
  put(disk, '/x/y/a', 'wx', 'a', 'flushed')
  flushFolder(disk, '/x/y')
  put(disk, '/x/y/a', 'a', 'b', 'unflushed')
  flushFolder(disk, '/x')
  expect(new Set(lastStates(disk, {}))).toEqual(new Set(['', '/x/y/a=a1', '/x/y/a=a1 b1', '/x/y/a=a1 \0' + '1']))
  flushFolder(disk, '/')
  put(disk, '/x/y/a', 'r+', '', 'flushed')
  expect(lastStates(disk, {})).toEqual(['/x/y/a=a1 b1'])
})

test('the same recording gives the same states, and another seed other random ones', () => {
  const digests = (seed: number) => {
    const disk = new SimulatedFileSystem({ directories: ['/store'] })
    for (let round = 0; round < 6; round += 1) put(disk, `/store/${round}`, 'wx', String(round), 'unflushed')
    return [...crashStates(disk, { seed })].map(({ digest }) => digest)
  }
  expect(digests(1)).toEqual(digests(1))
  expect(digests(1)).not.toEqual(digests(2))
})

const path = fc.constantFrom('/a', '/b', '/d/a', '/d/b')
const change = fc.oneof(
  fc.record({ call: fc.constantFrom('write', 'append', 'flush', 'unlink'), path }),
  fc.record({ call: fc.constantFrom('rename', 'link'), path, to: path }),
  fc.record({ call: fc.constant('flush folder'), path: fc.constantFrom('/', '/d') }),
)
type AnyChange = { readonly call: string; readonly path: string; readonly to?: string }

test('what a program sees is one of the states, ordered states are weak ones, and all flushed is one state', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), (changes: AnyChange[]) => {
      const disk = new SimulatedFileSystem({ directories: ['/d'] })
      for (const each of changes) attempt(() => make(disk, each))
      const options = { exhaustive: 16, randomSubsets: 0 }
      const weak = new Set(lastStates(disk, options))
      expect(weak).toContain(stateOf(disk))
      for (const state of lastStates(disk, { ...options, model: 'ordered' })) expect(weak).toContain(state)

      for (const each of Object.keys(disk.files())) make(disk, { call: 'flush', path: each })
      for (const each of ['/', '/d']) make(disk, { call: 'flush folder', path: each })
      expect(lastStates(disk, options)).toEqual([stateOf(disk)])
    }),
    { numRuns: 150 },
  )
})

function make(disk: SimulatedFileSystem, { call, path: at, to = '' }: AnyChange): void {
  switch (call) {
    case 'write':
      return put(disk, at, 'w', 'w', 'unflushed')
    case 'append':
      return put(disk, at, 'a', 'a', 'unflushed')
    case 'flush':
      return put(disk, at, 'r+', '', 'flushed')
    case 'flush folder':
      return flushFolder(disk, at)
    case 'unlink':
      return disk.unlinkSync(at)
    case 'rename':
      return disk.renameSync(at, to)
    case 'link':
      return disk.linkSync(at, to)
    default:
      throw new Error(call)
  }
}

/** A random call may well be refused. */
function attempt(run: () => void): void {
  try {
    run()
  } catch (error) {
    expect(error).toHaveProperty('syscall')
  }
}

function stateOf(disk: SimulatedFileSystem): string {
  const files = Object.entries(disk.files()).map(([at, content]) => `${at}=${shape(content)}`)
  return files.join(' ')
}

/** The distinct disks after the last call. */
function lastStates(disk: SimulatedFileSystem, options: CrashStateOptions): string[] {
  const point = disk.recording.events.length
  disk.mark('the end')
  const states = [...crashStates(disk, options)].filter((state) => state.point > point)
  return [...new Set(states.map((state) => stateOf(state.mount())))]
}

function lastShapes(disk: SimulatedFileSystem): ReadonlySet<string> {
  return new Set(lastStates(disk, {}).map((state) => state.slice('/a='.length)))
}

/** Every content that `/a` could have, as runs of characters. */
function shapes(disk: SimulatedFileSystem, options: CrashStateOptions = {}): ReadonlySet<string> {
  return new Set([...crashStates(disk, options)].map((state) => shape(state.mount().readFileSync('/a'))))
}

function shape(content: Uint8Array): string {
  return [...text(content).matchAll(/(.)\1*/gs)].map(([run, first]) => `${first}${run.length}`).join(' ')
}

function names(disk: SimulatedFileSystem, options: CrashStateOptions = {}): ReadonlySet<string> {
  return new Set([...crashStates(disk, options)].map((state) => Object.keys(state.mount().files()).join(' ')))
}
