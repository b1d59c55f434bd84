import * as fc from 'fast-check'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needing } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { type FileSystemPort, type OpenFlags, SimulatedFileSystem, type SystemError } from '../../src/faults.ts'

const paths = ['/a', '/b', '/d', '/d/a', '/d/b', '/d/e', '/d/e/a', '/a/x', '/none/x']
const path = fc.constantFrom(...paths)
const slot = fc.nat(2)
const position = fc.oneof(fc.constant(null), fc.constantFrom(0, 3, 511, 4090, 9000))

const step = fc.oneof(
  fc.record({ call: fc.constant('open'), slot, path, flags: fc.constantFrom('r', 'w', 'wx', 'r+', 'a') }),
  fc.record({ call: fc.constant('open'), slot, path, flags: fc.constantFrom('w', 'wx', 'r+', 'a') }),
  fc.record({ call: fc.constant('write'), slot, position, data: fc.uint8Array({ minLength: 0, maxLength: 12 }) }),
  fc.record({ call: fc.constant('write'), slot, position, data: fc.constant(new Uint8Array(5000).fill(7)) }),
  fc.record({ call: fc.constant('read'), slot, position }),
  fc.record({ call: fc.constant('ftruncate'), slot, length: fc.constantFrom(-1, 0, 2, 4096, 4100, 9000) }),
  fc.record({ call: fc.constantFrom('close', 'fsync', 'fdatasync'), slot }),
  fc.record({ call: fc.constantFrom('rename', 'link'), path, to: path }),
  fc.record({ call: fc.constantFrom('unlink', 'mkdir', 'mkdirs', 'rmdir', 'readdir', 'readFile', 'stat'), path }),
  fc.record({ call: fc.constantFrom('mkdir', 'mkdirs'), path }),
)

interface Step {
  readonly call: string
  readonly slot?: number
  readonly path?: string
  readonly to?: string
  readonly flags?: string
  readonly position?: number | null
  readonly length?: number
  readonly data?: Uint8Array
}

test.runIf(process.platform === 'linux')(
  needing(
    process.platform !== 'linux' && 'only on Linux',
    'the simulated file system answers as the real one does, in both forms of every call',
  ),
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(now, later),
        async (steps: Step[], perform) => {
          const root = fs.mkdtempSync(join(tmpdir(), 'loader-faults-'))
          try {
            const real = new Performer(fs, root)
            fs.mkdirSync(join(root, 'd'))
            const simulated = new Performer(new SimulatedFileSystem({ directories: ['/top/d'] }), '/top')
            for (const each of steps) {
              expect([each, await perform(simulated, each)]).toEqual([each, await perform(real, each)])
            }
            real.closeAll()
            expect(tree(simulated.port, '/top')).toEqual(tree(fs, root))
          } finally {
            fs.rmSync(root, { recursive: true })
          }
        },
      ),
      { numRuns: 200 },
    )
  },
)

test('an error carries what the error of the real call carries', () => {
  const simulated = new SimulatedFileSystem()
  expect(errorOf(() => simulated.renameSync('/nowhere/a', '/nowhere/b'))).toEqual(
    errorOf(() => fs.renameSync('/nowhere/a', '/nowhere/b')),
  )
  expect(errorOf(() => simulated.openSync('/nowhere/a', 'r'))).toEqual(errorOf(() => fs.openSync('/nowhere/a', 'r')))
  expect(errorOf(() => simulated.closeSync(99_999))).toEqual(errorOf(() => fs.closeSync(99_999)))
})

test('a file that was replaced or removed stays writable through its descriptor', () => {
  const disk = new SimulatedFileSystem({ files: { '/old': 'old', '/new': 'new' } })
  const fd = disk.openSync('/old', 'r+')
  disk.renameSync('/new', '/old')
  disk.writeSync(fd, text('OLD'), 0, 3, 0)
  const back = new Uint8Array(3)
  disk.readSync(fd, back, 0, 3, 0)
  expect(string(back)).toBe('OLD')
  expect(string(disk.readFileSync('/old'))).toBe('new')
})

test('completions wait while they are held, and then happen in order', async () => {
  const disk = new SimulatedFileSystem({ files: { '/a': 'a' } })
  const fd = disk.openSync('/a', 'r+')
  const order: string[] = []
  const held = disk.holdCompletions()
  disk.write(fd, text('b'), 0, 1, 0, () => order.push('write'))
  disk.fsync(fd, () => order.push('fsync'))
  disk.close(fd, () => order.push('close'))
  await turn()
  expect(held.waiting).toBe(3)
  expect(order).toEqual([])
  held.completeNext()
  await turn()
  expect(order).toEqual(['write'])
  held.release()
  await turn()
  expect(order).toEqual(['write', 'fsync', 'close'])
})

test('a killed process leaves what took effect, flushed or not', () => {
  const disk = new SimulatedFileSystem()
  const fd = disk.openSync('/a', 'wx')
  disk.writeSync(fd, text('unflushed'), 0, 9, null)
  const next = disk.afterKill()
  disk.writeSync(fd, text('later'), 0, 5, null)
  disk.openSync('/b', 'wx')
  expect(Object.keys(next.files())).toEqual(['/a'])
  expect(string(next.readFileSync('/a'))).toBe('unflushed')
  expect(disk.openPaths()).toEqual(['/a', '/b'])
  expect(next.openPaths()).toEqual([])
})

test('every file can be seen at once, again and again', () => {
  const disk = new SimulatedFileSystem({ files: { '/d/b': 'b' } })
  disk.renameSync('/d/b', '/d/c')
  expect(disk.files()).toEqual({ '/d/c': text('b') })
  disk.openSync('/d/a', 'wx')
  expect(disk.files()).toEqual({ '/d/a': text(''), '/d/c': text('b') })
})

/** One file system below one folder, with what is open there. */
class Performer {
  readonly port: FileSystemPort
  readonly #root: string
  readonly open = new Map<number, number>()

  constructor(port: FileSystemPort, root: string) {
    this.port = port
    this.#root = root
  }

  at(path = ''): string {
    return this.#root + path
  }

  fd(slot = 0): number {
    return this.open.get(slot) ?? 99_999
  }

  /** One descriptor a slot; what it held before is closed, as the real one would run out of them. */
  opened(slot: number, fd: number): string {
    if (this.open.has(slot)) this.port.closeSync(this.fd(slot))
    this.open.set(slot, fd)
    return 'opened'
  }

  closeAll(): void {
    for (const fd of this.open.values()) this.port.closeSync(fd)
    this.open.clear()
  }
}

async function now(performer: Performer, step: Step): Promise<unknown> {
  const { port } = performer
  try {
    return performSync(port, performer, step)
  } catch (error) {
    return plain(error)
  }
}

function performSync(port: FileSystemPort, performer: Performer, step: Step): unknown {
  const { call, slot = 0, path, to, flags, position = null, length = 0, data = new Uint8Array() } = step
  const fd = performer.fd(slot)
  const place = performer.at(path)
  const into = new Uint8Array(6)
  switch (call) {
    case 'open':
      return performer.opened(slot, port.openSync(place, flags as OpenFlags))
    case 'close':
      port.closeSync(fd)
      return performer.open.delete(slot)
    case 'read':
      return [port.readSync(fd, into, 1, 5, position), ...into]
    case 'write':
      return port.writeSync(fd, data, 0, data.length, position)
    case 'ftruncate':
      return port.ftruncateSync(fd, length)
    case 'fsync':
      return port.fsyncSync(fd)
    case 'fdatasync':
      return port.fdatasyncSync(fd)
    case 'rename':
      return port.renameSync(place, performer.at(to))
    case 'link':
      return port.linkSync(place, performer.at(to))
    case 'unlink':
      return port.unlinkSync(place)
    case 'mkdir':
      return port.mkdirSync(place, {})
    case 'mkdirs':
      return port.mkdirSync(place, { recursive: true })?.slice(performer.at().length)
    case 'rmdir':
      return port.rmdirSync(place)
    case 'readdir':
      return port.readdirSync(place)
    case 'readFile':
      return [...port.readFileSync(place)]
    case 'stat':
      return port.statSync(place, { throwIfNoEntry: false })?.isFile()
    default:
      throw new Error(call)
  }
}

function later(performer: Performer, step: Step): Promise<unknown> {
  return new Promise((resolve) => performLater(performer, step, resolve))
}

function performLater(performer: Performer, step: Step, resolve: (outcome: unknown) => void): void {
  const { port } = performer
  const { call, slot = 0, path, to, flags, position = null, length = 0, data = new Uint8Array() } = step
  const fd = performer.fd(slot)
  const place = performer.at(path)
  const into = new Uint8Array(6)
  const done = (error: unknown, value?: unknown) => resolve(error === null ? value : plain(error))
  switch (call) {
    case 'open':
      port.open(place, flags as OpenFlags, 0o600, (error, opened) =>
        done(error, error === null ? performer.opened(slot, opened) : undefined),
      )
      return
    case 'close':
      port.close(fd, (error) => done(error, error === null ? performer.open.delete(slot) : undefined))
      return
    case 'read':
      port.read(fd, into, 1, 5, position, (error, count) => done(error, [count, ...into]))
      return
    case 'write':
      port.write(fd, data, 0, data.length, position, done)
      return
    case 'ftruncate':
      port.ftruncate(fd, length, done)
      return
    case 'fsync':
      port.fsync(fd, done)
      return
    case 'fdatasync':
      port.fdatasync(fd, done)
      return
    case 'rename':
      port.rename(place, performer.at(to), done)
      return
    case 'link':
      port.link(place, performer.at(to), done)
      return
    case 'unlink':
      port.unlink(place, done)
      return
    case 'mkdir':
      port.mkdir(place, {}, (error) => done(error))
      return
    case 'mkdirs':
      port.mkdir(place, { recursive: true }, (error) => done(error))
      return
    case 'rmdir':
      port.rmdir(place, done)
      return
    case 'readdir':
      port.readdir(place, done)
      return
    case 'readFile':
      port.readFile(place, (error, content) => done(error, error === null ? [...content] : undefined))
      return
    case 'stat':
      port.stat(place, (error, status) => done(error, error === null ? status.isFile() : undefined))
      return
    default:
      throw new Error(call)
  }
}

/** Versions of Node differ in which paths a message names, and in whether a file can have an entry that is missing. */
function plain(error: unknown): unknown {
  const { code, errno, syscall } = error as SystemError
  if (!syscall) throw error
  if (syscall === 'stat' && code === 'ENOTDIR') return undefined
  return { code, errno, syscall }
}

function errorOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    const { message, code, errno, syscall, path: at } = error as SystemError
    return { message, code, errno, syscall, path: at }
  }
}

function tree(port: FileSystemPort, root: string): unknown {
  return port.readdirSync(root).map((name) => {
    const path = `${root}/${name}`
    const status = port.statSync(path, { throwIfNoEntry: false })
    return [name, status?.isDirectory() ? tree(port, path) : [status?.size, ...port.readFileSync(path)]]
  })
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content)
}

function string(content: Uint8Array): string {
  return new TextDecoder().decode(content)
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
