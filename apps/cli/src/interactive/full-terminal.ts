import type { Console } from '../console/console.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { cut } from '../screen/width.ts'
import { draftRows } from './draft-rows.ts'
import { type EditorState, draftWith, edit, newDraft, type SpecialKey } from './editor.ts'
import { type Key, KeyReader } from './keys.ts'
import { said } from './said.ts'
import { type Bottom, Screen } from './screen.ts'
import { completeSlash } from './slash-commands.ts'
import { statusLine } from './status-line.ts'
import type { Host, Terminal } from './terminal.ts'

const escapeDelayMs = 40
const frameMs = 33
const tickMs = 1000
const leaveWithinMs = 2000
/** A letter so soon after another key, or after a question appeared, was not meant as its answer. */
const readingMs = 600

/** A terminal with an input line and a status line at the bottom, while output scrolls above. */
export class FullTerminal implements Terminal {
  readonly #console: Console
  readonly #style: Omit<LineStyle, 'columns'>
  readonly #screen: Screen
  readonly #keys = new KeyReader()
  #host: Host | undefined
  #draft: EditorState
  #hint = ''
  #interruptedAt = 0
  #keyAt = 0
  #isClosed = false
  #frame: NodeJS.Timeout | undefined
  #escape: NodeJS.Timeout | undefined
  readonly #ticks: NodeJS.Timeout

  constructor(console: Console, style: Omit<LineStyle, 'columns'>, history: readonly string[]) {
    this.#console = console
    this.#style = style
    this.#draft = newDraft(history)
    this.#screen = new Screen(console)
    this.#enter()
    const { stdin, stdout } = console
    stdin.setEncoding('utf8')
    stdin.on('data', this.#onInput)
    stdin.on('end', this.#onEnd)
    stdin.on('error', this.#onEnd)
    stdout.on('resize', this.#onResize)
    this.#ticks = setInterval(() => this.#host?.chat.isRunning && this.refresh(), tickMs)
  }

  get columns(): number {
    return this.#screen.columns
  }

  attach(host: Host): void {
    this.#host = host
    this.refresh()
  }

  ready(): void {
    this.refresh()
  }

  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#draw(lines)
  }

  echo(text: string): void {
    this.print(said(text, { ...this.#style, columns: this.columns }))
  }

  /** Changes that follow each other quickly are drawn once. */
  refresh(): void {
    this.#frame ??= setTimeout(() => this.#draw([]), frameMs)
  }

  propose(text: string): void {
    this.#draft = draftWith(this.#draft, [this.#draft.text, text].filter((part) => part.trim() !== '').join('\n'))
    this.refresh()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#ticks)
    clearTimeout(this.#frame)
    clearTimeout(this.#escape)
    const { stdin, stdout } = this.#console
    stdin.off('data', this.#onInput)
    stdin.off('end', this.#onEnd)
    stdout.off('resize', this.#onResize)
    this.#leave()
  }

  #enter(): void {
    setRaw(this.#console.stdin, 'raw')
    this.#console.stdin.resume()
    this.#console.stdout.write(pasteOn)
  }

  #leave(): void {
    this.#screen.clear()
    this.#console.stdout.write(pasteOff)
    setRaw(this.#console.stdin, 'cooked')
    this.#console.stdin.pause()
  }

  #draw(lines: readonly string[]): void {
    clearTimeout(this.#frame)
    this.#frame = undefined
    this.#screen.update(lines, this.#bottom())
  }

  #bottom(): Bottom {
    const chat = this.#host?.chat
    if (chat === undefined) return { rows: [], cursor: { row: 0, column: 0 } }
    const { columns } = this
    const input = draftRows(this.#draft, columns, chat.asked?.prompt ?? '> ')
    const live = chat.liveRows(Math.max(1, Math.min(mostLive, this.#screen.rows - input.rows.length - 3)))
    const status = this.#hint === '' ? statusLine(chat.status) : cut(this.#hint, columns - 1)
    return {
      rows: [...live, ...input.rows, this.#style.paint('dim', status)],
      cursor: { row: live.length + input.cursor.row, column: input.cursor.column },
    }
  }

  readonly #onResize = (): void => this.#draw([])

  readonly #onInput = (text: string): void => {
    clearTimeout(this.#escape)
    this.#take(this.#keys.read(text))
    if (this.#keys.isWaiting) this.#escape = setTimeout(() => this.#take(this.#keys.flush()), escapeDelayMs)
  }

  /** The terminal was closed. */
  readonly #onEnd = (): void => this.#host?.leave()

  #take(keys: readonly Key[]): void {
    for (const key of keys) this.#onKey(key)
    if (keys.length > 0) this.refresh()
  }

  #onKey(key: Key): void {
    const pause = Date.now() - this.#keyAt
    this.#keyAt = Date.now()
    this.#hint = ''
    if (this.#isAnswer(key, pause)) {
      this.#host?.submit(key.text)
      return
    }
    const edited = edit(this.#draft, key)
    switch (edited.kind) {
      case 'draft':
        this.#draft = edited.draft
        return
      case 'submit':
        return this.#submit(edited.text, edited.draft)
      case 'key':
        return this.#special(edited.name)
      default:
        edited satisfies never
    }
  }

  /** Whether a single letter answers the open question; it counts only if the user had time to read the question. */
  #isAnswer(key: Key, pause: number): key is Extract<Key, { kind: 'text' }> {
    const asked = this.#host?.chat.asked
    if (asked === undefined || key.kind !== 'text' || this.#draft.text !== '') return false
    const isRead = pause >= readingMs && Date.now() - asked.at >= readingMs
    return isRead && key.text.length === 1 && asked.letters.includes(key.text)
  }

  #submit(text: string, next: EditorState): void {
    const asked = this.#host?.chat.asked
    if (this.#host?.submit(text) === false) {
      this.#hint = asked?.hint ?? ''
      return
    }
    // Answers are not added to the history.
    this.#draft = asked === undefined ? next : newDraft(this.#draft.history)
  }

  #special(name: SpecialKey): void {
    switch (name) {
      case 'escape':
        if (this.#host?.chat.isRunning && !this.#host.chat.isStopping) this.#host.stop()
        return
      case 'interrupt':
        return this.#interrupt()
      case 'end-of-input':
        return this.#host?.leave()
      case 'redraw':
        return this.#screen.wipe()
      case 'suspend':
        return this.#suspend()
      case 'tab':
        return this.#complete()
      default:
        name satisfies never
    }
  }

  /** Stops the running turn; else clears the input; else leaves when pressed twice. */
  #interrupt(): void {
    if (this.#host?.chat.isRunning) return this.#host.stop()
    if (this.#draft.text !== '') {
      this.#draft = newDraft(this.#draft.history)
      return
    }
    const now = Date.now()
    if (now - this.#interruptedAt < leaveWithinMs) this.#host?.leave()
    this.#interruptedAt = now
    this.#hint = 'Ctrl-C again, Ctrl-D or /quit leaves. The session stays.'
  }

  #complete(): void {
    const found = completeSlash(this.#draft.text)
    const [only] = found
    if (only !== undefined && found.length === 1) this.#draft = draftWith(this.#draft, `${only} `)
    else this.#hint = found.join('  ')
  }

  /** Suspends the process, and gives the terminal back to the shell until it resumes. */
  #suspend(): void {
    if (process.platform === 'win32') return
    this.#leave()
    process.once('SIGCONT', () => {
      this.#enter()
      this.refresh()
    })
    process.kill(process.pid, 'SIGTSTP')
  }
}

/** Rows for an answer that is being written. */
const mostLive = 10

/** The terminal marks pasted text, so that a line break in it does not submit. */
const pasteOn = '\x1b[?2004h'
const pasteOff = '\x1b[?2004l'

function setRaw(stdin: Console['stdin'], how: 'raw' | 'cooked'): void {
  if ('setRawMode' in stdin && typeof stdin.setRawMode === 'function') stdin.setRawMode(how === 'raw')
}
