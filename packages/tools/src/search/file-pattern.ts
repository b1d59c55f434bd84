import { posix } from 'node:path'
import picomatch from 'picomatch'
import { withinTime } from './within-time.ts'

const longestPattern = 1000
/** Time limit for the names of one folder: some patterns would take practically for ever. */
const longestMatchMs = 2000

/** A pattern for paths: the folder that it starts in, and a test for the paths below it. */
export interface FilePattern {
  readonly folder: string
  /** The matching ones of these paths, relative to the folder; undefined when that takes too long. */
  matching(paths: readonly string[]): readonly string[] | undefined
}

/** The parsed pattern, or why it is invalid. */
export function filePattern(pattern: string): FilePattern | string {
  if (pattern.trim() === '') return 'The pattern is empty. To list all files, use "**/*".'
  if (pattern.length > longestPattern) return `The pattern is longer than ${longestPattern} characters.`
  if (pattern.includes('\0')) return 'The pattern contains a NUL character. No file has such a name.'
  const literal = withLiteralParentheses(pattern)
  const { base, glob, isGlob } = picomatch.scan(literal)
  const folder = isGlob ? base.replace(/\\(.)/g, '$1') : posix.dirname(pattern)
  const rest = isGlob ? glob : literal.slice(literal.lastIndexOf('/') + 1)
  if (rest === '') return `${pattern} names a folder. To list what is in it, use "${pattern}**/*".`
  if (rest.split('/').includes('..')) return `${pattern}: ".." can only stand in front of the first wildcard.`
  const matches = picomatch(rest, { dot: true, nonegate: true })
  return {
    folder: folder === '' ? '.' : folder,
    matching(paths) {
      const found = withinTime(longestMatchMs, () => paths.filter((path) => matches(path)))
      return found.kind === 'done' ? found.result : undefined
    },
  }
}

/**
 * Selects the paths that a search includes: by name if the pattern has no slash, otherwise by the whole path. A leading
 * `!` selects those that do not match. Undefined when matching takes too long.
 */
export function inclusion(pattern: string): (paths: readonly string[]) => readonly string[] | undefined {
  const excludes = pattern.startsWith('!')
  const positive = withLiteralParentheses(excludes ? pattern.slice(1) : pattern).replace(/^\.\//, '')
  const matches = picomatch(positive.includes('/') ? positive : `**/${positive}`, { dot: true, nonegate: true })
  return (paths) => {
    const found = withinTime(longestMatchMs, () => paths.filter((path) => matches(path) !== excludes))
    return found.kind === 'done' ? found.result : undefined
  }
}

/** Parentheses are literal, as in names of folders, unless they contain an alternative or have a quantifier. */
function withLiteralParentheses(pattern: string): string {
  return pattern.replace(/(^|[^@+*?!\\])\(([^()|]*)\)/g, String.raw`$1\($2\)`)
}
