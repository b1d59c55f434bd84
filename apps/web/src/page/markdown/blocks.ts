/** A part of a text in Markdown. What stands in `text` is read by `inlinesOf`, with the targets of `Read`. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list'
      /** The first number; null for one with points. */
      readonly start: number | null
      /** Whether its entries stand apart, as paragraphs do. */
      readonly isLoose: boolean
      readonly items: readonly (readonly Block[])[]
    }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }

export interface Read {
  readonly blocks: readonly Block[]
  /** The addresses of reference links, by name. */
  readonly targets: ReadonlyMap<string, string>
}

/** What is nested more deeply is shown as plain text: recursion must not use up the stack. */
const deepest = 12
/** Cells of one row, and names of targets: a text of signs alone must not make the page large. */
const mostCells = 100

const fence = /^ {0,3}(`{3,}|~{3,})[ ]*([^`\s]*)[^`]*$/
const heading = /^ {0,3}(#{1,6})(?: (.*))?$/
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/
const underline = /^ {0,3}(=+|-+) *$/
const quote = /^ {0,3}> ?/
const point = /^( {0,3})([-*+]|\d{1,9}[.)])(?: ( *)(.*))?$/
const delimiters = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*\|?$/
const target = /^ {0,3}\[([^[\]]{1,200})\]: *<?([^\s<>]{1,2000})>?(?: +["'(].*)?$/

/**
 * The parts of a text in Markdown as models and people write it: what CommonMark and GitHub make of it, but for HTML, which
 * stays text. Every text is one in Markdown; the time that it takes grows with its length alone.
 */
export function readMarkdown(text: string): Read {
  const targets = new Map<string, string>()
  return { blocks: blocksIn(text.split('\n'), 0, targets).blocks, targets }
}

interface Within {
  readonly blocks: readonly Block[]
  /** Whether two of them stand apart. */
  readonly isLoose: boolean
}

function blocksIn(lines: readonly string[], depth: number, targets: Map<string, string>): Within {
  if (depth > deepest) return { blocks: [{ kind: 'paragraph', text: textOf(lines) }], isLoose: false }
  const blocks: Block[] = []
  let at = 0
  let lastGap = 0
  let isLoose = false
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const list = isRule(line) ? undefined : pointOf(line)
    if (line.trim() === '') {
      lastGap = blocks.length
      at += 1
      continue
    }
    isLoose ||= lastGap > 0 && lastGap === blocks.length
    if (fence.test(line)) at = readFence(lines, at, blocks)
    else if (/^ {4}/.test(line)) at = readIndented(lines, at, blocks)
    else if (heading.test(line)) {
      blocks.push(headingIn(line))
      at += 1
    } else if (isRule(line)) {
      blocks.push({ kind: 'rule' })
      at += 1
    } else if (quote.test(line)) {
      const end = endOfQuote(lines, at)
      const inside = lines.slice(at, end).map((one) => one.replace(quote, ''))
      blocks.push({ kind: 'quote', blocks: blocksIn(inside, depth + 1, targets).blocks })
      at = end
    } else if (list !== undefined) at = readList(lines, at, { blocks, depth, targets })
    else if (isTable(lines, at)) at = readTable(lines, at, blocks)
    else at = readParagraph(lines, at, { blocks, depth, targets })
  }
  return { blocks, isLoose }
}

interface Inside {
  readonly blocks: Block[]
  readonly depth: number
  readonly targets: Map<string, string>
}

function readFence(lines: readonly string[], at: number, blocks: Block[]): number {
  const opening = lines[at] ?? ''
  const [, marks = '', language = ''] = fence.exec(opening) ?? []
  const indent = opening.search(/[^ ]/)
  const isEnd = (line: string) => {
    const inner = line.trim()
    return /^ {0,3}[`~]/.test(line) && inner.length >= marks.length && inner === (marks[0] ?? '').repeat(inner.length)
  }
  let end = at + 1
  while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1
  const inside = lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent, indentOf(line))))
  blocks.push({ kind: 'code', language, text: inside.join('\n') })
  return end + 1
}

function readIndented(lines: readonly string[], at: number, blocks: Block[]): number {
  let end = at
  while (end < lines.length && (/^ {4}/.test(lines[end] ?? '') || (lines[end] ?? '').trim() === '')) end += 1
  while ((lines[end - 1] ?? '').trim() === '') end -= 1
  const inside = lines.slice(at, end).map((line) => line.slice(4))
  blocks.push({ kind: 'code', language: '', text: inside.join('\n') })
  return end
}

function headingIn(line: string): Block {
  const [, marks = '', rest = ''] = heading.exec(line) ?? []
  const text = rest.trim()
  const words = text.slice(0, endWithout(text, '#'))
  // Marks at the end belong to the heading when a space stands in front of them.
  const isClosed = words === '' || words.endsWith(' ')
  return { kind: 'heading', level: marks.length, text: (isClosed ? words : text).trim() }
}

/** Where a text ends without the marks at its end. A pattern for that would look at each of them again and again. */
function endWithout(text: string, mark: string): number {
  let end = text.length
  while (end > 0 && text[end - 1] === mark) end -= 1
  return end
}

/** A quote goes on where a paragraph in it goes on without the mark. */
function endOfQuote(lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] ?? ''
    const before = (lines[end - 1] ?? '').replace(quote, '')
    if (!quote.test(line) && (before.trim() === '' || beginsBlock(line) || beginsBlock(before))) break
    end += 1
  }
  return end
}

interface Point {
  /** How far the text of the entry is indented. */
  readonly width: number
  /** What entries of one list have in common. */
  readonly mark: string
  readonly start: number | null
  readonly isEmpty: boolean
}

function pointOf(line: string): Point | undefined {
  const found = point.exec(line)
  if (found === null) return undefined
  const [, indent = '', mark = '', spaces = '', text = ''] = found
  const isEmpty = text === ''
  // More than four spaces belong to the text: it is code.
  const inner = isEmpty || spaces.length >= 4 ? 0 : spaces.length
  const number = Number.parseInt(mark, 10)
  const isNumbered = !Number.isNaN(number)
  return {
    width: indent.length + mark.length + 1 + inner,
    mark: isNumbered ? mark.slice(-1) : mark,
    start: isNumbered ? number : null,
    isEmpty,
  }
}

function readList(lines: readonly string[], at: number, { blocks, depth, targets }: Inside): number {
  const first = pointOf(lines[at] ?? '')
  if (first === undefined) return at + 1
  const items: (readonly Block[])[] = []
  let isLoose = false
  let next = at
  while (next < lines.length) {
    const line = lines[next] ?? ''
    const here = isRule(line) ? undefined : pointOf(line)
    if (here?.mark !== first.mark) break
    const end = endOfItem(lines, next, here)
    const inside = lines
      .slice(next, end)
      .map((one, index) => one.slice(index === 0 ? here.width : Math.min(here.width, indentOf(one))))
    const item = blocksIn(inside, depth + 1, targets)
    items.push(item.blocks)
    const following = firstWords(lines, end)
    const goesOn = following < lines.length && pointOf(lines[following] ?? '')?.mark === first.mark
    isLoose ||= item.isLoose || (goesOn && following > end)
    next = goesOn ? following : end
  }
  blocks.push({ kind: 'list', start: first.start, isLoose, items })
  return next
}

/** An entry has all lines that are indented as its text is, and those that its last paragraph goes on with. */
function endOfItem(lines: readonly string[], at: number, { width, isEmpty }: Point): number {
  let end = at + 1
  if (isEmpty && (lines[end] ?? '').trim() === '') return end
  while (end < lines.length) {
    const line = lines[end] ?? ''
    if (line.trim() === '') {
      const following = firstWords(lines, end)
      if (following === lines.length || indentOf(lines[following] ?? '') < width) break
      end = following
    } else if (indentOf(line) < width && (beginsBlock(line) || pointOf(line) !== undefined)) break
    else end += 1
  }
  return end
}

function firstWords(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && (lines[at] ?? '').trim() === '') at += 1
  return at
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head, below] = [lines[at] ?? '', lines[at + 1] ?? '']
  if (!head.includes('|') || !/[|-]/.test(below) || !delimiters.test(below.trimEnd())) return false
  return cellsOf(head).length === cellsOf(below).length
}

function readTable(lines: readonly string[], at: number, blocks: Block[]): number {
  const head = cellsOf(lines[at] ?? '')
  let end = at + 2
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !beginsBlock(lines[end] ?? '')) end += 1
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line)
    return head.map((_name, index) => cells[index] ?? '')
  })
  blocks.push({ kind: 'table', head, rows })
  return end
}

/** The cells of a row: what stands between bars that no backslash hides. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '')
  const cells = ['']
  for (const part of inner.split(/(\\\||\|)/, 2 * mostCells)) {
    if (part === '|') cells.push('')
    else cells[cells.length - 1] += part === '\\|' ? '|' : part
  }
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop()
  return cells.map((cell) => cell.trim())
}

function readParagraph(lines: readonly string[], at: number, { blocks, depth, targets }: Inside): number {
  const named = target.exec(lines[at] ?? '')
  if (named !== null) {
    const [, name = '', url = ''] = named
    const key = nameOfTarget(name)
    if (!targets.has(key)) targets.set(key, url)
    return at + 1
  }
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] ?? ''
    if (line.trim() === '') break
    const level = underline.exec(line)?.[1]?.[0]
    if (level !== undefined && depth <= deepest) {
      blocks.push({ kind: 'heading', level: level === '=' ? 1 : 2, text: textOf(lines.slice(at, end)) })
      return end + 1
    }
    if (beginsBlock(line)) break
    end += 1
  }
  blocks.push({ kind: 'paragraph', text: textOf(lines.slice(at, end)) })
  return end
}

/** Whether a line ends the paragraph above it. */
function beginsBlock(line: string): boolean {
  if (fence.test(line) || heading.test(line) || isRule(line) || quote.test(line)) return true
  const begun = pointOf(line)
  return begun !== undefined && !begun.isEmpty && (begun.start === null || begun.start === 1)
}

export function nameOfTarget(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase()
}

function textOf(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimStart())
    .join('\n')
    .trimEnd()
}

function isRule(line: string): boolean {
  return rule.test(line)
}

function indentOf(line: string): number {
  const indent = line.search(/[^ ]/)
  return indent < 0 ? line.length : indent
}
