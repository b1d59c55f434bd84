import type { JsonValue } from '@loader/session-core'

/** Replaces the roots of workspaces in all paths, so that histories of different places compare equal. */
export function withoutRoots(value: JsonValue, roots: readonly (string | undefined)[]): JsonValue {
  const named = new Set(roots.filter((root) => root !== undefined && root !== ''))
  const text = [...named].reduce<string>((rest, root) => withoutRoot(rest, root ?? ''), JSON.stringify(value))
  return JSON.parse(text) as JsonValue
}

function withoutRoot(text: string, root: string): string {
  const inJson = JSON.stringify(root).slice(1, -1)
  const [first = '', ...others] = text.split(inJson)
  // The name of another folder may start with that of the root.
  const rest = others.map((part) => (/^[\w.-]/.test(part) ? `${inJson}${part}` : `<root>${part}`))
  return [first, ...rest].join('')
}
