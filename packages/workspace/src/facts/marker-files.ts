import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readFileNow } from '../files/file-now.ts'
import { resolvePlace } from '../paths/place.ts'

const mostBytes = 1024 * 1024

/** The files at the top of a project that show its kind. */
export interface MarkerFiles {
  readonly has: (name: string) => boolean
  /** Its text; undefined when it is not there or cannot be read. */
  readonly text: (name: string) => Promise<string | undefined>
  /** Names in one of its folders, in order; none when there is no such folder. */
  readonly names: (folder: string) => readonly string[]
}

export function markerFiles(root: string): MarkerFiles {
  return {
    has: (name) => statSync(join(root, name), { throwIfNoEntry: false }) !== undefined,
    text: (name) => textInside(root, name),
    names: (folder) => namesInside(root, folder),
  }
}

/** The text of a file in the workspace, also through a link that stays inside; undefined when there is none. */
export async function textInside(root: string, path: string): Promise<string | undefined> {
  if (lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined) return undefined
  const place = resolvePlace(root, path)
  if (place.kind === 'refused' || !place.inside || place.entry !== 'file') return undefined
  const look = await readFileNow(place.path)
  if (look.kind !== 'file' || look.file.bytes.length > mostBytes) return undefined
  return new TextDecoder().decode(look.file.bytes)
}

function namesInside(root: string, folder: string): readonly string[] {
  const place = resolvePlace(root, folder)
  if (place.kind === 'refused' || !place.inside || place.entry !== 'folder') return []
  return readdirSync(place.path).sort()
}
