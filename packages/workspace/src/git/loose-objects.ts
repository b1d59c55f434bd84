import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { temporaryName } from '../files/temporary.ts'
import { codeOf } from '../paths/system-errors.ts'
import { type GitObject, largestObject, objectId } from './object-id.ts'

export function hasLoose(objects: string, id: string): boolean {
  return existsSync(placeOf(objects, id))
}

/** Also undefined when the object is damaged. */
export function readLoose(objects: string, id: string): GitObject | undefined {
  try {
    const bytes = inflateSync(readFileSync(placeOf(objects, id)), { maxOutputLength: largestObject })
    const end = bytes.indexOf(0)
    const [type, size] = bytes.toString('latin1', 0, end).split(' ')
    if ((type !== 'blob' && type !== 'tree') || Number(size) !== bytes.length - end - 1) return undefined
    return { type, content: bytes.subarray(end + 1) }
  } catch (error) {
    // An object that is missing or cannot be unpacked counts as absent.
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** How many objects are written at once: the system flushes them together. */
const atOnce = 32

/**
 * Writes loose objects, as git does.
 *
 * 1. Each is written and flushed under a temporary name before it gets its own: a killed writer leaves no partial
 *    object.
 * 2. An object that exists already gets a new modification time, so that another process does not prune it.
 */
export async function writeLoose(objects: string, all: readonly GitObject[]): Promise<string[]> {
  const ids = all.map(objectId)
  const wanted = new Map(all.map((object, index) => [ids[index] ?? '', object] as const))
  const missing = [...wanted].filter(([id]) => !isMadeYoung(objects, id))
  for (let start = 0; start < missing.length; start += atOnce) {
    await Promise.all(missing.slice(start, start + atOnce).map(([id, object]) => writeOne(objects, id, object)))
  }
  return ids
}

async function writeOne(objects: string, id: string, { type, content }: GitObject): Promise<void> {
  const place = placeOf(objects, id)
  const folder = join(objects, id.slice(0, 2))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Leftover temporary files in this folder are removed when trees are pruned.
  const temporary = join(folder, temporaryName('object'))
  try {
    {
      await using file = await open(temporary, 'wx', 0o400)
      await file.writeFile(deflateSync(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])))
      await file.sync()
    }
    renameSync(temporary, place)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function isMadeYoung(objects: string, id: string): boolean {
  try {
    const now = new Date()
    utimesSync(placeOf(objects, id), now, now)
    return true
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    // Then the object is written again.
    return false
  }
}

function placeOf(objects: string, id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2))
}
