/** Lines that wait to be read; undefined marks their end, behind which nothing is read. */
export class LineQueue {
  readonly #lines: (string | undefined)[] = []
  #wake: (() => void) | undefined

  add(line: string | undefined): void {
    this.#lines.push(line)
    this.#wake?.()
  }

  async next(): Promise<string | undefined> {
    while (this.#lines.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const [line] = this.#lines
    if (line !== undefined) this.#lines.shift()
    return line
  }
}
