import type { SyntaxNode, Tree } from '@lezer/common'
import type { ImportKind, PythonImport, PythonReading } from './file-reading.ts'
import { breather } from '../walk/breather.ts'
import { lineCounter } from './lines.ts'
import { NamesInText } from './names-in-text.ts'

export async function readPython(tree: Tree, text: string): Promise<PythonReading> {
  const breathe = breather()
  const lines = lineCounter(text)
  const names = new NamesInText()
  const computed = new Set<number>()
  const imports: PythonImport[] = []
  const textOf = (node: SyntaxNode) => text.slice(node.from, node.to)
  let broken = false
  /** Up to this position, the code is for type checkers only. */
  let typesUntil = 0
  let before = ''

  const kindAt = (place: number): ImportKind => (place < typesUntil ? 'type' : 'value')
  const absolute = (module: string, place: number) => {
    imports.push({ level: 0, module, names: [], kind: kindAt(place), line: lines(place) })
  }

  const cursor = tree.cursor()
  let more = true
  for (let nth = 0; more; nth += 1) {
    if (nth % 256 === 0) await breathe()
    const { name, from, to } = cursor
    let isLeaf = false
    if (cursor.type.isError) broken = true
    if (name === 'ImportStatement') {
      imports.push(...statementOf(cursor.node, textOf, kindAt(from), lines(from)))
      isLeaf = true
    } else if (name === 'IfStatement') {
      typesUntil = Math.max(typesUntil, typesOf(cursor.node, textOf))
    } else if (name === 'CallExpression') {
      const call = callOf(cursor.node, textOf)
      if (call?.kind === 'computed') computed.add(lines(from))
      if (call?.kind === 'fixed') imports.push({ ...call.import, kind: kindAt(from), line: lines(from) })
    } else if (name === 'AssignStatement') {
      for (const module of pluginsOf(cursor.node, textOf)) absolute(module, from)
    } else if (name === 'String') {
      names.add(stringOf(text.slice(from, to)), lines(from), isJoined(before, cursor.node))
      before = name
      isLeaf = true
    } else if (name === 'FormatString') {
      names.addParts(partsOf(cursor.node, text), lines(from))
      before = name
    } else if (to > from && name !== 'Comment' && cursor.node.firstChild === null) {
      before = to - from === 1 ? (text[from] ?? '') : name
      // `Path("a") / "b"` is one path.
      if (before !== ')') names.between(jointOf(before))
    }
    more = cursor.next(!isLeaf)
  }
  return { language: 'python', imports, computed: [...computed], names: names.names, broken }
}

type TextOf = (node: SyntaxNode) => string

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child)
  }
  return children
}

/** `import a.b as c, d` and `from ..a import b as c, d`. */
function statementOf(node: SyntaxNode, textOf: TextOf, kind: ImportKind, line: number): readonly PythonImport[] {
  const tokens = childrenOf(node)
    .filter((it) => it.to > it.from)
    .map(textOf)
  const at = tokens.indexOf('import')
  if (at === -1) return []
  const taken = listOf(tokens.slice(at + 1))
  if (tokens[0] !== 'from') return taken.map((module) => ({ level: 0, module, names: [], kind, line }))
  const source = tokens.slice(1, at).join('')
  const level = /^\.*/.exec(source)?.[0].length ?? 0
  return [{ level, module: source.slice(level), names: taken.filter((it) => it !== '*'), kind, line }]
}

/** The names of a list, without what they are renamed to. */
function listOf(tokens: readonly string[]): readonly string[] {
  const names: string[] = []
  let name = ''
  let isRenamed = false
  for (const token of [...tokens, ',']) {
    if (token === ',') {
      if (name !== '') names.push(name)
      name = ''
      isRenamed = false
    } else if (token === 'as') isRenamed = true
    else if (!isRenamed && /^(\*|\.|[\p{ID_Start}_]\p{ID_Continue}*)$/u.test(token)) name += token
  }
  return names
}

/** Where the body of `if TYPE_CHECKING:` ends. */
function typesOf(node: SyntaxNode, textOf: TextOf): number {
  const [, condition, body] = childrenOf(node)
  if (condition === undefined || body?.name !== 'Body') return 0
  return /^(\w+\.)?TYPE_CHECKING$/.test(textOf(condition)) ? body.to : 0
}

type CallText =
  | { readonly kind: 'computed' }
  | { readonly kind: 'fixed'; readonly import: Pick<PythonImport, 'level' | 'module' | 'names'> }

/** `importlib.import_module("a.b")`, `import_module(".b", __package__)`, `__import__("a")`, `pytest.importorskip("a")`. */
function callOf(node: SyntaxNode, textOf: TextOf): CallText | undefined {
  const [callee, list] = childrenOf(node)
  if (callee === undefined || list?.name !== 'ArgList') return undefined
  const name = callee.name === 'MemberExpression' ? textOf(childrenOf(callee).at(-1) ?? callee) : textOf(callee)
  if (!['import_module', '__import__', 'importorskip'].includes(name)) return undefined
  const [first, second] = argumentsOf(list)
  if (first === undefined) return undefined
  if (first.name !== 'String') return { kind: 'computed' }
  const text = stringOf(textOf(first))
  const level = /^\.*/.exec(text)?.[0].length ?? 0
  const module = text.slice(level)
  if (level === 0) return { kind: 'fixed', import: { level, module, names: [] } }
  if (second?.name === 'VariableName') {
    const isOwn = ['__package__', '__name__'].includes(textOf(second))
    return isOwn ? { kind: 'fixed', import: { level, module, names: [] } } : { kind: 'computed' }
  }
  if (second?.name !== 'String') return { kind: 'computed' }
  const base = stringOf(textOf(second)).split('.')
  const place = base.slice(0, base.length - level + 1)
  return { kind: 'fixed', import: { level: 0, module: [...place, module].join('.'), names: [] } }
}

/** The values of the arguments, keyword arguments included; undefined for a value of more than one token. */
function argumentsOf(list: SyntaxNode): readonly SyntaxNode[] {
  const values: SyntaxNode[] = []
  let last: SyntaxNode | undefined
  for (const child of childrenOf(list)) {
    if (child.name === '(') continue
    if (child.name === ',' || child.name === ')') {
      if (last !== undefined) values.push(last)
      last = undefined
    } else last = child
  }
  return values
}

/** pytest imports what a file names in `pytest_plugins`. */
function pluginsOf(node: SyntaxNode, textOf: TextOf): readonly string[] {
  const [name, , value] = childrenOf(node)
  if (name === undefined || value === undefined || textOf(name) !== 'pytest_plugins') return []
  const texts = value.name === 'String' ? [value] : childrenOf(value).filter((it) => it.name === 'String')
  return texts.map((it) => stringOf(textOf(it)))
}

function jointOf(token: string): string | undefined {
  if (token === ',' || token === '/') return '/'
  return token === '+' ? '' : undefined
}

/** Whether a string is a later argument or a part of `a / "b"`: most likely a part of a path. */
function isJoined(before: string, node: SyntaxNode): boolean {
  return before === '/' || before === '+' || (before === ',' && node.parent?.name === 'ArgList')
}

/** The value of a string of whatever prefix and quotes. */
function stringOf(source: string): string {
  const [, prefix = '', , text = ''] = /^([a-z]*)("""|'''|"|')([^]*?)\2?$/i.exec(source) ?? []
  if (/r/i.test(prefix) || !text.includes('\\')) return text
  return text.replace(/\\(\r?\n|[^])/g, (_, it: string) => (it.endsWith('\n') ? '' : ({ n: '\n', t: '\t' }[it] ?? it)))
}

/** The fixed parts of an f-string, between what is computed. */
function partsOf(node: SyntaxNode, text: string): readonly string[] {
  const open = /^[a-z]*("""|'''|"|')/i.exec(text.slice(node.from, node.from + 8))
  const [start = '', quote = ''] = open ?? []
  const parts: string[] = []
  let from = node.from + start.length
  for (const child of childrenOf(node)) {
    if (child.name !== 'FormatReplacement') continue
    parts.push(text.slice(from, child.from))
    from = child.to
  }
  return [...parts, text.slice(from, Math.max(from, node.to - quote.length))]
}
