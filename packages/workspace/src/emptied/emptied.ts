import type { Tree } from '@lezer/common'
import { type Grammar, grammarOfEnding, parse } from '../imports/parse.ts'
import { type FoundFunction, javascriptFunctions } from './javascript-functions.ts'
import { pythonFunctions } from './python-functions.ts'

/** A source file before and after a change: the input of `emptied`. */
export interface ChangedFile {
  readonly path: string
  /** Before the change; absent for a new file. */
  readonly before?: string | undefined
  readonly now: string
}

/** The file with the bodies of its changed functions emptied, or why that is impossible. */
export type Emptied =
  | {
      readonly kind: 'emptied'
      readonly text: string
      /** The names of the emptied functions. */ readonly functions: readonly string[]
    }
  | { readonly kind: 'impossible'; readonly why: 'language' | 'syntax' | 'no_function_changed' | 'too_large' }

const milliseconds = 10_000

/**
 * Returns the file with the body of each new or changed function emptied. Exports, signatures, types and constructors
 * stay; generators yield nothing. Changes of comments and layout do not count.
 */
export async function emptied({ path, before, now }: ChangedFile): Promise<Emptied> {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const grammar = Object.hasOwn(grammarOfEnding, ending) ? grammarOfEnding[ending] : undefined
  if (grammar === undefined || grammar === 'json') return { kind: 'impossible', why: 'language' }
  const trees = [await treeOf(grammar, before ?? ''), await treeOf(grammar, now)] as const
  if (trees[0] === undefined || trees[1] === undefined) return { kind: 'impossible', why: 'too_large' }
  const errors = errorsIn(trees[1])
  const [old, all] = [functionsOf(grammar, trees[0], before ?? ''), functionsOf(grammar, trees[1], now)]
  const known = new Set(old.map(identity))
  const changed = outermost(all.filter((it) => !known.has(identity(it))))
  if (changed.length === 0) return { kind: 'impossible', why: errors.length > 0 ? 'syntax' : 'no_function_changed' }
  const isUnsure = changed.some(({ from, to }) => errors.some((place) => from <= place && place <= to))
  if (isUnsure) return { kind: 'impossible', why: 'syntax' }
  const text = replaced(now, changed)
  const tree = await treeOf(grammar, text)
  // An emptied file that no longer parses would only show that a broken file fails, so it must not be tried.
  if (tree === undefined || errorsIn(tree).length > errors.length) return { kind: 'impossible', why: 'syntax' }
  return { kind: 'emptied', text, functions: changed.map((it) => it.name) }
}

function functionsOf(grammar: Grammar, tree: Tree, text: string): readonly FoundFunction[] {
  if (grammar === 'python') return pythonFunctions(tree, text)
  return javascriptFunctions(tree, text, grammar === 'javascript' ? 'javascript' : 'typescript')
}

function identity({ name, shape }: FoundFunction): string {
  return `${name}\n${shape}`
}

/** Without functions that lie inside another one in the list: they are emptied together with it. */
function outermost(all: readonly FoundFunction[]): readonly FoundFunction[] {
  return all.filter((it) => !all.some((other) => other !== it && other.from <= it.from && it.to <= other.to))
}

function replaced(text: string, functions: readonly FoundFunction[]): string {
  let result = ''
  let place = 0
  for (const { from, to, empty } of functions.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(place, from) + empty
    place = to
  }
  return result + text.slice(place)
}

async function treeOf(grammar: Grammar, text: string): Promise<Tree | undefined> {
  const parsed = await parse(grammar, grammar === 'python' ? text : withoutClauses(text), milliseconds)
  return parsed.kind === 'parsed' ? parsed.tree : undefined
}

/** The grammar does not know all syntax of import and export clauses (`{ type A }`). They hold no function. */
function withoutClauses(text: string): string {
  const from = String.raw`from\s*(?:'[^'\n]*'|"[^"\n]*")`
  const clauses = [
    String.raw`import\s+(?:type\s+)?[\w$*{},\s]+?\s*${from}`,
    String.raw`export\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^{}]*\})(?:\s*${from})?`,
  ]
  return text.replace(new RegExp(`^(?:${clauses.join('|')})`, 'gm'), (it) => it.replace(/[^\n]/g, ' '))
}

/**
 * The places where the parser did not understand the text. The grammar lacks some syntax; that does no harm outside of
 * the emptied functions. A `yield` without a value, which it does not know either, is left out.
 */
function errorsIn(tree: Tree): readonly number[] {
  const errors: number[] = []
  tree.iterate({
    enter: ({ type, node }) => {
      if (type.isError && node.parent?.name.startsWith('Yield') !== true) errors.push(node.from)
    },
  })
  return errors
}
