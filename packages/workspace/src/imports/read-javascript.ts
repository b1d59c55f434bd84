import type { Tree, TreeCursor } from '@lezer/common'
import type { ImportKind, JavaScriptImport, JavaScriptReading } from './file-reading.ts'
import { breather } from '../walk/breather.ts'
import { lineCounter } from './lines.ts'
import { NamesInText } from './names-in-text.ts'

/**
 * Reads imports from the tokens of the tree. The parser always finds the right tokens (strings, templates, regular
 * expressions, JSX), but its nodes are wrong where the grammar lacks syntax: `import x = require()`, `export type *`, a
 * second argument of `import()`.
 */
export async function readJavaScript(tree: Tree, text: string): Promise<JavaScriptReading> {
  const breathe = breather()
  const lines = lineCounter(text)
  const names = new NamesInText()
  const computed = new Set<number>()
  const imports: JavaScriptImport[] = []
  let broken = false
  let state: State = { at: 'code' }
  let before: Token = { name: '', text: '', from: 0 }

  const found = (by: JavaScriptImport['by'], kind: ImportKind, specifier: string, place: number) => {
    imports.push({ text: specifier, by, kind, line: lines(place) })
  }

  const take = (token: Token, cursor: TreeCursor) => {
    const { state: next, import: one, computed: place, isTaken } = step(state, token, before, cursor)
    if (one !== undefined) found(one.by, one.kind, one.text, one.from)
    if (place !== undefined) computed.add(lines(place))
    state = next
    const { fixed } = token
    if (fixed === undefined) names.between(jointOf(token))
    else if (!isTaken) names.add(fixed, lines(token.from), isJoined(before, cursor))
    before = token
  }

  const cursor = tree.cursor()
  let more = true
  for (let nth = 0; more; nth += 1) {
    if (nth % 256 === 0) await breathe()
    const { name, from, to } = cursor
    if (cursor.type.isError && !clauses.has(cursor.node.parent?.name ?? '')) broken = true
    let isLeaf = true
    if (name === 'LineComment' || name === 'BlockComment') {
      const path = name === 'LineComment' ? referenceIn(text.slice(from, to)) : undefined
      if (path !== undefined) found('path', 'type', path, from)
    } else if (name === 'String' || name === 'JSXAttributeValue') {
      take({ name: 'String', text: '', from, fixed: unescaped(text.slice(from + 1, to - 1)) }, cursor)
    } else if (name === 'TemplateString') {
      const parts = templateParts(cursor, text)
      const [only = ''] = parts
      isLeaf = parts.length === 1
      take({ name, text: '', from, ...(isLeaf ? { fixed: only } : {}) }, cursor)
      if (!isLeaf) names.addParts(parts, lines(from))
    } else {
      isLeaf = cursor.firstChild() ? !cursor.parent() : true
      if (isLeaf && to > from && name !== 'Escape') take({ name, text: wordAt(text, from, to), from }, cursor)
    }
    more = cursor.next(!isLeaf)
  }
  return { language: 'javascript', imports, computed: [...computed], names: names.names, broken }
}

/** Parse errors in these nodes do no harm: only their tokens are read. */
const clauses = new Set(['ImportDeclaration', 'ImportGroup', 'ExportDeclaration', 'ExportGroup'])

interface Token {
  readonly name: string
  /** Empty for tokens whose text is not needed. */
  readonly text: string
  readonly from: number
  /** The value of a string or of a template in which nothing is computed. */
  readonly fixed?: string
}

interface Found {
  readonly text: string
  readonly by: JavaScriptImport['by']
  readonly kind: ImportKind
  readonly from: number
}

/** The position within an import statement. */
type State =
  | { readonly at: 'code' }
  /** After `import`: a statement, a call, or `import.meta`. */
  | { readonly at: 'import'; readonly from: number; readonly kind: ImportKind }
  | { readonly at: 'clause'; readonly word: 'import' | 'export'; readonly kind: ImportKind; readonly braces: boolean }
  /** After `import.`, `import.meta.`, `require` or `require.`. */
  | {
      readonly at: 'member'
      readonly of: 'import' | 'meta' | 'require'
      readonly from: number
      readonly kind: ImportKind
    }
  /** A call is named; its bracket comes next. */
  | { readonly at: 'bracket'; readonly call: Call }
  | { readonly at: 'argument'; readonly call: Call }
  | { readonly at: 'end'; readonly call: Call; readonly text: string }

interface Call {
  readonly by: 'import' | 'require' | 'pattern' | 'url'
  readonly kind: ImportKind
  readonly from: number
}

interface Step {
  readonly state: State
  readonly import?: Found
  /** Where an import begins whose target is computed. */
  readonly computed?: number
  /** The token is the target of an import, so it must not also be collected as a name. */
  readonly isTaken?: boolean
}

const code: State = { at: 'code' }

function step(state: State, token: Token, before: Token, cursor: TreeCursor): Step {
  switch (state.at) {
    case 'code':
      return { state: begin(token, before, cursor) }
    case 'import':
      return afterImport(state, token, before, cursor)
    case 'clause':
      return inClause(state, token, before, cursor)
    case 'member':
      return inMember(state, token, before, cursor)
    case 'bracket':
      return token.name === '(' ? { state: { at: 'argument', call: state.call } } : again(token, before, cursor)
    case 'argument':
      return inArgument(state.call, token, before, cursor)
    case 'end':
      return atEnd(state, token, before, cursor)
    default:
      return state satisfies never
  }
}

/** The token does not continue the current state: it is read again from the start state. */
function again(token: Token, before: Token, cursor: TreeCursor): Step {
  return { state: begin(token, before, cursor) }
}

function begin(token: Token, before: Token, cursor: TreeCursor, kind: ImportKind = 'value'): State {
  const { name, text, from } = token
  if (name === 'import') {
    const isType = before.text === 'typeof' || cursor.node.parent?.name === 'ImportType'
    return { at: 'import', from, kind: isType ? 'type' : 'value' }
  }
  if (name === 'export') return { at: 'clause', word: 'export', kind: 'value', braces: false }
  if (name === 'VariableName' && text === 'require') return { at: 'member', of: 'require', from, kind }
  if (name === 'VariableName' && text === 'URL' && before.text === 'new') {
    return { at: 'bracket', call: { by: 'url', kind: 'value', from } }
  }
  return code
}

function afterImport(state: State & { at: 'import' }, token: Token, before: Token, cursor: TreeCursor): Step {
  if (token.name === '(')
    return { state: { at: 'argument', call: { by: 'import', kind: state.kind, from: state.from } } }
  if (token.name === '.') return { state: { at: 'member', of: 'import', from: state.from, kind: state.kind } }
  return inClause({ at: 'clause', word: 'import', kind: 'value', braces: false }, token, before, cursor)
}

const clauseWords = new Set(['type', 'defer', 'source', 'as', 'from', 'default', '*', ',', '}'])

function inClause(state: State & { at: 'clause' }, token: Token, before: Token, cursor: TreeCursor): Step {
  const { name, text, fixed, from } = token
  if (fixed !== undefined) {
    const isTarget = !state.braces && (before.text === 'from' || (state.word === 'import' && before.text === 'import'))
    if (isTarget) return { state: code, import: { text: fixed, by: 'import', kind: state.kind, from }, isTaken: true }
    return state.braces ? { state, isTaken: true } : again(token, before, cursor)
  }
  if (text === '{' && (before.text !== '*' || state.word === 'export')) return { state: { ...state, braces: true } }
  if (text === '}') return { state: { ...state, braces: false } }
  if (state.braces) return { state }
  // `import type from 'x'` and `import type, { a } from 'x'` import a value that is called type.
  if (name === 'type') return { state: { ...state, kind: 'type' } }
  if (text === '=' && state.word === 'import')
    return { state: { at: 'clause', word: 'import', kind: state.kind, braces: false } }
  if (text === 'require' && before.text === '=' && state.word === 'import') {
    return { state: begin({ ...token, name: 'VariableName' }, before, cursor, state.kind) }
  }
  const isBinding = name === 'VariableDefinition' || name === 'VariableName' || name === 'TypeDefinition'
  if (clauseWords.has(text) || (isBinding && (state.word === 'import' || before.text === 'as'))) return { state }
  return again(token, before, cursor)
}

function inMember(state: State & { at: 'member' }, token: Token, before: Token, cursor: TreeCursor): Step {
  const { of, from, kind } = state
  const call = (by: Call['by']): Step => ({ state: { at: 'bracket', call: { by, kind, from } } })
  if (token.name === '.') return { state }
  if (before.text !== '.') {
    if (of === 'require' && token.name === '(')
      return { state: { at: 'argument', call: { by: 'require', kind, from } } }
    return again(token, before, cursor)
  }
  switch (`${of}.${token.text}`) {
    case 'import.meta':
      return { state: { ...state, of: 'meta' } }
    case 'import.defer':
    case 'import.source':
    case 'meta.resolve':
      return call('import')
    case 'require.resolve':
      return call('require')
    // These import every file that matches a pattern.
    case 'meta.glob':
    case 'require.context':
      return call('pattern')
    default:
      return again(token, before, cursor)
  }
}

function inArgument(call: Call, token: Token, before: Token, cursor: TreeCursor): Step {
  if (call.by === 'pattern') return { ...again(token, before, cursor), computed: call.from }
  if (token.fixed !== undefined) return { state: { at: 'end', call, text: token.fixed }, isTaken: call.by !== 'url' }
  const isNone = token.name === ')' || call.by === 'url'
  return { ...again(token, before, cursor), ...(isNone ? {} : { computed: call.from }) }
}

function atEnd(state: State & { at: 'end' }, token: Token, before: Token, cursor: TreeCursor): Step {
  const { call, text } = state
  const next = again(token, before, cursor)
  if (call.by === 'url') {
    if (token.name === ',') return { state }
    if (token.name !== 'import' || before.name !== ',') return next
    return { ...next, import: { text, by: 'path', kind: 'value', from: call.from } }
  }
  const isWhole = [')', ',', 'as', 'satisfies', '!'].includes(token.text)
  if (!isWhole || call.by === 'pattern') return { ...next, computed: call.from }
  return { ...next, import: { text, by: call.by, kind: call.kind, from: call.from } }
}

const longestWord = 16

/** When the parser recovers from an error, a token may include the white space after it. */
function wordAt(text: string, from: number, to: number): string {
  return to - from > longestWord ? '' : text.slice(from, to).trim()
}

/** The token that joins two literals into one path, such as `+`. */
function jointOf({ text }: Token): string | undefined {
  if (text === ',') return '/'
  return text === '+' ? '' : undefined
}

/** Whether a string is a later argument or an operand of `+`: probably a part of a path. */
function isJoined(before: Token, cursor: TreeCursor): boolean {
  return before.text === '+' || (before.text === ',' && cursor.node.parent?.name === 'ArgList')
}

/** The literal parts of a template, between its computed pieces. */
function templateParts(cursor: TreeCursor, text: string): readonly string[] {
  const { node } = cursor
  const parts: string[] = []
  let from = node.from + 1
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Interpolation') continue
    parts.push(unescaped(text.slice(from, child.from)))
    from = child.to
  }
  return [...parts, unescaped(text.slice(from, node.to - 1))]
}

/** `/// <reference path="…" />` */
function referenceIn(comment: string): string | undefined {
  return /^\/\/\/\s*<reference\s[^>]*?\bpath\s*=\s*["']([^"']+)["']/.exec(comment)?.[1]
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' }

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[^]))/gi,
    (_, point?: string, unit?: string, byte?: string, other = '') => {
      const digits = point ?? unit ?? byte
      if (digits !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff))
      return /^[\r\n\u2028\u2029]/.test(other) ? '' : (escapes[other] ?? other)
    },
  )
}
