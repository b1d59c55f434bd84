import { lstatSync, readdirSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'
import { globPattern } from '../runners/glob-pattern.ts'
import { installedFolders } from '../walk/names.ts'
import { rawBytes } from './raw-bytes.ts'
import { isNeverKept, isUnstorable, type RawPath, shownRawPath } from './raw-path.ts'

/** Ignored files that these patterns name, relative to the workspace, with those that are too large. */
export interface FoundToCarry {
  readonly files: readonly RawPath[]
  readonly bytes: number
  readonly large: readonly RawPath[]
}

/** Together they weigh at most so much. */
const mostBytes = 256 * 1024 ** 2

/**
 * Looks for ignored files that a pattern names. Folders of installed packages are looked into only where a pattern begins
 * with their name: they hold many thousands of files, and are made anew by an installing command.
 */
export function filesToCarry(
  root: string,
  ignored: readonly RawPath[],
  patterns: readonly string[],
  largestFile: number,
): FoundToCarry {
  const globs = patterns.flatMap((text) => {
    const pattern = globPattern(text.endsWith('/') ? `${text}**` : text)
    return pattern === undefined ? [] : [{ pattern, start: /^[^*?[{(+@!]*/.exec(text.replace(/^\.\//, ''))?.[0] ?? '' }]
  })
  const [files, large]: [RawPath[], RawPath[]] = [[], []]
  let bytes = 0
  const pending = globs.length === 0 ? [] : ignored.toSorted().toReversed()
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (isNeverKept(path)) continue
    const shown = shownRawPath(path)
    if (path.endsWith('/')) {
      const isInstalled = installedFolders.has(shown.split('/').at(-2) ?? '')
      const isMeant = globs.some(({ start }) => start.startsWith(shown) || (!isInstalled && shown.startsWith(start)))
      if (isMeant) pending.push(...entriesOf(root, path))
      continue
    }
    if (!globs.some(({ pattern }) => pattern.test(shown))) continue
    const stats = lstatSync(at(root, path), { throwIfNoEntry: false })
    const kind = stats?.isSymbolicLink() === true ? 'link' : stats?.isFile() === true ? 'file' : undefined
    if (stats === undefined || kind === undefined || isUnstorable(path, kind)) continue
    if (stats.size > largestFile || bytes + stats.size > mostBytes) large.push(path)
    else {
      files.push(path)
      bytes += stats.size
    }
  }
  return { files, bytes, large }
}

function entriesOf(root: string, folder: RawPath): RawPath[] {
  try {
    return readdirSync(at(root, folder), { encoding: 'latin1', withFileTypes: true })
      .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
      .toSorted()
      .toReversed()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}

function at(root: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), rawBytes(path)])
}
