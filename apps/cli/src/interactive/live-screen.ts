import {
  ProcessTerminal,
  setCapabilityOverrides,
  truncateToWidth,
  TuiMainScreen,
  visibleWidth,
} from '@earendil-works/pi-tui'
import { type Anchor, type LiveRows, redraw } from './redraw.ts'

/** The terminal, which never forgets: what is asked to clear the lines that have scrolled away is not passed on. */
class LastingTerminal extends ProcessTerminal {
  override write(data: string): void {
    super.write(data.replaceAll('\x1b[3J', ''))
  }

  /** Asks for the size now: Node tells of a change when it gets to it, and rows of the old width would be torn. */
  measure(): void {
    const stdout: object = process.stdout
    if ('_refreshSize' in stdout && typeof stdout._refreshSize === 'function') stdout._refreshSize()
  }
}

const frameMs = 40

/**
 * Draws components below the lines that were printed. The library would hold the whole conversation, and clear the
 * terminal with all that has scrolled away whenever its size or an earlier line changes. Here a line that is complete
 * is printed once and belongs to the terminal from then on; only the live part is drawn again.
 */
export class LiveScreen extends TuiMainScreen {
  readonly #measured: LastingTerminal
  readonly #anchor: Anchor
  #lines: string[] = []
  #drawn: LiveRows | undefined
  #drawnAt = 0
  #frame: NodeJS.Timeout | undefined

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    // Nothing here writes links, and asking tmux about them takes a process.
    setCapabilityOverrides({ hyperlinks: false })
    const terminal = new LastingTerminal()
    super(terminal, true)
    this.#measured = terminal
    this.#anchor = environment['TERM_PROGRAM'] === 'vscode' ? 'end' : 'character'
  }

  /**
   * Draws at once if nothing was drawn lately, else soon: an answer comes in many small parts, and whatever is on its way
   * to the terminal when its width changes is drawn wrong. Keys do not wait for this.
   */
  override requestRender(force = false): void {
    if (force) return super.requestRender(true)
    const wait = Math.max(0, frameMs - (performance.now() - this.#drawnAt))
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined
      super.requestRender()
    }, wait)
  }

  /** Prints lines that stay. */
  print(lines: readonly string[]): void {
    this.#lines.push(...lines)
    this.requestRender()
  }

  /** Starts again below what a program has printed, which may have left the cursor within a line. */
  comeBack(): void {
    this.terminal.write(`${' '.repeat(this.terminal.columns)}\r\x1b[J`)
    this.start()
    // A frame asked for while another program had the terminal counts as under way, and would be waited for.
    this.renderNow()
  }

  /** Moves all that is visible out of sight, to where one can scroll. */
  wipe(): void {
    const { rows } = this.terminal
    this.#erase()
    this.terminal.write(`\x1b[${rows}B${'\r\n'.repeat(rows)}\x1b[H`)
    this.renderNow()
  }

  protected override doRender(): void {
    if (this.stopped) return
    this.#measured.measure()
    const { columns, rows: height } = this.terminal
    // The last column stays free: terminals differ in where the cursor is after it.
    const width = Math.max(1, columns - 1)
    const all = this.render(width)
    const cursor = this.extractCursorPosition(all, height)
    const hidden = Math.max(0, all.length - height)
    const rows = this.applyLineResets(all.slice(hidden).map((row) => fitted(row, width)))
    this.#draw({ rows, cursor: cursor && { row: cursor.row - hidden, column: cursor.col }, columns })
  }

  /** Removes the live part; lines that wait are printed. */
  protected override beforeTerminalStop(): void {
    this.#erase()
  }

  #erase(): void {
    clearTimeout(this.#frame)
    this.#frame = undefined
    this.#draw({ rows: [], cursor: { row: 0, column: 0 }, columns: this.terminal.columns })
    this.#drawn = undefined
  }

  #draw(now: LiveRows): void {
    this.terminal.write(redraw(this.#lines, this.#drawn, now, this.#anchor))
    this.#lines = []
    this.#drawn = now
    this.#drawnAt = performance.now()
  }
}

function fitted(row: string, width: number): string {
  return visibleWidth(row) > width ? truncateToWidth(row, width) : row
}
