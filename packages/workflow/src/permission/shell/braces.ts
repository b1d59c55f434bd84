/** What plain braces stand for: `{a,b}` or `{1..3}`. Undefined for anything that takes more than reading. */
export function bracesOf(text: string): readonly string[] | undefined {
  if (list.test(text)) return text.slice(1, -1).split(',')
  const [, from, to] = range.exec(text) ?? []
  return from === undefined || to === undefined ? undefined : numbers(Number(from), Number(to))
}

const list = /^\{[\w./@+:-]*(?:,[\w./@+:-]*)+\}$/
const range = /^\{(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})\}$/

function numbers(from: number, to: number): readonly string[] | undefined {
  const count = Math.abs(to - from) + 1
  if (count > 64) return undefined
  return Array.from({ length: count }, (_, index) => String(from < to ? from + index : from - index))
}
