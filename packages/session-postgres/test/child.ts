import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** `children/writer.ts`, on the sources, perhaps inside of another program: its lines as they come. */
export class WriterProcess {
  readonly lines: string[] = []
  readonly #process: ChildProcess
  readonly ended: Promise<unknown>

  constructor(args: readonly string[], inside: readonly string[] = []) {
    const path = fileURLToPath(new URL('children/writer.ts', import.meta.url))
    const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']
    const [program, ...words] = [...inside, process.execPath, ...options, path, ...args] as [string, ...string[]]
    this.#process = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.ended = once(this.#process, 'close')
    createInterface({ input: this.#process.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.lines.push(line),
    )
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  /** The last seq that it was told is stored. */
  get acknowledged(): number {
    const line = this.lines.findLast((each) => each.startsWith('stored '))
    return Number(line?.split(' ')[1] ?? 0)
  }

  get end(): string | undefined {
    return this.lines.find((line) => line.startsWith('ended ') || line.startsWith('failed '))
  }
}
