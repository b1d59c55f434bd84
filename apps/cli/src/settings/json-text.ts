/** Parsed JSON with the positions of its values, or its first error with a position. Lines count from one. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown; lineOf(path: readonly PropertyKey[]): number }
  | { readonly ok: false; readonly reason: string; readonly line: number }

/** A duplicate key is an error, because one of the values would be ignored silently. */
export function readJsonText(text: string): JsonText {
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  const reading = new Reading(text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text)
  try {
    const value = reading.value([])
    reading.end()
    return { ok: true, value, lineOf: (path) => lineAt(reading.placeOf(path)) }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, reason: error.message, line: lineAt(error.at) }
    throw error
  }
}

class Fault extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const token =
  /[ \t\r\n]*("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])?/uy

/** The deepest nesting allowed. Settings need less, and deeper input could overflow the stack. */
const deepest = 100

class Reading {
  readonly #text: string
  readonly #places = new Map<string, number>()
  #next = ''
  /** The start of the next token, and where to search for the one after it. */
  #at = 0
  #behind = 0

  constructor(text: string) {
    this.#text = text
    this.#step()
  }

  /** The position of a key or item, or of the nearest one around it. */
  placeOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length > 0; length--) {
      const place = this.#places.get(nameOf(path.slice(0, length)))
      if (place !== undefined) return place
    }
    return 0
  }

  value(path: readonly PropertyKey[]): unknown {
    if (path.length > deepest) throw this.#fault('it is nested too deeply')
    if (!this.#places.has(nameOf(path))) this.#places.set(nameOf(path), this.#at)
    if (this.#next === '{') return this.#object(path)
    if (this.#next === '[') return this.#list(path)
    if (this.#next === '' || /^[}\],:]/.test(this.#next)) throw this.#fault('a value was expected')
    return JSON.parse(this.#step())
  }

  end(): void {
    if (this.#next !== '' || this.#at < this.#text.length) throw this.#fault('there is something behind the end')
  }

  #object(path: readonly PropertyKey[]): unknown {
    const entries = new Map<string, unknown>()
    this.#step()
    while (this.#next !== '}') {
      if (entries.size > 0) this.#take(',', 'a comma or } was expected')
      if (!this.#next.startsWith('"')) throw this.#fault('a key in quotes was expected')
      const inner = [...path, String(JSON.parse(this.#next))]
      const key = String(inner.at(-1))
      if (entries.has(key)) throw this.#fault(`the key ${key} is there twice`)
      this.#places.set(nameOf(inner), this.#at)
      this.#step()
      this.#take(':', 'a colon was expected')
      entries.set(key, this.value(inner))
    }
    this.#step()
    return Object.fromEntries(entries)
  }

  #list(path: readonly PropertyKey[]): unknown {
    const items: unknown[] = []
    this.#step()
    while (this.#next !== ']') {
      if (items.length > 0) this.#take(',', 'a comma or ] was expected')
      items.push(this.value([...path, items.length]))
    }
    this.#step()
    return items
  }

  #take(wanted: string, otherwise: string): void {
    if (this.#next !== wanted) throw this.#fault(otherwise)
    this.#step()
  }

  /** Moves to the next token, and returns the passed one. */
  #step(): string {
    const passed = this.#next
    token.lastIndex = this.#behind
    const [whole = '', found = ''] = token.exec(this.#text) ?? []
    this.#next = found
    this.#at = this.#behind + whole.length - found.length
    this.#behind += whole.length
    return passed
  }

  #fault(reason: string): Fault {
    return new Fault(this.#at >= this.#text.length ? 'it ends too early' : reason, this.#at)
  }
}

function nameOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String))
}
