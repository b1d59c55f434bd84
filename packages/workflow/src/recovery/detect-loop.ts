import type { JsonValue } from '@loader/session-core'
import type { Effect } from '@loader/session-core/coding'

/** A call with its input and effect. */
export interface PastCall {
  readonly name: string
  readonly input: JsonValue
  readonly effect: Effect
}

export type CallLoop =
  /** The same call again, with nothing changed in between. */
  | { readonly kind: 'duplicate'; readonly call: PastCall; readonly summary: string }
  /** The same sequence of calls, twice in a row. */
  | { readonly kind: 'sequence'; readonly calls: readonly PastCall[]; readonly summary: string }

const lookedBack = 8
const shortest = 2
const longest = 5

/**
 * Whether the latest call is a repetition. A read-only call repeats if one of the eight calls before it is identical,
 * arguments included, and no change came since. A change repeats if no other change came since. A call of unknown
 * effect never repeats by itself, because its result depends on the moment. Any sequence of two to five calls that
 * occurs twice in a row is a loop.
 */
export function detectLoop(calls: readonly PastCall[]): CallLoop | undefined {
  return duplicate(calls) ?? repeatedSequence(calls)
}

function duplicate(calls: readonly PastCall[]): CallLoop | undefined {
  const call = calls.at(-1)
  if (call === undefined || call.effect === 'unknown' || call.effect === 'none') return undefined
  const before = call.effect === 'write' ? calls.slice(0, -1) : calls.slice(-1 - lookedBack, -1)
  const earlier = before.findLastIndex((other) => isSame(other, call))
  if (earlier < 0) return undefined
  const between = before.slice(earlier + 1)
  if (between.some(({ effect }) => effect === 'write' || effect === 'unknown')) return undefined
  const what = call.effect === 'write' ? 'has been made already' : 'was made just before, and nothing has changed since'
  return { kind: 'duplicate', call, summary: `the same call of ${call.name} ${what}` }
}

function repeatedSequence(all: readonly PastCall[]): CallLoop | undefined {
  for (let length = shortest; length <= longest; length += 1) {
    const before = all.slice(-2 * length, -length)
    const calls = all.slice(-length)
    if (before.length < length || !calls.every((call, index) => isSame(call, before[index]))) continue
    if (calls.every((call) => isSame(call, calls[0]))) continue
    const names = calls.map(({ name }) => name).join(', ')
    return { kind: 'sequence', calls, summary: `the same ${length} calls twice in a row: ${names}` }
  }
  return undefined
}

/** The whole input counts, whatever the order of its keys. */
function isSame(one: PastCall, other: PastCall | undefined): boolean {
  return one.name === other?.name && (one.input === other.input || textOf(one.input) === textOf(other.input))
}

/** A call is compared with up to forty before it. The same call has the same input, which never changes. */
const texts = new WeakMap<object, string>()

function textOf(input: JsonValue): string {
  if (typeof input !== 'object' || input === null) return JSON.stringify(input)
  const known = texts.get(input)
  if (known !== undefined) return known
  const text = JSON.stringify(sorted(input))
  texts.set(input, text)
  return text
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : first > second ? 1 : 0))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
