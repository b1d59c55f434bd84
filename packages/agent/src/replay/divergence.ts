import type { EventInput, EventType, JsonValue, StoredEvent } from '@loader/session-core'

/**
 * `prompt`: the system prompt differs. `tool_schema`: the descriptions of tools differ. `order`: the next step or
 * decision differs. `effect`: the result of an effect differs.
 */
export type DivergenceClass = 'prompt' | 'tool_schema' | 'order' | 'effect'

/** The first difference between a replay and its history. */
export interface Divergence {
  readonly class: DivergenceClass
  /** The seq of the recorded event; after the last event, one more than its seq. */
  readonly seq: number
  /** The field that differs, such as `entry.reasonCode`; `type` if the event is of another type. */
  readonly path: string
  readonly expected: JsonValue
  /** Null if the replay has no further event. */
  readonly actual: JsonValue
}

const observed: ReadonlySet<string> = new Set<EventType>([
  'call.examined',
  'tool.finished',
  'todos.updated',
  'workspace.observed',
  'check.finished',
])

/** Classifies the difference between a recorded event and the replayed one. */
export function classOf(
  recorded: StoredEvent,
  actual: EventInput | null,
  toolsDigests: readonly [recorded: string | undefined, actual: string | undefined],
): DivergenceClass {
  if (recorded.type === 'prompt.rendered' || actual?.type === 'prompt.rendered') {
    return toolsDigests[0] === toolsDigests[1] ? 'prompt' : 'tool_schema'
  }
  return recorded.type === actual?.type && observed.has(recorded.type) ? 'effect' : 'order'
}

export interface Difference {
  readonly path: string
  readonly expected: JsonValue
  readonly actual: JsonValue
}

/** The first difference between two values, or undefined. The order of keys is ignored. */
export function firstDifference(expected: JsonValue, actual: JsonValue, path = ''): Difference | undefined {
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return firstOf(keys, (key) => firstDifference(expected[key] ?? null, actual[key] ?? null, within(path, key)))
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const [longer] = [expected, actual].toSorted((one, other) => other.length - one.length)
    return firstOf(longer?.keys() ?? [], (index) =>
      firstDifference(expected[index] ?? null, actual[index] ?? null, within(path, String(index))),
    )
  }
  return expected === actual ? undefined : { path, expected, actual }
}

function firstOf<Item>(
  items: Iterable<Item>,
  difference: (item: Item) => Difference | undefined,
): Difference | undefined {
  for (const item of items) {
    const found = difference(item)
    if (found !== undefined) return found
  }
  return undefined
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
