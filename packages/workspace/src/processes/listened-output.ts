import { KeptOutput, type OutputCap } from './kept-output.ts'
import { SecretReplacer } from './secret-replacer.ts'

/** The output of a command, with known secrets replaced, kept within bounds, and passed on in whole characters. */
export class ListenedOutput {
  readonly kept: KeptOutput
  /** Rejects when the listener throws; the listener is not called again. Otherwise it never settles. */
  readonly listenerFailed: Promise<never>
  /** Grows with every piece. */
  pieces = 0
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #replacer: SecretReplacer
  #tell: ((chunk: string) => void) | undefined
  #fail: (error: unknown) => void = () => undefined

  constructor(cap: OutputCap, secrets: readonly string[], listener: ((chunk: string) => void) | undefined) {
    this.kept = new KeptOutput(cap)
    this.#replacer = new SecretReplacer(secrets)
    this.#tell = listener
    this.listenerFailed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // The race on this promise may be over when it rejects: that must not count as an unhandled rejection.
    this.listenerFailed.catch(() => undefined)
  }

  add(chunk: Uint8Array): void {
    this.pieces += 1
    this.#take(this.#replacer.add(chunk))
  }

  /** Flushes what was held back: a possible start of a secret, and an incomplete last character. */
  finish(): void {
    this.#take(this.#replacer.finish())
    this.#say(this.#decoder.decode())
  }

  get secretsReplaced(): number {
    return this.#replacer.count
  }

  #take(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    this.kept.add(chunk)
    this.#say(this.#decoder.decode(chunk, { stream: true }))
  }

  #say(text: string): void {
    if (text === '' || this.#tell === undefined) return
    try {
      this.#tell(text)
    } catch (error) {
      this.#tell = undefined
      this.#fail(error)
    }
  }
}
