const mostNames = 3

/** The names that are most like the wanted one, the nearest first. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const ranked = names
    .map((name) => ({ name, likeness: likeness(pairsIn(wanted), pairsIn(name)) }))
    .filter((one) => one.likeness > 0.35)
    .toSorted((one, other) => other.likeness - one.likeness)
  return ranked.slice(0, mostNames).map(({ name }) => name)
}

/**
 * How many pairs of letters two names share, from 0 to 1. Names of models differ in whole parts (`gpt-5`,
 * `gpt-5-2026-01-01`, `5-gpt`), which counting single letters would take for many errors.
 */
function likeness(one: readonly string[], other: readonly string[]): number {
  const left = [...other]
  let shared = 0
  for (const pair of one) {
    const at = left.indexOf(pair)
    if (at < 0) continue
    left.splice(at, 1)
    shared += 1
  }
  return (2 * shared) / Math.max(1, one.length + other.length)
}

function pairsIn(name: string): readonly string[] {
  const text = ` ${name.toLowerCase()} `
  return Array.from({ length: text.length - 1 }, (_unused, at) => text.slice(at, at + 2))
}
