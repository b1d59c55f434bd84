import { inLines } from '@loader/readings'
import type { Paint } from '../screen/paint.ts'
import { cut } from '../screen/width.ts'
import { CodeColours } from './code-colours.ts'
import { isTableLine, tableLines } from './markdown-table.ts'
import { runsOf, type RunStyle, wrapRuns } from './runs.ts'

/** Renders Markdown line by line, so that it can be shown while it is being written. */
export class MarkdownLines {
  readonly #paint: Paint
  readonly #columns: () => number
  #fence: string | undefined
  #colours: CodeColours
  /** Lines that may become a table, whose column widths are known only at its end. */
  #table: string[] = []

  constructor(paint: Paint, columns: () => number) {
    this.#paint = paint
    this.#colours = new CodeColours('', paint)
    this.#columns = columns
  }

  /** Renders one complete line of the text. */
  line(text: string): string[] {
    const [line = ''] = inLines(text)
    if (this.#fence === undefined && isTableLine(line)) {
      this.#table.push(line)
      return []
    }
    return [...this.#tableSoFar('take'), ...this.#lineOf(line)]
  }

  /** The unfinished line, and the lines that wait with it, as they look so far. */
  preview(text: string): string[] {
    const [line = ''] = inLines(text)
    const waiting = this.#tableSoFar('look')
    if (line === '' || isFence(line)) return waiting
    if (this.#fence !== undefined) return [...waiting, `  ${cut(line, this.#room - 2)}`]
    return [...waiting, ...this.#textLines(line)]
  }

  /** Ends the answer, so that an open block does not affect the next one. */
  end(): string[] {
    const rest = this.#tableSoFar('take')
    this.#fence = undefined
    return rest
  }

  get #room(): number {
    return this.#columns() - 1
  }

  #tableSoFar(how: 'take' | 'look'): string[] {
    const lines = this.#table
    if (lines.length === 0) return []
    if (how === 'take') this.#table = []
    return tableLines(lines, this.#room, this.#paint) ?? lines.flatMap((line) => this.#textLines(line))
  }

  #lineOf(line: string): string[] {
    const [, marks = '', language = ''] = fence.exec(line) ?? []
    if (this.#fence !== undefined) {
      const closes = marks.startsWith(this.#fence) && language.trim() === ''
      if (!closes) return [this.#code(line)]
      this.#fence = undefined
      return []
    }
    if (marks === '') return this.#textLines(line)
    this.#fence = marks
    this.#colours = new CodeColours(language.trim().split(/\s/)[0] ?? '', this.#paint)
    return language.trim() === '' ? [] : [this.#paint('dim', cut(`  ${language.trim()}:`, this.#room))]
  }

  /** Code is not wrapped, so that it can be copied unchanged. */
  #code(line: string): string {
    return line === '' ? '' : `  ${this.#colours.line(line)}`
  }

  #textLines(line: string): string[] {
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (heading !== undefined) return this.#wrapped('', heading, ['bold'])
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return [this.#paint('dim', '-'.repeat(Math.min(24, this.#room)))]
    const quote = /^ {0,3}>\s?(.*)$/.exec(line)?.[1]
    if (quote !== undefined) return this.#wrapped('> ', quote, ['dim'], '> ')
    const [, indent = '', mark = '', text = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? []
    if (mark !== '') return this.#wrapped(`${indent}${/^[*+]$/.test(mark) ? '-' : mark} `, text)
    const [margin = ''] = /^ */.exec(line) ?? []
    return this.#wrapped(margin, line.slice(margin.length))
  }

  /** The text after a mark, with its other lines aligned to the first. */
  #wrapped(mark: string, text: string, styles: readonly RunStyle[] = [], below = ' '.repeat(mark.length)): string[] {
    const margin = mark.length > this.#room / 2 ? '' : below
    const lines = wrapRuns(runsOf(text, styles), this.#room - mark.length, this.#paint)
    return lines.map((line, index) => (index === 0 ? mark : margin) + line.text)
  }
}

const fence = /^\s*(```+|~~~+)([^`]*)$/

function isFence(line: string): boolean {
  return /^\s*(?:```|~~~|``?$|~~?$)/.test(line)
}
