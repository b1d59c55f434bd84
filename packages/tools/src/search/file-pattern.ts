import { posix } from 'node:path'
import picomatch from 'picomatch'
import { withinTime } from './within-time.ts'

const longestPattern = 1000
/** For the names of one folder. Patterns that take longer would take for ever. */
const longestMatchMs = 2000

/** A pattern for paths: the folder that it begins in, and what has to hold below it. */
export interface FilePattern {
  readonly folder: string
  /** Those of these paths, relative to the folder, that match; undefined when that takes too long. */
  matching(paths: readonly string[]): readonly string[] | undefined
}

/** The pattern, or why it is none. */
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
 * Which of these paths a search includes: by name where the pattern has no slash, else by the whole path. With `!` in
 * front it is those that do not match. Undefined when telling takes too long.
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

/** Parentheses belong to names of folders; they group only where there is a choice or a quantifier. */
function withLiteralParentheses(pattern: string): string {
  return pattern.replace(/(^|[^@+*?!\\])\(([^()|]*)\)/g, String.raw`$1\($2\)`)
}
