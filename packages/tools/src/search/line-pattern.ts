import { withinTime } from './within-time.ts'

const longestPattern = 1000
/** Time limit for the lines of one file: some expressions would take practically for ever. */
const longestMatchMs = 2000

/** A regular expression for lines. */
export interface LinePattern {
  readonly source: string
  readonly ignoresCase: boolean
  /** Whether it matches code points. The lenient dialect matches UTF-16 units. */
  readonly isStrict: boolean
  /** The indexes of matching lines with their columns, at most `most`. Undefined when matching takes too long. */
  matchesIn(lines: readonly string[], most: number): readonly LineMatch[] | undefined
}

interface LineMatch {
  readonly line: number
  readonly column: number
}

/** The pattern, or why it is invalid. The dialect is JavaScript's, with an optional `(?i)` in front. */
export function linePattern(text: string, { ignoreCase }: { readonly ignoreCase: boolean }): LinePattern | string {
  if (text === '') return 'The pattern is empty.'
  if (text.length > longestPattern) return `The pattern is longer than ${longestPattern} characters.`
  const source = text.replace(/^\(\?i\)/, '')
  const ignoresCase = ignoreCase || source !== text
  const expression = compile(source, ignoresCase ? 'i' : '')
  if (typeof expression === 'string') {
    return `${text} is not a regular expression (${expression}). Characters such as ( [ { + * ? need a \\ before them.`
  }
  return {
    source,
    ignoresCase,
    isStrict: expression.unicode,
    matchesIn(lines, most) {
      const found = withinTime(longestMatchMs, () => matchesIn(expression, lines, most))
      return found.kind === 'done' ? found.result : undefined
    },
  }
}

/** Strict if that compiles; the lenient dialect accepts a lone `{` as a literal. */
function compile(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, `${flags}u`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  try {
    return new RegExp(source, flags)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return error.message.replace(/^.*: /, '')
  }
}

function matchesIn(expression: RegExp, lines: readonly string[], most: number): LineMatch[] {
  const matches: LineMatch[] = []
  for (const [line, text] of lines.entries()) {
    const column = text.search(expression)
    if (column < 0) continue
    matches.push({ line, column })
    if (matches.length >= most) break
  }
  return matches
}
