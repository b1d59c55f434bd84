import type { AgentEvent } from '@loader/agent'
import { type EventOf, type SessionState, shownText } from '@loader/session-core'
import { columnsOf, type Console } from '../console/console.ts'
import { eventLines, type LineStyle } from '../screen/event-lines.ts'
import { glyphsFor } from '../screen/glyphs.ts'
import { hanging, marked } from '../screen/hanging.ts'
import type { Paint, Style } from '../screen/paint.ts'
import { Seen } from '../screen/seen.ts'
import { padEnd, wrap } from '../screen/width.ts'

const widest = 92
const pauses = { chapter: 400, event: 40 } as const

export interface ShowOptions {
  readonly console: Console
  readonly paint: Paint
  /** Slow enough to read, or at full speed. */
  readonly pace: 'readable' | 'fast'
}

/** Writes the demo to the terminal. */
export class Show {
  readonly #options: ShowOptions
  readonly #look: LineStyle
  #seen = new Seen()

  constructor(options: ShowOptions) {
    const columns = Math.min(columnsOf(options.console), widest)
    this.#options = options
    this.#look = { paint: options.paint, glyphs: glyphsFor(options.console), columns }
  }

  /** Continues from the state that an earlier process left. */
  take(state: SessionState | null): void {
    this.#seen = new Seen()
    this.#seen.take(state?.turn?.calls ?? [])
  }

  tool(callId: string): string {
    return this.#seen.tool(callId)
  }

  event(event: AgentEvent, state: SessionState | null): void {
    this.#seen.see(event)
    if (event.type === 'model.answered') this.#answer(event)
    this.#events(eventLines(event, this.#seen, this.#look, state))
  }

  text(text: string, style: Style = 'reset'): void {
    this.#lines(wrap(text, this.#room).map((line) => (style === 'reset' ? line : this.#look.paint(style, line))))
  }

  chapter(text: string): void {
    this.#lines([''])
    this.text(text, ['bold', 'underline'])
    this.#pause(pauses.chapter)
  }

  /** Comments on what was just shown. */
  note(text: string): void {
    this.#lines(
      marked('>', text, {
        columns: this.#look.columns,
        paint: (line) => this.#look.paint('yellow', line),
        indent: '  ',
      }),
    )
    this.#pause(pauses.chapter)
  }

  head(command: string, meaning: string): void {
    const { paint, columns } = this.#look
    const dim = (line: string) => paint('dim', line)
    this.#lines(['', ...hanging(`${paint('bold', command)}  `, command.length + 2, meaning, { columns, paint: dim })])
    this.#pause(pauses.event)
  }

  row(left: string, width: number, right: string, style: Style = 'cyan'): void {
    const mark = `  ${this.#look.paint(style, padEnd(left, width))}  `
    this.#lines(hanging(mark, width + 4, right, { columns: this.#look.columns }))
  }

  /** A command to copy, so it must not be wrapped. */
  command(meaning: string, command: string): void {
    this.#lines(['', meaning, `  ${this.#look.paint('bold', command)}`])
  }

  get #room(): number {
    return this.#look.columns - 1
  }

  #answer({ content }: EventOf<'model.answered'>): void {
    const text = content
      .map((part) => (part.type === 'text' ? shownText(part.text) : ''))
      .join('')
      .trim()
    if (text === '') return
    const { paint, glyphs, columns } = this.#look
    if (text.startsWith('##')) this.#events(marked(glyphs.decision, 'the model writes a plan', { columns }))
    else this.#events(wrap(text, this.#room).map((line) => paint('bold', line)))
  }

  #events(lines: readonly string[]): void {
    this.#lines(lines)
    if (lines.length > 0) this.#pause(pauses.event)
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#options.console.stdout.write(`${line}\n`)
  }

  /** Blocks the process. Events arrive one after the other, so only the display waits. */
  #pause(milliseconds: number): void {
    if (this.#options.pace === 'fast' || this.#options.console.stdout.isTTY !== true) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  }
}
