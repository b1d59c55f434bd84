/**
 * A deep-frozen copy of plain values. Parts that equal an earlier snapshot at the same place are shared with it: a
 * history that grows from request to request is stored once.
 */
export function snapshot<Value>(value: Value, earlier?: Value): Value {
  return copyOf(value, earlier) as Value
}

function copyOf(value: unknown, earlier: unknown): unknown {
  if (isSame(value, earlier)) return earlier
  if (Array.isArray(value)) return Object.freeze(value.map((item, index) => copyOf(item, fieldOf(earlier, index))))
  if (!isPlain(value)) return value
  const fields = Object.entries(value).map(([key, item]) => [key, copyOf(item, fieldOf(earlier, key))])
  return Object.freeze(Object.fromEntries(fields))
}

function isSame(value: unknown, other: unknown): boolean {
  if (value === other) return true
  if (Array.isArray(value)) {
    return Array.isArray(other) && value.length === other.length && value.every((item, at) => isSame(item, other[at]))
  }
  if (!isPlain(value) || !isPlain(other)) return false
  const keys = Object.keys(value)
  const others = Object.keys(other)
  return keys.length === others.length && keys.every((key, at) => key === others[at] && isSame(value[key], other[key]))
}

function fieldOf(value: unknown, key: string | number): unknown {
  return (isPlain(value) || Array.isArray(value)) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
