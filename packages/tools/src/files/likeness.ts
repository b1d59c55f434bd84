/** The similarity of two short texts from 0 to 1: the share of common pairs of neighbouring characters. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1
  const pairs = pairsOf(one)
  const total = Math.max(0, one.length - 1) + Math.max(0, other.length - 1)
  if (total === 0) return 0
  let common = 0
  for (let index = 0; index < other.length - 1; index += 1) {
    const pair = other.slice(index, index + 2)
    const left = pairs.get(pair) ?? 0
    if (left === 0) continue
    pairs.set(pair, left - 1)
    common += 1
  }
  return (2 * common) / total
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>()
  for (let index = 0; index < text.length - 1; index += 1) {
    const pair = text.slice(index, index + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}
