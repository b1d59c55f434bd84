/** A short name that is always the same for a text (FNV-1a, twice, from different starts). */
export function nameFor(text: string): string {
  return `${fnv(text, 0x811c9dc5)}${fnv(text, 0x01234567)}`
}

function fnv(text: string, start: number): string {
  let hash = start
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
