import { withinTime } from './within-time.ts'

const longestPattern = 1000
/** For the lines of one file. Expressions that take longer would take for ever. */
const longestMatchMs = 2000

/** A regular expression for lines. */
export interface LinePattern {
  readonly source: string
  readonly ignoresCase: boolean
  /** Whether it reads text in whole characters. The lenient dialect reads it in units of UTF-16. */
  readonly isStrict: boolean
  /** Numbers of the lines that match, counted from 0, and where they do; at most so many. Undefined: takes too long. */
  matchesIn(lines: readonly string[], most: number): readonly LineMatch[] | undefined
}

interface LineMatch {
  readonly line: number
  readonly column: number
}

/** The pattern, or why it is none. It is a regular expression of JavaScript; `(?i)` may stand in front of it. */
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

/** Strict where that works; the lenient way takes a lone `{` for itself, as many people do. */
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
