import type { Parser, Tree } from '@lezer/common'
import { breather } from '../walk/breather.ts'

export type Grammar = 'javascript' | 'typescript' | 'tsx' | 'json' | 'python'

/** Grammars are loaded on first use, so that programs which parse nothing start without them. */
const grammars: Readonly<Record<Grammar, () => Promise<Parser>>> = {
  javascript: async () => (await import('@lezer/javascript')).parser.configure({ dialect: 'jsx' }),
  typescript: async () => (await import('@lezer/javascript')).parser.configure({ dialect: 'ts' }),
  tsx: async () => (await import('@lezer/javascript')).parser.configure({ dialect: 'ts jsx' }),
  json: async () => (await import('@lezer/javascript')).parser.configure({ top: 'SingleExpression' }),
  python: async () => (await import('@lezer/python')).parser,
}

/** The grammar of a program by the ending of its name. */
export const grammarOfEnding: Readonly<Record<string, Grammar>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  py: 'python',
  pyi: 'python',
}

const loaded = new Map<Grammar, Promise<Parser>>()

function load(grammar: Grammar): Promise<Parser> {
  const parser = loaded.get(grammar) ?? grammars[grammar]()
  loaded.set(grammar, parser)
  return parser
}

export type ParsedTree =
  | { readonly kind: 'parsed'; readonly tree: Tree }
  | { readonly kind: 'stopped'; readonly why: 'too_deep' | 'too_slow' }

/**
 * Nothing that people write is nested this deeply. Beyond it the parser's memory grows with the square of the depth.
 */
const deepest = 2_000

/** Parses any text. It yields to other work, and stops when the text is nested too deeply or takes too long. */
export async function parse(grammar: Grammar, text: string, milliseconds: number): Promise<ParsedTree> {
  if (depthOf(text) > deepest) return { kind: 'stopped', why: 'too_deep' }
  const parser = await load(grammar)
  const breathe = breather()
  const progress = parser.startParse(text)
  let end = performance.now() + milliseconds
  try {
    for (let step = 0; ; step += 1) {
      const tree = progress.advance()
      if (tree !== null) return { kind: 'parsed', tree }
      if (step % 64 !== 0) continue
      const now = performance.now()
      if (now > end) return { kind: 'stopped', why: 'too_slow' }
      await breathe()
      end += performance.now() - now
    }
  } catch (error) {
    // The parser builds the tree by recursion.
    if (error instanceof RangeError) return { kind: 'stopped', why: 'too_deep' }
    throw error
  }
}

/**
 * The approximate nesting depth of brackets, including those in strings and comments. The time limit covers the rest.
 */
function depthOf(text: string): number {
  let depth = 0
  let most = 0
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code === 40 || code === 91 || code === 123) {
      depth += 1
      if (depth > most) most = depth
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth -= 1
  }
  return most
}
