/** A score as recorded: from 0 to 1, with three decimals. NaN counts as 0. */
export function score(value: number): number {
  if (Number.isNaN(value)) return 0
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000
}
