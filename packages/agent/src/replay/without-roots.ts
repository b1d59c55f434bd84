import type { JsonValue } from '@loader/session-core'

/** The value as it is wherever the workspace lies: paths below any of the roots begin alike. */
export function withoutRoots(value: JsonValue, roots: readonly (string | undefined)[]): JsonValue {
  const named = new Set(roots.filter((root) => root !== undefined && root !== ''))
  const text = [...named].reduce<string>((rest, root) => withoutRoot(rest, root ?? ''), JSON.stringify(value))
  return JSON.parse(text) as JsonValue
}

function withoutRoot(text: string, root: string): string {
  const inJson = JSON.stringify(root).slice(1, -1)
  const [first = '', ...others] = text.split(inJson)
  // The name of another folder may begin like that of the root.
  const rest = others.map((part) => (/^[\w.-]/.test(part) ? `${inJson}${part}` : `<root>${part}`))
  return [first, ...rest].join('')
}
