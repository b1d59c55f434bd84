import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A program of `children/`, running on the sources. */
export class Child {
  readonly pid: number
  /** What it has printed, line by line. */
  readonly lines: string[] = []
  /** Resolves when it is gone and everything that it printed is here. */
  readonly ended: Promise<NodeJS.Signals | number | null>
  readonly #process: ChildProcess
  #rest = ''
  #complaints = ''
  #wake: () => void = () => undefined

  constructor(program: string, args: readonly string[]) {
    const path = fileURLToPath(new URL(`children/${program}`, import.meta.url))
    const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']
    this.#process = spawn(process.execPath, [...options, path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.pid = this.#process.pid as number
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text))
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#complaints += text))
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#wake()
        resolve(signal ?? code)
      })
    })
  }

  say(line: string): void {
    this.#process.stdin?.write(`${line}\n`)
  }

  endInput(): void {
    this.#process.stdin?.end()
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  /** Whether it stands still, by a signal. */
  get isStopped(): boolean {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
  }

  /** The first line from `from` on that the test accepts. */
  async line(accepts: (line: string) => boolean, from = 0): Promise<string> {
    for (let index = from; ; index += 1) {
      while (index >= this.lines.length) await this.#more()
      const line = this.lines[index] as string
      if (accepts(line)) return line
    }
  }

  async #more(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
      throw new Error(`The child is gone (${this.#process.exitCode ?? this.#process.signalCode}). ${this.#complaints}`)
    }
    await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  #take(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n')
    // A line that is cut off says nothing.
    this.#rest = lines.pop() ?? ''
    this.lines.push(...lines)
    this.#wake()
  }
}

export function startChild(program: string, ...args: readonly string[]): Child {
  return new Child(program, args)
}
