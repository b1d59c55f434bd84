import { isUtf8 } from 'node:buffer'
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'
import { statsOf } from './entries.ts'
import { type Ground, holdParent } from './ground.ts'

/**
 * A folder that contains a repository and whose name is not valid UTF-8. No mount and no result can name it, but git
 * works in it all the same.
 */
export interface Unnameable {
  readonly parent: string
  readonly name: Buffer
}

/** Those in these folders, each by a key that identifies it. */
export function unnameableIn(parents: readonly string[]): ReadonlyMap<string, Unnameable> {
  const found = parents.flatMap((parent) =>
    foldersIn(Buffer.from(parent))
      .filter((name) => !isUtf8(name) && holdsRepository(below(Buffer.from(parent), name)))
      .map((name): [string, Unnameable] => [`${parent}/${name.toString('hex')}`, { parent, name }]),
  )
  return new Map(found)
}

/** Renames it to valid UTF-8, and returns the new path. */
export function nameIt(ground: Ground, { parent, name }: Unnameable): string | undefined {
  let number = 1
  while (statsOf(join(parent, `without-name-${number}`)) !== undefined) number += 1
  const path = join(parent, `without-name-${number}`)
  using folder = holdParent(ground, path)
  if (folder === undefined) return undefined
  renameSync(below(Buffer.from(folder.at('.')), name), folder.at(`without-name-${number}`))
  return path
}

/** A folder that cannot be read may contain a repository. */
function holdsRepository(top: Buffer): boolean {
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const names = namesIn(folder)
    if (names === undefined) return true
    if (names.has('.git') || (names.has('HEAD') && (names.has('commondir') || names.has('objects')))) return true
    for (const name of foldersIn(folder)) pending.push(below(folder, name))
  }
  return false
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name])
}

function namesIn(folder: Buffer): ReadonlySet<string> | undefined {
  return attempt(() => new Set(readdirSync(folder)))
}

function foldersIn(folder: Buffer): readonly Buffer[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) ?? []
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
