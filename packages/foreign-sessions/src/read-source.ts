import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { detectSource } from './detect.ts'
import { parseSource } from './parse-source.ts'
import { type Neighbours, noNeighbours, type SourceFile } from './source/source-file.ts'

/** A session of this size takes some gigabytes of memory; a larger file is probably not a session. */
const largest = 256 * 1024 * 1024
const chunkBytes = 256 * 1024

/** Finds the session file: the path itself, or the one in a folder that holds a session. It is only read. */
export function readSource(path: string): SourceFile {
  if (!factsOf(path).isDirectory()) return regularFile(path, neighboursOf(dirname(path)))
  const candidates = readdirSync(path)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => join(path, name))
    .filter(isSession)
  const [only, ...others] = candidates
  if (only === undefined)
    throw new LoaderError('invalid_message', `The folder ${path} holds no session that can be imported.`)
  if (others.length === 0) return regularFile(only, neighboursOf(path))
  const names = candidates.slice(0, 5).map((file) => basename(file))
  const more = candidates.length > names.length ? `, and ${candidates.length - names.length} more` : ''
  throw new LoaderError(
    'invalid_config',
    `The folder ${path} holds several sessions: ${names.join(', ')}${more}. Name the file.`,
  )
}

/** False for files that programs leave behind without any messages. */
function isSession(path: string): boolean {
  const file = openIfThere(path, noNeighbours)
  const kind = file && detectSource(file)
  if (file === undefined || kind === undefined || kind === 'loader') return kind === 'loader'
  try {
    return parseSource(kind, file).items.length > 0
  } catch (error) {
    if (LoaderError.is(error, 'invalid_message')) return false
    throw error
  }
}

function neighboursOf(folder: string): Neighbours {
  const beside: Neighbours = {
    open: (path) => openIfThere(join(folder, path), beside),
    list: (path) => namesIn(join(folder, path)),
  }
  return beside
}

function factsOf(path: string): Stats {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) throw new LoaderError('invalid_config', `There is no file or folder ${path} to import.`)
  return facts
}

/** Opens a file at its current size: what a running program appends later is not read. */
function regularFile(path: string, beside: Neighbours): SourceFile {
  const facts = factsOf(path)
  requireRegular(path, facts)
  if (facts.size > largest) {
    const size = `${Math.ceil(facts.size / 1024 / 1024)} MB`
    throw new LoaderError(
      'invalid_config',
      `${path} has ${size}, and files above ${largest / 1024 / 1024} MB are not imported.`,
    )
  }
  const bytes = facts.size
  let part = Buffer.alloc(0)
  const bytesBetween = (from: number, to: number) => {
    if (to - from > part.length) part = Buffer.allocUnsafe(to - from)
    return readInto(part.subarray(0, to - from), path, from)
  }
  return { path, bytes, chunks: () => chunksOf(path, bytes), bytesBetween, beside }
}

function* chunksOf(path: string, bytes: number): Generator<Uint8Array> {
  const fd = told(path, () => openToRead(path))
  try {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytes))
    let at = 0
    while (at < bytes) {
      const read = told(path, () => readSync(fd, chunk, 0, Math.min(chunk.length, bytes - at), at))
      if (read === 0) return
      yield chunk.subarray(0, read)
      at += read
    }
  } finally {
    closeSync(fd)
  }
}

function readInto(bytes: Uint8Array, path: string, from: number): Uint8Array {
  return told(path, () => {
    const fd = openToRead(path)
    try {
      let end = 0
      for (let read = -1; end < bytes.length && read !== 0; end += read) {
        read = readSync(fd, bytes, end, bytes.length - end, from + end)
      }
      return bytes.subarray(0, end)
    } finally {
      closeSync(fd)
    }
  })
}

/** Another file may have taken the name meanwhile; opening a FIFO without a writer must not block. */
function openToRead(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    requireRegular(path, fstatSync(fd))
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Refuses anything but a regular file before opening it: reading might never end, and opening might have an effect. */
function requireRegular(path: string, facts: Stats): void {
  if (facts.isFile()) return
  throw new LoaderError('invalid_config', `${path} is ${kindOf(facts)}. Only regular files are imported.`)
}

function kindOf(facts: Stats): string {
  if (facts.isDirectory()) return 'a folder'
  if (facts.isFIFO()) return 'a FIFO'
  if (facts.isSocket()) return 'a socket'
  return facts.isCharacterDevice() || facts.isBlockDevice() ? 'a device' : 'no regular file'
}

function told<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (LoaderError.is(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new LoaderError('invalid_config', `${path} cannot be read: ${why}`, { cause: error })
  }
}

/** Neighbouring files are optional: if one cannot be read, the session is read without it. */
function openIfThere(path: string, beside: Neighbours): SourceFile | undefined {
  try {
    const file = regularFile(path, beside)
    closeSync(openToRead(path))
    return file
  } catch (error) {
    if (LoaderError.is(error, 'invalid_config') || isNotThere(error)) return undefined
    throw error
  }
}

const notThere = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'ENXIO', 'ELOOP'])

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && notThere.has(String(error.code))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isNotThere(error)) return []
    throw error
  }
}
