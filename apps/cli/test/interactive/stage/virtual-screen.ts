import xterm from '@xterm/headless'

/** A terminal that reads bytes as a real one does, and tells what stands in it. */
export class VirtualScreen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 10_000,
      allowProposedApi: true,
      reflowCursorLine: true,
    })
  }

  async write(text: string): Promise<void> {
    await new Promise<void>((resolve) => this.#terminal.write(text, resolve))
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
  }

  /** All lines, those that have scrolled away first; what the terminal has wrapped is one line. */
  get lines(): string[] {
    const { active } = this.#terminal.buffer
    const lines: string[] = []
    for (let row = 0; row < active.length; row += 1) {
      const line = active.getLine(row)
      const text = line?.translateToString(false) ?? ''
      if (line?.isWrapped === true) lines.push((lines.pop() ?? '') + text)
      else lines.push(text)
    }
    const trimmed = lines.map((line) => line.trimEnd())
    return trimmed.slice(0, trimmed.findLastIndex((line) => line !== '') + 1)
  }

  /** Where the cursor is: the row on the screen, and the column. */
  get cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return { row: cursorY, column: cursorX }
  }

  /** The row of the screen where the cursor is. */
  get row(): string {
    const { active } = this.#terminal.buffer
    return active.getLine(active.baseY + active.cursorY)?.translateToString(true) ?? ''
  }
}
