import type { LinePattern } from './line-pattern.ts'

/**
 * A pattern in ripgrep's dialect that matches every line which the JavaScript expression matches. It may match more
 * lines, because it only selects the files worth reading. Undefined where no such pattern is known.
 *
 * Assertions such as `^` are left out. If a character is not certain to mean the same in both dialects, any byte
 * sequence that can be decoded as one character, or as the replacement character, is allowed in its place.
 */
export function prefilterPattern({ source, ignoresCase, isStrict }: Dialect): string | undefined {
  const reader = new Reader(source, ignoresCase, isStrict)
  try {
    const pattern = reader.alternatives()
    return reader.atEnd ? `${ignoresCase ? '(?i)' : ''}${pattern}` : undefined
  } catch (error) {
    if (error === unknown) return undefined
    throw error
  }
}

type Dialect = Pick<LinePattern, 'source' | 'ignoresCase' | 'isStrict'>

/** Thrown when the expression cannot be translated. */
const unknown = new Error('There is no pattern for ripgrep that is known to find as much.')

const anyCharacter = String.raw`(?-u:[^\n]{1,4})`
const anything = String.raw`(?-u:[^\n]*)`
const replacement = 0xff_fd

const classes: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: String.raw`\s\x{FEFF}`,
}
const codes = /x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}/y
const lenientCodes = /x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}/y
const controls: Readonly<Record<string, number>> = { t: 9, v: 11, f: 12, r: 13 }

class Reader {
  readonly #source: string
  readonly #ignoresCase: boolean
  readonly #isStrict: boolean
  #at = 0

  constructor(source: string, ignoresCase: boolean, isStrict: boolean) {
    this.#source = source
    this.#ignoresCase = ignoresCase
    this.#isStrict = isStrict
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length
  }

  alternatives(): string {
    const found = [this.#sequence()]
    while (this.#take('|')) found.push(this.#sequence())
    return found.join('|')
  }

  #sequence(): string {
    let sequence = ''
    while (!this.atEnd && !'|)'.includes(this.#peek())) {
      const atom = this.#atom()
      const quantifier = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y) ?? ''
      sequence += atom === '' ? '' : atom + quantifier
    }
    return sequence
  }

  #atom(): string {
    if (this.#match(/\^|\$|\\b|\\B/y) !== undefined) return ''
    if (this.#match(/\(\?(?:<[=!]|[=!])/y) !== undefined) return this.#group(() => '')
    if (this.#match(/\(\?:|\(\?<\w+>/y) !== undefined) return this.#group((inner) => `(?:${inner})`)
    if (this.#match(/\(\?/y) !== undefined) throw unknown
    if (this.#take('(')) return this.#group((inner) => `(?:${inner})`)
    if (this.#take('.')) return anyCharacter
    if (this.#take('[')) return this.#class()
    if (this.#take('\\')) return this.#escape()
    return this.#literal(this.#point())
  }

  #group(shape: (inner: string) => string): string {
    const inner = this.alternatives()
    if (!this.#take(')')) throw unknown
    return shape(inner)
  }

  #escape(): string {
    if (this.#match(/[DWS]/y) !== undefined) return anyCharacter
    if (this.#match(/[1-9]\d*|k<\w+>/y) !== undefined) return anything
    const kind = this.#match(/[dws]/y)
    return kind === undefined ? this.#literal(this.#escapedPoint()) : `[${classes[kind]}]`
  }

  /** After `[`. A class with uncertain members becomes any character. */
  #class(): string {
    const isNegated = this.#take('^')
    const members: string[] = []
    let isAny = isNegated
    while (!this.#take(']')) {
      if (this.atEnd) throw unknown
      const member = this.#member()
      if (member === undefined) isAny = true
      else members.push(member)
    }
    if (isAny) return anyCharacter
    if (members.length === 0) throw unknown
    return `[${members.join('')}]`
  }

  #member(): string | undefined {
    if (this.#match(/\\[DWS]/y) !== undefined) return undefined
    const kind = this.#match(/\\[dws]/y)?.[1]
    if (kind !== undefined) {
      // A range whose end is a class such as `\d` differs between dialects, so it is not translated.
      if (this.#peek() === '-' && this.#source[this.#at + 1] !== ']') throw unknown
      return classes[kind]
    }
    const first = this.#memberPoint()
    if (this.#peek() !== '-' || this.#source[this.#at + 1] === ']') return this.#inClass(first, first)
    this.#at += 1
    if (this.#match(/\\[dwsDWS]/y) !== undefined) throw unknown
    return this.#inClass(first, this.#memberPoint())
  }

  #memberPoint(): number {
    if (this.#match(/\\b/y) !== undefined) return 8
    return this.#take('\\') ? this.#escapedPoint() : this.#point()
  }

  #inClass(first: number, last: number): string | undefined {
    if (this.#isUncertain(last) || first > last) throw unknown
    if (first <= replacement && last >= replacement) return undefined
    return `${escaped(first)}-${escaped(last)}`
  }

  #literal(point: number): string {
    if (this.#isUncertain(point) || point === replacement || point === 10) throw unknown
    return escaped(point)
  }

  /** Beyond ASCII, case folding differs between dialects; halves of surrogate pairs are not characters. */
  #isUncertain(point: number): boolean {
    if (point > 0xff_ff && !this.#isStrict) return true
    return (this.#ignoresCase && point > 0x7f) || (point >= 0xd8_00 && point <= 0xdf_ff)
  }

  /** After a backslash. */
  #escapedPoint(): number {
    const code = this.#match(this.#isStrict ? codes : lenientCodes)
    if (code !== undefined) return Number.parseInt(code.replace(/[^0-9A-Fa-f]/g, ''), 16)
    const control = this.#match(/[tvfr]/y)
    if (control !== undefined) return controls[control] ?? 0
    // Other escaped letters and digits have special meanings, or may get one.
    if (/[\dA-Za-z]/.test(this.#peek())) throw unknown
    return this.#point()
  }

  #point(): number {
    const point = this.#source.codePointAt(this.#at)
    if (point === undefined) throw unknown
    this.#at += point > 0xff_ff ? 2 : 1
    return point
  }

  #peek(): string {
    return this.#source[this.#at] ?? ''
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)?.[0]
    this.#at += found?.length ?? 0
    return found
  }
}

function escaped(point: number): string {
  const character = String.fromCodePoint(point)
  return /[0-9A-Za-z_ ]/.test(character) ? character : `\\x{${point.toString(16)}}`
}
