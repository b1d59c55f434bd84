/** Whether a name is among these, where `*` stands for any text. */
export function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(pattern.split('*'), name))
}

function matches([first = '', ...rest]: readonly string[], name: string): boolean {
  if (rest.length === 0) return name === first
  const last = rest.at(-1) ?? ''
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  let at = first.length
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}
