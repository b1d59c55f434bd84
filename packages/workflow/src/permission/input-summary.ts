import type { JsonValue } from '@loader/session-core'

const longest = 120

/** `tool key=value …`, keys in order, long values shortened: what rules with `contains` are held against. */
export function inputSummary(tool: string, input: JsonValue): string {
  return summary(tool, input, longest)
}

/** The same without shortening, so that rules see the whole input. */
export function fullSummary(tool: string, input: JsonValue): string {
  return summary(tool, input, Infinity)
}

function summary(tool: string, input: JsonValue, most: number): string {
  if (!isObject(input)) return `${tool} ${valueText(input, most)}`
  const keys = Object.keys(input).toSorted()
  return [tool, ...keys.map((key) => `${key}=${valueText(input[key] ?? null, most)}`)].join(' ')
}

function valueText(value: JsonValue, most: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replace(/\s+/g, ' ').trim().slice(0, most)
}

/** The path argument of a call, as the model wrote it. */
export function pathHint(input: JsonValue): string | undefined {
  if (!isObject(input)) return undefined
  for (const key of ['file_path', 'path', 'cwd', 'directory']) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** All strings in an input, at any depth. */
export function textsIn(input: JsonValue): string[] {
  const texts: string[] = []
  const waiting: JsonValue[] = [input]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') texts.push(next)
    else if (Array.isArray(next)) for (const item of next) waiting.push(item)
    else if (isObject(next)) for (const [key, value] of Object.entries(next)) waiting.push(key, value)
  }
  return texts
}

export function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
