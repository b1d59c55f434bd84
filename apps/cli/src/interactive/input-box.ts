import { CURSOR_MARKER, Editor, type EditorTheme, getKeybindings, type TUI } from '@earendil-works/pi-tui'
import type { Paint } from '../screen/paint.ts'
import { cut, widthOf } from '../screen/width.ts'
import { type OwnKey, ownKeys } from './bindings.ts'

export interface InputBoxParts {
  readonly paint: Paint
  /** The sign that the frame is made of. */
  readonly rule: string
  /** A key that does not edit; false if it is to be taken as any other. */
  onKey(key: OwnKey): boolean
  /** Words in the frame, such as what may be answered. */
  label(): string
}

const names = Object.keys(ownKeys).filter((name): name is OwnKey => name in ownKeys)

/** The frame in which the user types: the library's editor, with a sign where to type and the terminal's own cursor. */
export class InputBox extends Editor {
  readonly #parts: InputBoxParts

  constructor(tui: TUI, parts: InputBoxParts) {
    super(tui, themeOf(parts.paint), { paddingX: mark.length, autocompleteMaxVisible: 8 })
    this.#parts = parts
  }

  override handleInput(data: string): void {
    const keys = getKeybindings()
    const key = names.find((name) => keys.matches(data, name))
    if (key !== undefined && this.#parts.onKey(key)) return
    const before = this.getText()
    super.handleInput(data)
    // What is brought back is gone on with at its end; a text of several lines is walked through from its beginning.
    const isBack = keys.matches(data, 'tui.editor.cursorUp') && this.getText() !== before
    if (isBack && this.getLines().length === 1) this['moveToLineEnd']()
  }

  override render(width: number): string[] {
    const [top = '', first = '', ...others] = super.render(width)
    const isBegin = !top.includes('↑')
    const begun = isBegin ? `${this.#parts.paint('bold', mark)}${first.slice(mark.length)}` : first
    return [top, begun, ...others].map((row) => withoutOwnCursor(row).trimEnd())
  }

  protected override renderTopBorder(width: number, hidden: number): string {
    return this.#border(width, hidden > 0 ? `↑ ${hidden} more` : this.#parts.label())
  }

  protected override renderBottomBorder(width: number, hidden: number): string {
    return this.#border(width, hidden > 0 ? `↓ ${hidden} more` : '')
  }

  #border(width: number, label: string): string {
    const { rule, paint } = this.#parts
    const words = label === '' ? '' : cut(`${rule.repeat(2)} ${label} `, width)
    return paint('dim', words + rule.repeat(Math.max(0, width - widthOf(words))))
  }
}

const mark = '> '
const inverse = '\x1b[7m'
const normals = ['\x1b[0m', '\x1b[27m']

/** The library draws a cursor of its own, beside that of the terminal. */
export function withoutOwnCursor(row: string): string {
  const place = row.indexOf(CURSOR_MARKER)
  if (place < 0) return row
  const [before, after] = [row.slice(0, place), row.slice(place + CURSOR_MARKER.length)]
  const normal = normals.find((one) => after.includes(one))
  if (!after.startsWith(inverse) || normal === undefined) return row
  return `${before}${CURSOR_MARKER}${after.slice(inverse.length).replace(normal, '')}`
}

function themeOf(paint: Paint): EditorTheme {
  const dim = (text: string) => paint('dim', text)
  const chosen = (text: string) => paint(['bold', 'cyan'], text)
  return {
    borderColor: dim,
    selectList: { selectedPrefix: chosen, selectedText: chosen, description: dim, scrollInfo: dim, noMatch: dim },
  }
}
