/** A value of front matter: a text, a list of texts, or a map of texts. */
export type FrontValue = string | readonly string[] | ReadonlyMap<string, string>

/** The keys between two lines of `---` at the top of a Markdown file, and the text below them. */
export interface FrontMatter {
  readonly keys: ReadonlyMap<string, FrontValue>
  readonly body: string
}

/** What was read, or the first line that could not be, for people. */
export type ReadFrontMatter =
  | { readonly kind: 'read'; readonly front: FrontMatter }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly line: number; readonly why: string }

/** A longer file was not written for a model. */
export const longestFile = 256 * 1024
const longestHead = 32 * 1024

/**
 * Reads the part of YAML that such files are written in: texts (plain, in quotes, `|` and `>`), lists and maps of texts.
 * A plain text may have colons, as many files do. Other YAML, such as anchors and maps in maps, is reported
 * with its line, and never read as something else.
 */
export function readFrontMatter(text: string): ReadFrontMatter {
  const match = /^\ufeff?---[ \t]*\r?\n([^]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)([^]*)$/.exec(text)
  if (match === null) return { kind: 'none' }
  const [, head = '', body = ''] = match
  if (head.length > longestHead) return unreadable(-1, `the front matter is longer than ${longestHead / 1024} KiB`)
  const keys = new Map<string, FrontValue>()
  const lines = head.split(/\r?\n/)
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    if (isEmpty(line)) {
      at += 1
      continue
    }
    const [, key, rest = ''] = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/.exec(line) ?? []
    if (key === undefined) return unreadable(at, 'this is no key with a value')
    if (keys.has(key)) return unreadable(at, `the key ${key} is there twice`)
    const below = linesBelow(lines, at + 1)
    const value = valueOf(rest.trim(), below)
    if (typeof value === 'object' && 'why' in value) return unreadable(at, `${key}: ${value.why}`)
    keys.set(key, value)
    at += 1 + below.length
  }
  return { kind: 'read', front: { keys, body } }
}

function unreadable(at: number, why: string): ReadFrontMatter {
  // The line of `---` is the first.
  return { kind: 'unreadable', line: at + 2, why }
}

function isEmpty(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line)
}

/** Lines that belong to the key above them: indented, items of a list at its margin, or empty ones between these. */
function linesBelow(lines: readonly string[], from: number): readonly string[] {
  let to = from
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (!/^(?:[ \t]+\S|-[ \t])/.test(line)) break
    to = at + 1
  }
  return lines.slice(from, to)
}

type Read = FrontValue | { readonly why: string }

function valueOf(first: string, below: readonly string[]): Read {
  const block = /^([|>])([+-]?)$/.exec(first)
  if (block) return blockText(below, block[1] === '>', block[2] ?? '')
  if (/^[&*!{|>%@`]/.test(first)) return { why: `${first.slice(0, 1)} is not read here; write the text in quotes` }
  const items = below.filter((line) => !isEmpty(line))
  if (first !== '' && !first.startsWith('#')) {
    const joined = [first, ...items.map((line) => line.trim())].join(' ')
    return joined.startsWith('[') ? inlineList(joined) : textOf(joined)
  }
  if (items.length === 0) return ''
  if (items.every((line) => /^\s*-(?:[ \t]|$)/.test(line))) return listOf(items)
  return mapOf(items)
}

function listOf(items: readonly string[]): Read {
  const texts: string[] = []
  for (const line of items) {
    const text = textOf(line.replace(/^\s*-\s*/, ''))
    if (typeof text !== 'string') return text
    texts.push(text)
  }
  return texts
}

function mapOf(items: readonly string[]): Read {
  const map = new Map<string, string>()
  const margin = /^\s*/.exec(items[0] ?? '')?.[0]
  for (const line of items) {
    const [, indent, key, rest = ''] = /^(\s+)(["']?[\w./-]+["']?):(?:\s+(\S.*)?)?$/.exec(line.trimEnd()) ?? []
    if (key === undefined) return { why: `${line.trim()} is no key with a value` }
    if (indent !== margin || rest.trim() === '') return { why: 'what is deeper than one level is not read here' }
    const text = textOf(rest.trim())
    if (typeof text !== 'string') return text
    map.set(key.replace(/^["']|["']$/g, ''), text)
  }
  return map
}

/** A text without its quotes. Behind a plain one, ` #` begins a comment. */
function textOf(value: string): string | { readonly why: string } {
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(value)
  if (double) return unescapedText(double[1] ?? '')
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(value)
  if (single) return (single[1] ?? '').replaceAll("''", "'")
  if (/^["']/.test(value)) return { why: 'a quote is not closed' }
  const comment = value.search(/(?<=\s)#/)
  return (comment === -1 ? value : value.slice(0, comment)).trim()
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: '\0', a: '\u0007', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\u001b' }),
)
const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g

/** Programs that write YAML write all but plain letters like this: `\xE9`, `\U0001F680`. */
function unescapedText(text: string): string | { readonly why: string } {
  let unknown: string | undefined
  const read = text.replace(escape, (whole, ...[x, u, long, sign]: readonly (string | undefined)[]) => {
    const code = Number.parseInt(x ?? u ?? long ?? '', 16)
    // Two of four digits can stand for one sign together.
    if (code <= 0xffff) return String.fromCharCode(code)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    if (sign !== undefined && !/\w/.test(sign)) return sign
    const known = escapes.get(sign ?? '')
    if (known === undefined) unknown ??= whole
    return known ?? whole
  })
  return unknown === undefined ? read : { why: `${unknown} is not read here` }
}

/** `[Read, "Bash(git diff:*)"]`; a comma in parentheses or quotes belongs to the text. */
function inlineList(value: string): Read {
  const [, inner] = /^\[([^]*)\](?:\s+#.*)?$/.exec(value) ?? []
  if (inner === undefined) return { why: 'a list is not closed' }
  return listOf(commaSeparated(inner))
}

/** The texts between commas; a comma in parentheses or quotes belongs to its text. */
export function commaSeparated(value: string): readonly string[] {
  const texts: string[] = []
  let [from, depth, quote] = [0, 0, '']
  for (let at = 0; at < value.length; at += 1) {
    const sign = value.charAt(at)
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (sign === ',' && depth === 0) {
      texts.push(value.slice(from, at))
      from = at + 1
    }
  }
  return [...texts, value.slice(from)].map((text) => text.trim()).filter((text) => text !== '')
}

function blockText(below: readonly string[], folded: boolean, chomping: string): string {
  const indents = below.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const margin = Math.min(...(indents.length === 0 ? [0] : indents))
  const lines = below.map((line) => line.slice(margin).trimEnd())
  const text = folded ? lines.join('\n').replace(/([^\n])\n(?=[^\n\s])/g, '$1 ') : lines.join('\n')
  return chomping === '-' || text === '' ? text : `${text.replace(/\n+$/, '')}\n`
}
