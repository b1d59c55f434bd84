import { createInterface, type Interface } from 'node:readline'
import { inOneLine } from '@loader/readings'
import { columnsOf, type Console } from '../console/console.ts'
import type { OpenQuestion } from './chat.ts'
import type { Choosing } from './choosing.ts'
import type { Host, Terminal } from './terminal.ts'

const mostChoices = 30

/** A terminal for lines only: nothing is redrawn, so that screen readers and logs stay readable. */
export class PlainTerminal implements Terminal {
  readonly liveRoom = 0
  readonly showsPictures = false
  readonly #console: Console
  readonly #reader: Interface
  #host: Host | undefined
  /** The question whose prompt was printed last. */
  #asked: OpenQuestion | undefined
  #waitingFor = ''
  #choose: ((line: string) => void) | undefined

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
    if (asked !== undefined && asked !== this.#asked) this.#console.stdout.write(asked.prompt)
    this.#asked = asked
    const waitingFor = chat?.waitingFor ?? ''
    if (waitingFor !== this.#waitingFor && waitingFor !== '') this.#console.stdout.write(`${inOneLine(waitingFor)}\n`)
    this.#waitingFor = waitingFor
  }

  picture(): readonly string[] {
    return []
  }

  /** The terminal has echoed the input already. */
  echo(): void {}

  ready(): void {
    this.#console.stdout.write('> ')
  }

  paste(text: string): void {
    this.propose(text)
  }

  choose<Value>({ title, choices }: Choosing<Value>): Promise<Value | undefined> {
    const numbered = choices.slice(0, mostChoices).map(({ label, detail }, index) => {
      return `${index + 1}. ${inOneLine(label)}${detail === '' ? '' : `: ${inOneLine(detail)}`}`
    })
    this.print([`${title}:`, ...numbered])
    this.#console.stdout.write('A number, or Enter for none> ')
    return new Promise((resolve) => {
      this.#choose = (line) => {
        this.#choose = undefined
        resolve(/^[1-9]\d*$/.test(line.trim()) ? choices[Number(line) - 1]?.value : undefined)
      }
    })
  }

  async lend<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#reader.pause()
    try {
      return await run()
    } finally {
      this.#reader.resume()
    }
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
    if (this.#choose !== undefined) return this.#choose(line)
    const asked = this.#host?.chat.asked
    if (this.#host?.submit(line) === false) this.#console.stdout.write(`${asked?.hint ?? ''}\n${asked?.prompt ?? ''}`)
    return undefined
  }

  readonly #onEnd = (): void => {
    this.#choose?.('')
    this.#host?.leave()
  }

  readonly #onInterrupt = (): void => {
    if (this.#host?.chat.isRunning) this.#host.stop()
    else this.#host?.leave()
  }
}
