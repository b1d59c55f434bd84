import { lstatSync, readlinkSync, realpathSync, type BigIntStats } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { codeOf, meaningOf } from './system-errors.ts'

/** One step on the way along a path, including links. */
export interface PathStep {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
}

export type Walk =
  | {
      readonly kind: 'arrived'
      /** The path without symbolic links. */
      readonly path: string
      /** Every existing entry that the path passed through. */
      readonly steps: readonly PathStep[]
      /** The stats of the last entry; undefined when it does not exist. */
      readonly stats: BigIntStats | undefined
    }
  | { readonly kind: 'lost'; readonly why: string }

const separators = sep === '/' ? '/' : /[\\/]/

/** The limit that Linux has for links in a row. */
const mostLinks = 40

/**
 * Follows a path as the system would, one name at a time. Unlike `realpath`, it also resolves a file that does not
 * exist yet, dangling links included.
 */
export function walk(path: string): Walk {
  const { root } = parse(resolve(path))
  const pending = namesOf(path).reverse()
  const steps: PathStep[] = []
  let current = root
  let links = 0
  let stats: BigIntStats | undefined
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const next = name === '..' ? dirname(current) : join(current, name)
    const found = look(next)
    if (typeof found === 'string') return { kind: 'lost', why: `${next}: ${found}` }
    stats = found
    if (found === undefined) {
      current = next
      continue
    }
    steps.push({ path: next, dev: found.dev, ino: found.ino })
    if (!found.isSymbolicLink()) {
      if (pending.length > 0 && !found.isDirectory()) return { kind: 'lost', why: `${next} is not a folder` }
      current = next
      continue
    }
    links += 1
    if (links > mostLinks) return { kind: 'lost', why: `symbolic links lead in a circle at ${next}` }
    const target = targetOf(next)
    if (target === undefined) return { kind: 'lost', why: `${next} is a symbolic link that cannot be read` }
    pending.push(...namesOf(target).reverse())
    if (parse(target).root !== '') current = parse(resolve(target)).root
    // A link that leads to the very top leaves no name to look at.
    if (pending.length === 0) stats = statsOf(current)
  }
  if (steps.length === 0 && current === root) stats = statsOf(root)
  return { kind: 'arrived', path: spelled(current), steps, stats }
}

function namesOf(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(separators)
    .filter((name) => name !== '' && name !== '.')
}

/** The stats, undefined if nothing exists there, or the reason why that cannot be determined. */
function look(path: string): BigIntStats | string | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return meaningOf(error)
  }
}

/** The stats, or undefined when they cannot be read. */
function statsOf(path: string): BigIntStats | undefined {
  const found = look(path)
  return typeof found === 'object' ? found : undefined
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** On case-insensitive file systems, the spelling on the disk is the one used. */
function spelled(path: string): string {
  if (process.platform !== 'darwin' && process.platform !== 'win32') return path
  const missing: string[] = []
  for (let existing = path; ; existing = dirname(existing)) {
    if (look(existing) !== undefined || dirname(existing) === existing) {
      return join(realpathSync.native(existing), ...missing.reverse())
    }
    missing.push(existing.slice(dirname(existing).length).replaceAll(sep, ''))
  }
}
