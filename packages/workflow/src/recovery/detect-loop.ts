import type { JsonValue } from '@loader/session-core'
import type { Effect } from '@loader/session-core/coding'

/** A call as it was made, and what it could do. */
export interface PastCall {
  readonly name: string
  readonly input: JsonValue
  readonly effect: Effect
}

export type CallLoop =
  /** The same once more, and nothing has changed in between. */
  | { readonly kind: 'duplicate'; readonly call: PastCall; readonly summary: string }
  /** The same course, taken twice in a row. */
  | { readonly kind: 'sequence'; readonly calls: readonly PastCall[]; readonly summary: string }

const lookedBack = 8
const shortest = 2
const longest = 5

/**
 * Whether the latest of these calls brings nothing new. A look is repeated when it is the same, down to its last
 * argument, as one of the eight before it and nothing was changed since; a change, when nothing else was changed since.
 * What a call of unknown effect does depends on the moment, so it repeats nothing by itself; a course of two to five
 * calls that was taken twice in a row is a loop whatever it is made of.
 */
export function detectLoop(calls: readonly PastCall[]): CallLoop | undefined {
  return duplicate(calls) ?? repeatedSequence(calls)
}

function duplicate(calls: readonly PastCall[]): CallLoop | undefined {
  const call = calls.at(-1)
  if (call === undefined || call.effect === 'unknown' || call.effect === 'none') return undefined
  const before = call.effect === 'write' ? calls.slice(0, -1) : calls.slice(-1 - lookedBack, -1)
  const signature = signatureOf(call)
  const earlier = before.findLastIndex((other) => signatureOf(other) === signature)
  if (earlier < 0) return undefined
  const between = before.slice(earlier + 1)
  if (between.some(({ effect }) => effect === 'write' || effect === 'unknown')) return undefined
  const what = call.effect === 'write' ? 'has been made already' : 'was made just before, and nothing has changed since'
  return { kind: 'duplicate', call, summary: `the same call of ${call.name} ${what}` }
}

function repeatedSequence(calls: readonly PastCall[]): CallLoop | undefined {
  const signatures = calls.slice(-2 * longest).map(signatureOf)
  for (let length = shortest; length <= longest; length += 1) {
    const latest = signatures.slice(-length)
    const before = signatures.slice(-2 * length, -length)
    if (before.length < length || new Set(latest).size < 2) continue
    if (latest.every((signature, index) => signature === before[index])) {
      const course = calls.slice(-length)
      const names = course.map(({ name }) => name).join(', ')
      return { kind: 'sequence', calls: course, summary: `the same ${length} calls twice in a row: ${names}` }
    }
  }
  return undefined
}

/** The whole of the input, in whatever order its keys were written. */
function signatureOf({ name, input }: PastCall): string {
  return `${name} ${JSON.stringify(sorted(input))}`
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : first > second ? 1 : 0))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
