import { inText } from '@loader/readings'
import { nameOfTarget } from './blocks.ts'

/** A part of a line. */
export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly parts: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly parts: readonly Inline[] }

/** Marks that may open or close something, and what they stand behind. */
interface Marks {
  readonly kind: 'marks'
  readonly sign: string
  readonly count: number
  readonly opens: boolean
  readonly closes: boolean
}

interface Opener {
  readonly at: number
  readonly isImage: boolean
}

/** A longer run of marks is text. */
const mostMarks = 6
/** What is nested more deeply is shown with its marks. */
const deepest = 12
/** How many open marks are searched for the other one of a pair. */
const mostOpen = 20

const special = /[\\`*_~[\]!<&\n]|https?:\/\//g
const aim =
  /\(\s{0,9}(?:<([^<>\n]{0,2000})>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,500}\)){0,2000}))(?:\s{1,9}(?:"(?:[^"\\]|\\.){0,500}"|'(?:[^'\\]|\\.){0,500}'))?\s{0,9}\)/y
const named = /\[([^[\]]{0,200})\]/y
const between = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000}|[\w.+-]{1,100}@[\w.-]{1,200})>/y
const bare = /https?:\/\/[^\s<>"`]{1,2000}/y
const entity =
  /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp|copy|ndash|mdash|hellip|larr|rarr|times|middot));/y
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  larr: '←',
  rarr: '→',
  times: '×',
  middot: '·',
}

/** The parts of a text. The time that it takes grows with its length alone, whatever signs it is made of. */
export function inlinesOf(text: string, targets: ReadonlyMap<string, string>): Inline[] {
  return new Reader(text, targets).read()
}

class Reader {
  readonly #text: string
  readonly #targets: ReadonlyMap<string, string>
  #parts: (Inline | Marks)[] = []
  #openers: Opener[] = []
  #at = 0
  /** Where runs of backticks of each length begin, the last one first. */
  #ticks: Map<number, number[]> | undefined

  constructor(text: string, targets: ReadonlyMap<string, string>) {
    this.#text = text
    this.#targets = targets
  }

  read(): Inline[] {
    const text = this.#text
    for (;;) {
      special.lastIndex = this.#at
      const found = special.exec(text)
      if (found === null) break
      this.#add(text.slice(this.#at, found.index))
      this.#at = found.index
      this.#sign(found[0])
    }
    this.#add(text.slice(this.#at))
    return paired(this.#parts)
  }

  #sign(sign: string): void {
    switch (sign) {
      case '\\':
        return this.#escape()
      case '`':
        return this.#code()
      case '*':
      case '_':
      case '~':
        return this.#marks(sign)
      case '!':
        return this.#text[this.#at + 1] === '[' ? this.#open('![') : this.#take(sign)
      case '[':
        return this.#open(sign)
      case ']':
        return this.#close()
      case '<':
        return this.#address()
      case '&':
        return this.#entity()
      case '\n':
        return this.#newLine()
      default:
        return this.#url()
    }
  }

  #add(text: string): void {
    if (text !== '') this.#parts.push(text)
  }

  /** Takes signs over as they are. */
  #take(text: string): void {
    this.#add(text)
    this.#at += text.length
  }

  #escape(): void {
    const next = this.#text[this.#at + 1] ?? ''
    if (next === '\n') this.#parts.push({ kind: 'break' })
    else this.#add(/[!-/:-@[-`{-~]/.test(next) ? next : `\\${next}`)
    this.#at += 2
  }

  #code(): void {
    const length = runLength(this.#text, this.#at)
    const end = this.#endOfCode(this.#at + length, length)
    if (end === undefined) return this.#take('`'.repeat(length))
    const inside = this.#text.slice(this.#at + length, end).replaceAll('\n', ' ')
    const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== ''
    this.#parts.push({ kind: 'code', text: isPadded ? inside.slice(1, -1) : inside })
    this.#at = end + length
  }

  #endOfCode(from: number, length: number): number | undefined {
    this.#ticks ??= placesOfTicks(this.#text)
    const places = this.#ticks.get(length) ?? []
    // One goes from the beginning to the end of a text: what lies behind is not asked for again.
    while ((places.at(-1) ?? from) < from) places.pop()
    return places.at(-1)
  }

  #marks(sign: string): void {
    const length = runLength(this.#text, this.#at)
    const [before, after] = [this.#text[this.#at - 1] ?? ' ', this.#text[this.#at + length] ?? ' ']
    if (length > mostMarks || (sign === '~' && length > 2)) return this.#take(sign.repeat(length))
    const [isLeft, isRight] = [flanks(before, after), flanks(after, before)]
    // Within a word, `_` is a letter.
    const opens = isLeft && (sign !== '_' || !isRight || isSign(before))
    const closes = isRight && (sign !== '_' || !isLeft || isSign(after))
    this.#parts.push({ kind: 'marks', sign, count: length, opens, closes })
    this.#at += length
  }

  #open(sign: '[' | '!['): void {
    this.#openers.push({ at: this.#parts.length, isImage: sign === '![' })
    this.#take(sign)
  }

  #close(): void {
    const opener = this.#openers.pop()
    const url = opener === undefined ? undefined : this.#aimBehind(opener)
    if (opener === undefined || url === undefined) return this.#take(']')
    const parts = paired(this.#parts.splice(opener.at).slice(1)).flatMap(withoutLinks)
    // Nothing is loaded from elsewhere: an image is a link with its words.
    const words = opener.isImage ? ['[image', ...(parts.length === 0 ? [] : [': ', ...parts]), ']'] : parts
    this.#parts.push({ kind: 'link', url, parts: words })
    // There are no links within links.
    if (!opener.isImage) this.#openers = this.#openers.filter(({ isImage }) => isImage)
  }

  /** Where the link leads of which this is the closing bracket; the reader then stands behind it. */
  #aimBehind({ at }: Opener): string | undefined {
    const behind = this.#at + 1
    const direct = matchAt(aim, this.#text, behind)
    if (direct !== null) {
      this.#at = behind + direct[0].length
      return unescaped(direct[1] ?? direct[2] ?? '')
    }
    const reference = matchAt(named, this.#text, behind)
    const words = reference?.[1] ?? ''
    const url = this.#targets.get(nameOfTarget(words === '' ? plainWords(this.#parts.slice(at + 1)) : words))
    if (url !== undefined) this.#at = behind + (reference?.[0].length ?? 0)
    return url
  }

  #address(): void {
    const found = matchAt(between, this.#text, this.#at)
    if (found === null) return this.#take('<')
    const [whole, address = ''] = found
    this.#parts.push({ kind: 'link', url: address.includes(':') ? address : `mailto:${address}`, parts: [address] })
    this.#at += whole.length
  }

  /** A character that is written by its number is written out if it hides or reorders text, as all others are. */
  #entity(): void {
    const found = matchAt(entity, this.#text, this.#at)
    if (found === null) return this.#take('&')
    const [whole, decimal, hexadecimal, name] = found
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10_ff_ff
    this.#add(
      name !== undefined ? (entities[name] ?? whole) : isCharacter ? written(String.fromCodePoint(code)) : whole,
    )
    this.#at += whole.length
  }

  #newLine(): void {
    const before = this.#parts.at(-1)
    const isHard = typeof before === 'string' && before.endsWith('  ')
    if (typeof before === 'string') this.#parts[this.#parts.length - 1] = before.trimEnd()
    if (isHard) this.#parts.push({ kind: 'break' })
    this.#take('\n')
  }

  #url(): void {
    const [found = ''] = matchAt(bare, this.#text, this.#at) ?? []
    const url = withoutEnd(found)
    const isWithinWord = /[\w]/.test(this.#text[this.#at - 1] ?? '')
    if (isWithinWord || url === '' || url.endsWith('//')) return this.#take(this.#text.slice(this.#at, this.#at + 4))
    this.#parts.push({ kind: 'link', url, parts: [url] })
    this.#at += url.length
  }
}

/** Puts what is between two marks into one part, and makes text of marks that stand alone. */
function paired(parts: readonly (Inline | Marks)[]): Inline[] {
  const out: (Inline | Marks)[] = []
  const open: number[] = []
  for (const part of parts) {
    if (!isMarks(part)) {
      out.push(part)
      continue
    }
    let left = part.count
    while (part.closes && left > 0) {
      const found = lastOpen(out, open, { ...part, count: left })
      if (found === undefined) break
      const opener = out[found] as Marks
      const used = opener.count >= 2 && left >= 2 ? 2 : 1
      const inside = out.splice(found + 1).map(asText)
      while ((open.at(-1) ?? -1) >= found) open.pop()
      out.pop()
      if (opener.count > used) {
        open.push(out.length)
        out.push({ ...opener, count: opener.count - used })
      }
      out.push(...wrapped(part.sign, used, inside))
      left -= used
    }
    if (left === 0) continue
    if (part.opens) open.push(out.length)
    out.push({ ...part, count: left })
  }
  return out.map(asText)
}

function lastOpen(out: readonly (Inline | Marks)[], open: readonly number[], marks: Marks): number | undefined {
  for (const at of open.slice(-mostOpen).toReversed()) {
    const opener = out[at]
    if (opener === undefined || !isMarks(opener) || opener.sign !== marks.sign) continue
    if (marks.sign === '~' ? opener.count === marks.count : fits(opener, marks)) return at
  }
  return undefined
}

/** Marks that can both open and close belong together by a rule of CommonMark: not when their sum is a multiple of three. */
function fits(opener: Marks, closer: Marks): boolean {
  if (!opener.closes && !closer.opens) return true
  return (opener.count + closer.count) % 3 !== 0 || (opener.count % 3 === 0 && closer.count % 3 === 0)
}

function wrapped(sign: string, used: number, parts: Inline[]): Inline[] {
  const marks = sign.repeat(used)
  if (depths(parts) >= deepest) return [marks, ...parts, marks]
  const made: Inline = { kind: sign === '~' ? 'del' : used === 2 ? 'strong' : 'em', parts }
  depthOf.set(made, depths(parts) + 1)
  return [made]
}

const depthOf = new WeakMap<object, number>()

function depths(parts: readonly Inline[]): number {
  let most = 0
  for (const part of parts) if (typeof part !== 'string') most = Math.max(most, depthOf.get(part) ?? 0)
  return most
}

function withoutLinks(part: Inline): readonly Inline[] {
  if (typeof part === 'string' || !('parts' in part)) return [part]
  const parts = part.parts.flatMap(withoutLinks)
  return part.kind === 'link' ? parts : [{ kind: part.kind, parts }]
}

function isMarks(part: Inline | Marks): part is Marks {
  return typeof part !== 'string' && part.kind === 'marks'
}

function asText(part: Inline | Marks): Inline {
  return isMarks(part) ? part.sign.repeat(part.count) : part
}

function plainWords(parts: readonly (Inline | Marks)[]): string {
  // The name of a target is short; what is longer has none.
  if (parts.length > 50) return ''
  return parts
    .map((part) => (typeof part === 'string' ? part : isMarks(part) ? part.sign.repeat(part.count) : ''))
    .join('')
}

function placesOfTicks(text: string): Map<number, number[]> {
  const places = new Map<number, number[]>()
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].toReversed()) {
    const known = places.get(run.length)
    if (known === undefined) places.set(run.length, [index])
    else known.push(index)
  }
  return places
}

function runLength(text: string, at: number): number {
  let end = at
  while (text[end] === text[at]) end += 1
  return end - at
}

/** Whether marks between the two could open: what follows is no space, and a sign only where a space or sign is in front. */
function flanks(before: string, after: string): boolean {
  if (/\s/.test(after)) return false
  return !isSign(after) || /\s/.test(before) || isSign(before)
}

function isSign(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character)
}

/** A full stop at the end of an address belongs to the sentence, and a bracket that it does not open to what is around it. */
function withoutEnd(url: string): string {
  let end = url.length
  let open = url.split('(').length - url.split(')').length
  for (; end > 0; end -= 1) {
    const last = url[end - 1] ?? ''
    if (last === ')' && open < 0) open += 1
    else if (!/[.,;:!?'*_~\]|]/.test(last)) break
  }
  return url.slice(0, end)
}

function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

function written(character: string): string {
  // A space at the end would be taken away.
  return inText(`${character}.`).slice(0, -1)
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
