import { type Component, type Focusable, fuzzyFilter, getKeybindings, Input } from '@earendil-works/pi-tui'
import type { Glyphs } from '../screen/glyphs.ts'
import type { Paint } from '../screen/paint.ts'
import { cut, padEnd, widthOf } from '../screen/width.ts'
import { withoutOwnCursor } from './input-box.ts'
import { type Choice, type Choosing, joined, matching } from './choosing.ts'

const mostShown = 10
/** How long nothing must be typed before the search elsewhere begins. */
const pauseMs = 200
const hint = 'Type to search. Enter takes it, Esc leaves it.'

export interface PickerParts<Value> {
  readonly choosing: Choosing<Value>
  readonly paint: Paint
  readonly glyphs: Glyphs
  /** What is shown has changed. */
  onChange(): void
  /** Called once: with what was taken, or with undefined. */
  onEnd(choice: Choice<Value> | undefined): void
}

/** A list to choose from, in the place of the input; what is typed searches it. */
export class Picker<Value> implements Component, Focusable {
  readonly #parts: PickerParts<Value>
  readonly #input = new Input({ prompt: '> ' })
  #found: readonly Choice<Value>[]
  #at = 0
  /** The search elsewhere that goes on or is about to begin. */
  #search: AbortController | undefined
  #pause: NodeJS.Timeout | undefined

  constructor(parts: PickerParts<Value>) {
    this.#parts = parts
    this.#found = parts.choosing.choices
  }

  get focused(): boolean {
    return this.#input.focused
  }

  set focused(focused: boolean) {
    this.#input.focused = focused
  }

  handleInput(data: string): void {
    const keys = getKeybindings()
    if (keys.matches(data, 'tui.select.cancel')) {
      this.#giveUp()
      return this.#parts.onEnd(undefined)
    }
    if (keys.matches(data, 'tui.select.confirm')) return this.#take()
    if (keys.matches(data, 'tui.select.up')) return this.#move(-1)
    if (keys.matches(data, 'tui.select.down')) return this.#move(1)
    if (keys.matches(data, 'tui.select.pageUp')) return this.#move(-mostShown)
    if (keys.matches(data, 'tui.select.pageDown')) return this.#move(mostShown)
    const before = this.#input.getValue()
    this.#input.handleInput(data)
    const query = this.#input.getValue()
    if (query === before) return
    this.#seek(query)
  }

  #seek(query: string): void {
    const { choosing } = this.#parts
    this.#at = 0
    this.#giveUp()
    const exact = matching(choosing.choices, query)
    this.#found = exact.length > 0 ? exact : fuzzyFilter([...choosing.choices], query, ({ label }) => label)
    if (choosing.find === undefined || query.trim() === '') return
    const search = new AbortController()
    this.#search = search
    this.#pause = setTimeout(() => void this.#seekElsewhere(query, exact, search.signal), pauseMs)
  }

  /** What is found elsewhere goes below; it takes the place of what is only alike. */
  async #seekElsewhere(query: string, exact: readonly Choice<Value>[], signal: AbortSignal): Promise<void> {
    const found = (await this.#parts.choosing.find?.(query.trim(), signal)) ?? []
    if (signal.aborted) return
    this.#search = undefined
    if (found.length > 0) this.#found = joined(exact, found)
    this.#parts.onChange()
  }

  #giveUp(): void {
    clearTimeout(this.#pause)
    this.#search?.abort()
    this.#search = undefined
  }

  invalidate(): void {
    this.#input.invalidate()
  }

  render(width: number): string[] {
    const { paint, glyphs, choosing } = this.#parts
    const rule = (label: string) => {
      const words = label === '' ? '' : cut(`${glyphs.rule.repeat(2)} ${label} `, width)
      return paint('dim', words + glyphs.rule.repeat(Math.max(0, width - widthOf(words))))
    }
    const count = this.#found.length > mostShown ? ` (${this.#at + 1} of ${this.#found.length})` : ''
    const isSearching = this.#search !== undefined
    const rows = [
      ...(this.#found.length === 0 ? [] : this.#rows(width)),
      ...(isSearching ? [paint('dim', cut('  Searching in what was said…', width))] : []),
      ...(this.#found.length === 0 && !isSearching ? [paint('dim', '  Nothing is like that.')] : []),
    ]
    return [
      rule(choosing.title + count),
      ...this.#input.render(width).map((row) => withoutOwnCursor(row).trimEnd()),
      ...rows,
      rule(''),
      paint('dim', cut(hint, width)),
    ]
  }

  #rows(width: number): string[] {
    const { paint } = this.#parts
    const first = Math.max(0, Math.min(this.#at - Math.floor(mostShown / 2), this.#found.length - mostShown))
    const shown = this.#found.slice(first, first + mostShown)
    const widest = Math.max(...shown.map(({ label }) => widthOf(label)))
    const room = Math.min(widest, Math.max(16, Math.floor(width * 0.6)))
    return shown.map(({ label, detail }, index) => {
      const text = padEnd(cut(label, room), room)
      const more = cut(detail, width - room - 4)
      return first + index === this.#at
        ? `${paint(['bold', 'cyan'], `→ ${text}`)}  ${more}`.trimEnd()
        : `  ${text}  ${paint('dim', more)}`.trimEnd()
    })
  }

  #move(by: number): void {
    const last = Math.max(0, this.#found.length - 1)
    const next = this.#at + by
    // One step beyond the end goes around; a page stops there.
    if (Math.abs(by) === 1) this.#at = next < 0 ? last : next > last ? 0 : next
    else this.#at = Math.max(0, Math.min(last, next))
  }

  #take(): void {
    this.#giveUp()
    const choice = this.#found[this.#at]
    if (choice !== undefined) this.#parts.onEnd(choice)
  }
}
