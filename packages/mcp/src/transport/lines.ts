/** Splits what arrives into lines, none of them longer than a limit. */
export class Lines {
  readonly #most: number
  readonly #onLine: (line: string) => void
  readonly #onTooLong: () => void
  #pieces: Uint8Array[] = []
  #held = 0
  #isOver = false

  constructor(most: number, onLine: (line: string) => void, onTooLong: () => void) {
    this.#most = most
    this.#onLine = onLine
    this.#onTooLong = onTooLong
  }

  add(chunk: Uint8Array): void {
    let from = 0
    while (!this.#isOver) {
      const end = chunk.indexOf(10, from)
      this.#hold(chunk.subarray(from, end < 0 ? undefined : end))
      if (this.#isOver || end < 0) return
      const line = Buffer.concat(this.#pieces).toString('utf8')
      this.#pieces = []
      this.#held = 0
      from = end + 1
      this.#onLine(line)
    }
  }

  #hold(piece: Uint8Array): void {
    this.#held += piece.length
    if (this.#held > this.#most) {
      this.#isOver = true
      this.#pieces = []
      this.#onTooLong()
    } else if (piece.length > 0) this.#pieces.push(piece)
  }
}
