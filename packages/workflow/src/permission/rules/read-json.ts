/** A position in a text; line and column start at one. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

export type ReadJson =
  | { readonly ok: true; readonly value: unknown; placeOf(path: readonly PropertyKey[]): TextPlace }
  | ({ readonly ok: false; readonly reason: string } & TextPlace)

/**
 * Parses JSON and keeps the position of every value. A duplicate key is an error, because one of its values would be
 * lost silently.
 */
export function readJson(text: string): ReadJson {
  const cursor: Cursor = { text, at: text.startsWith('\ufeff') ? 1 : 0, places: new Map(), fault: undefined }
  const value = readValue(cursor, [])
  skipBlank(cursor)
  if (cursor.fault === undefined && cursor.at < text.length) fail(cursor, 'there is something behind the end')
  const { fault, places } = cursor
  if (fault !== undefined) return { ok: false, reason: fault.reason, ...placeAt(text, fault.at) }
  return {
    ok: true,
    value,
    placeOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const at = places.get(JSON.stringify(path.slice(0, length).map(String)))
        if (at !== undefined) return placeAt(text, at)
      }
      return placeAt(text, 0)
    },
  }
}

interface Cursor {
  readonly text: string
  at: number
  readonly places: Map<string, number>
  /** The first error. Everything after it is ignored. */
  fault: { readonly at: number; readonly reason: string } | undefined
}

const deepest = 32

const blank = /[ \t\r\n]*/y
const string = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y // oxlint-disable-line no-control-regex
const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y

function readValue(cursor: Cursor, path: readonly string[]): unknown {
  skipBlank(cursor)
  cursor.places.set(JSON.stringify(path), cursor.at)
  if (path.length > deepest) return fail(cursor, 'it is nested too deeply')
  if (take(cursor, '{')) return readObject(cursor, path)
  if (take(cursor, '[')) return readList(cursor, path)
  const token = match(cursor, string) ?? match(cursor, word)
  if (token === undefined)
    return fail(cursor, cursor.at < cursor.text.length ? 'a value was expected' : 'it ends too early')
  const value: unknown = JSON.parse(token)
  return value
}

function readObject(cursor: Cursor, path: readonly string[]): unknown {
  const entries = new Map<string, unknown>()
  for (let first = true; !closes(cursor, '}', first); first = false) {
    skipBlank(cursor)
    const at = cursor.at
    const token = match(cursor, string)
    if (token === undefined) return fail(cursor, 'a key in quotes was expected')
    const key = String(JSON.parse(token))
    if (entries.has(key)) return fail(cursor, `the key ${token} is there twice`, at)
    skipBlank(cursor)
    if (!take(cursor, ':')) return fail(cursor, 'a colon was expected')
    entries.set(key, readValue(cursor, [...path, key]))
    cursor.places.set(JSON.stringify([...path, key]), at)
  }
  return Object.fromEntries(entries)
}

function readList(cursor: Cursor, path: readonly string[]): unknown {
  const items: unknown[] = []
  while (!closes(cursor, ']', items.length === 0)) items.push(readValue(cursor, [...path, String(items.length)]))
  return items
}

/** Moves past the end or past the comma before the next item; after an error every list counts as ended. */
function closes(cursor: Cursor, end: string, isFirst: boolean): boolean {
  skipBlank(cursor)
  if (cursor.fault !== undefined || take(cursor, end)) return true
  if (isFirst || take(cursor, ',')) return false
  fail(cursor, cursor.at < cursor.text.length ? `a comma or ${end} was expected` : 'it ends too early')
  return true
}

function skipBlank(cursor: Cursor): void {
  match(cursor, blank)
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text.charAt(cursor.at) !== character) return false
  cursor.at++
  return true
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const [found] = pattern.exec(cursor.text) ?? []
  if (found !== undefined) cursor.at += found.length
  return found
}

function fail(cursor: Cursor, reason: string, at: number = cursor.at): undefined {
  cursor.fault ??= { at, reason }
  return undefined
}

function placeAt(text: string, at: number): TextPlace {
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
