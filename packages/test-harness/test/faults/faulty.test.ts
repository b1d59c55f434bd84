import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { crashStates, faulty, type FileSystemPort, SimulatedFileSystem, type SystemError } from '../../src/faults.ts'
import { bytes, flushFolder, put, text, write } from './small-files.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true })
})

const ports: readonly { name: string; open: () => { port: FileSystemPort; root: string } }[] = [
  {
    name: 'the simulated file system',
    open: () => ({ port: new SimulatedFileSystem({ directories: ['/top'] }), root: '/top' }),
  },
  { name: 'node:fs', open: () => ({ port: fs, root: temporaryFolder() }) },
]

describe.for(ports)('over $name', ({ open }) => {
  test('the nth call fails as Node would have it, and no other', () => {
    const { port, root } = open()
    const disk = faulty(port, { faults: [{ fault: 'error', on: 'fsync', nth: 2, code: 'EIO' }] })
    const fd = disk.openSync(join(root, 'a'), 'wx')
    disk.fsyncSync(fd)
    expect(errorOf(() => disk.fsyncSync(fd))).toMatchObject({
      message: 'EIO: i/o error, fsync',
      code: 'EIO',
      errno: -5,
      syscall: 'fsync',
    })
    disk.fsyncSync(fd)
    disk.closeSync(fd)
    expect(disk.calls.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'open ok',
      'fsync ok',
      'fsync EIO',
      'fsync ok',
      'close ok',
    ])
  })

  test('calls fail for ever, of any kind, where the path matches', () => {
    const { port, root } = open()
    const disk = faulty(port, {
      faults: [{ fault: 'error', on: 'any', path: /locked/, lasts: 'forever', code: 'EACCES' }],
    })
    put(disk, join(root, 'open'), 'wx', 'x', 'flushed')
    const locked = join(root, 'locked')
    expect(errorOf(() => disk.mkdirSync(locked, {}))).toMatchObject({ code: 'EACCES', syscall: 'mkdir', path: locked })
    expect(errorOf(() => disk.readdirSync(locked))).toMatchObject({ code: 'EACCES', syscall: 'scandir' })
    expect(errorOf(() => disk.renameSync(join(root, 'open'), locked))).toMatchObject({ code: 'EACCES', dest: locked })
  })

  test('a call can do its work and fail all the same', () => {
    const { port, root } = open()
    const disk = faulty(port, { faults: [{ fault: 'error', on: 'rename', code: 'EIO', work: 'done' }] })
    put(disk, join(root, 'a'), 'wx', 'x', 'unflushed')
    expect(errorOf(() => disk.renameSync(join(root, 'a'), join(root, 'b')))).toMatchObject({ code: 'EIO' })
    expect(disk.readdirSync(root)).toEqual(['b'])
  })

  test('a write can be cut short, in both forms', async () => {
    const { port, root } = open()
    const disk = faulty(port, { faults: [{ fault: 'short write', on: 'write', lasts: 'forever', bytes: 2 }] })
    const fd = disk.openSync(join(root, 'a'), 'wx')
    expect(disk.writeSync(fd, bytes('abcd'), 0, 4, null)).toBe(2)
    expect(await answer<number>((done) => disk.write(fd, bytes('efgh'), 0, 4, null, done))).toBe(2)
    disk.closeSync(fd)
    expect(text(disk.readFileSync(join(root, 'a')))).toBe('abef')
  })

  test('a call with a callback fails in its callback, later', async () => {
    const { port, root } = open()
    const disk = faulty(port, { faults: [{ fault: 'error', on: 'open', code: 'EMFILE' }] })
    const opened = answer<number>((done) => disk.open(join(root, 'a'), 'wx', 0o600, done))
    expect(disk.calls).toMatchObject([{ outcome: 'under way', form: 'callback' }])
    await expect(opened).rejects.toMatchObject({ code: 'EMFILE', syscall: 'open' })
    expect(disk.calls).toMatchObject([{ outcome: 'EMFILE' }])
  })

  test('a full disk writes what fits, refuses the rest, and has room again when something is removed', () => {
    const { port, root } = open()
    put(port, join(root, 'before'), 'wx', 'x'.repeat(10), 'unflushed')
    const disk = faulty(port, { space: 6 })
    const fd = disk.openSync(join(root, 'a'), 'wx')
    expect(disk.writeSync(fd, bytes('abcd'), 0, 4, null)).toBe(4)
    expect(disk.writeSync(fd, bytes('efgh'), 0, 4, null)).toBe(2)
    expect(errorOf(() => disk.writeSync(fd, bytes('gh'), 0, 2, null))).toMatchObject({
      code: 'ENOSPC',
      syscall: 'write',
    })
    expect(disk.writeSync(fd, bytes('AB'), 0, 2, 0)).toBe(2)

    disk.unlinkSync(join(root, 'before'))
    expect(disk.freeSpace).toBe(10)
    expect(disk.writeSync(fd, bytes('gh'), 0, 2, null)).toBe(2)
    expect(text(disk.readFileSync(join(root, 'a')))).toBe('ABcdefgh')

    disk.unlinkSync(join(root, 'a'))
    expect(disk.freeSpace).toBe(8)
    disk.closeSync(fd)
    expect(disk.freeSpace).toBe(16)
  })

  test('space is kept by every name of a file and given back by the last', () => {
    const { port, root } = open()
    const disk = faulty(port, { space: 100 })
    const at = (name: string) => join(root, name)
    put(disk, at('a'), 'wx', 'x'.repeat(30), 'unflushed')
    disk.linkSync(at('a'), at('b'))
    disk.renameSync(at('a'), at('b')) // two names of one file: nothing happens
    disk.unlinkSync(at('a'))
    expect(disk.freeSpace).toBe(70)
    disk.mkdirSync(at('folder'), {})
    disk.renameSync(at('b'), join(root, 'folder', 'b'))
    disk.renameSync(at('folder'), at('moved'))
    put(disk, at('c'), 'w', 'x'.repeat(5), 'unflushed')
    expect(disk.freeSpace).toBe(65)
    disk.renameSync(at('c'), join(root, 'moved', 'b'))
    expect(disk.freeSpace).toBe(95)
    const fd = disk.openSync(join(root, 'moved', 'b'), 'r+')
    expect(errorOf(() => disk.ftruncateSync(fd, 101))).toMatchObject({ code: 'ENOSPC' })
    disk.ftruncateSync(fd, 0)
    disk.closeSync(fd)
    expect(disk.freeSpace).toBe(100)
    disk.addSpace(-100)
    expect(errorOf(() => put(disk, at('d'), 'w', 'x', 'unflushed'))).toMatchObject({ code: 'ENOSPC' })
  })

  test('writes under way at once do not share the same space', async () => {
    const { port, root } = open()
    const disk = faulty(port, { space: 5 })
    const fd = disk.openSync(join(root, 'a'), 'wx')
    const written = await Promise.all(
      [0, 4].map((at) => answer<number>((done) => disk.write(fd, bytes('abcd'), 0, 4, at, done))),
    )
    expect(written).toEqual([4, 1])
    disk.closeSync(fd)
  })
})

test('flushes are slow on demand', async () => {
  const below = new SimulatedFileSystem({ files: { '/a': 'x' } })
  const disk = faulty(below)
  const fd = disk.openSync('/a', 'r+')
  const held = disk.hold('fdatasync')
  let isFlushed = false
  const flushed = answer<void>((done) => disk.fdatasync(fd, (error) => done(error, undefined))).then(
    () => (isFlushed = true),
  )
  write(disk, fd, 'y', 0)
  await answer<unknown>((done) => disk.stat('/a', done))
  expect({ isFlushed, waiting: held.waiting }).toEqual({ isFlushed: false, waiting: 1 })
  held.release()
  expect(await flushed).toBe(true)
})

test('a flush that is slow by the clock is done all the same, also a synchronous one, which blocks', async () => {
  const disk = faulty(new SimulatedFileSystem({ files: { '/a': 'x' } }), {
    faults: [{ fault: 'delay', on: ['fsync', 'fdatasync'], lasts: 'forever', milliseconds: 5 }],
  })
  const fd = disk.openSync('/a', 'r+')
  let hasTicked = false
  setImmediate(() => (hasTicked = true))
  disk.fdatasyncSync(fd)
  expect(hasTicked).toBe(false)
  await answer<void>((done) => disk.fdatasync(fd, (error) => done(error, undefined)))
  expect(hasTicked).toBe(true)
  expect(disk.calls.filter(({ kind }) => kind === 'fdatasync').map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
})

test('what a failed flush dropped is not written by the next one', () => {
  const below = new SimulatedFileSystem({ files: { '/a': 'old' } })
  const disk = faulty(below, { faults: [{ fault: 'error', on: 'fsync', code: 'EIO' }] })
  const fd = disk.openSync('/a', 'r+')
  write(disk, fd, 'new', 0)
  expect(errorOf(() => disk.fsyncSync(fd))).toMatchObject({ code: 'EIO' })
  disk.fsyncSync(fd)
  below.mark('acknowledged')
  const found = [...crashStates(below)].filter(({ marks }) => marks.length > 0)
  expect(found.map((state) => text(state.mount().readFileSync('/a'))).sort()).toEqual(['new', 'old'])
})

test('a fault that is added later counts from there on', () => {
  const disk = faulty(new SimulatedFileSystem())
  flushFolder(disk, '/')
  disk.add({ fault: 'error', on: 'fsync', code: 'EIO' })
  expect(errorOf(() => flushFolder(disk, '/'))).toMatchObject({ code: 'EIO' })
  flushFolder(disk, '/')
})

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'loader-faults-'))
  folders.push(folder)
  return folder
}

function answer<Value>(call: (done: (error: SystemError | null, value: Value) => void) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)))
  })
}

function errorOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
