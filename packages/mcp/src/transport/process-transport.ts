import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import type { StayingProcess } from '@loader/workspace'
import { Lines } from './lines.ts'
import { transportLimits } from './limits.ts'

/** Lines of JSON over standard input and output of a process. Other lines are left alone: programs print there too. */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #process: StayingProcess
  readonly #onFault: (why: string) => void
  #isClosed = false

  constructor(process: StayingProcess, onFault: (why: string) => void) {
    this.#process = process
    this.#onFault = onFault
  }

  async start(): Promise<void> {
    const lines = new Lines(
      transportLimits.messageBytes,
      (line) => this.#take(line),
      () => {
        this.#onFault(`it sent a message of more than ${transportLimits.messageBytes / 1024 / 1024} MiB`)
        void this.close()
      },
    )
    this.#process.listen((chunk) => lines.add(chunk))
    void this.#process.ended.then(() => this.#closed())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the server has ended')
    await this.#process.write(serializeMessage(message))
  }

  async close(): Promise<void> {
    // Report the close first, so that pending requests fail at once and do not wait for the process to end.
    this.#closed()
    await this.#process.end()
  }

  #take(line: string): void {
    if (this.#isClosed || !line.trimStart().startsWith('{')) return
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (error) {
      // A line that looks like a message and is none, or is too deep to be read.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }
}
