import { KeptOutput, type OutputCap } from './kept-output.ts'
import { SecretReplacer } from './secret-replacer.ts'

/** What a command prints, without known secrets: kept within bounds, and told to whoever listens, in whole characters. */
export class ListenedOutput {
  readonly kept: KeptOutput
  /** Settles only when the listener throws; then it is told nothing more. */
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
    // Waiting for it is a race that may be over by then.
    this.listenerFailed.catch(() => undefined)
  }

  add(chunk: Uint8Array): void {
    this.pieces += 1
    this.#take(this.#replacer.add(chunk))
  }

  /** Tells what was held back: what could have begun a secret, and a character that never became whole. */
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
