import { createInterface, type Interface } from 'node:readline'
import { inOneLine } from '@loader/readings'
import { columnsOf, type Console } from '../console/console.ts'
import type { Host, Terminal } from './terminal.ts'

/** A terminal for lines only: nothing is redrawn, so that screen readers and logs stay readable. */
export class PlainTerminal implements Terminal {
  readonly #console: Console
  readonly #reader: Interface
  #host: Host | undefined
  /** The question whose prompt was printed last. */
  #askedAt: number | undefined
  #waitingFor = ''

  constructor(console: Console) {
    this.#console = console
    this.#reader = createInterface({ input: console.stdin, terminal: false })
    this.#reader.on('line', this.#onLine)
    this.#reader.on('close', this.#onEnd)
    process.on('SIGINT', this.#onInterrupt)
  }

  get columns(): number {
    return columnsOf(this.#console)
  }

  attach(host: Host): void {
    this.#host = host
  }

  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#console.stdout.write(`${lines.join('\n')}\n`)
    this.refresh()
  }

  /** Prints each status once while the user waits, and each question once. */
  refresh(): void {
    const chat = this.#host?.chat
    const asked = chat?.asked
    if (asked !== undefined && asked.at !== this.#askedAt) this.#console.stdout.write(asked.prompt)
    this.#askedAt = asked?.at
    const waitingFor = chat?.waitingFor ?? ''
    if (waitingFor !== this.#waitingFor && waitingFor !== '') this.#console.stdout.write(`${inOneLine(waitingFor)}\n`)
    this.#waitingFor = waitingFor
  }

  /** The terminal has echoed the input already. */
  echo(): void {}

  ready(): void {
    this.#console.stdout.write('> ')
  }

  propose(text: string): void {
    this.print([`Not said: ${inOneLine(text)}`])
  }

  close(): void {
    process.off('SIGINT', this.#onInterrupt)
    this.#reader.off('close', this.#onEnd)
    this.#reader.close()
  }

  readonly #onLine = (line: string): void => {
    const asked = this.#host?.chat.asked
    if (this.#host?.submit(line) === false) this.#console.stdout.write(`${asked?.hint ?? ''}\n${asked?.prompt ?? ''}`)
  }

  readonly #onEnd = (): void => this.#host?.leave()

  readonly #onInterrupt = (): void => {
    if (this.#host?.chat.isRunning) this.#host.stop()
    else this.#host?.leave()
  }
}
