import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** `travelling.ts`, on the sources, perhaps on another machine: its lines as they come. */
export class Worker {
  readonly lines: string[] = []
  readonly #process: ChildProcess
  #onLine: () => void = () => undefined
  #isOver = false

  constructor(inside: readonly string[], args: readonly string[]) {
    const path = fileURLToPath(new URL('travelling.ts', import.meta.url))
    const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']
    const [program, ...words] = [...inside, process.execPath, ...options, path, ...args] as [string, ...string[]]
    this.#process = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream })
    lines.on('line', (each) => {
      this.lines.push(each)
      this.#onLine()
    })
    lines.on('close', () => {
      this.#isOver = true
      this.#onLine()
    })
  }

  /** The line that begins so, when it was said so often. Rejects with all that was said when there is no more to come. */
  says(start: string, times = 1): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#onLine = () => {
        const found = this.lines.filter((each) => each.startsWith(start))[times - 1]
        if (found !== undefined) resolve(found)
        else if (this.#isOver) reject(new Error(`It never said ${start}:\n${this.lines.join('\n')}`))
      }
      this.#onLine()
    })
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }
}
