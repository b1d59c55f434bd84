import type { Experiment, RoomOutcome } from './experiment.ts'

const mostRuns = 4

/**
 * Searches by bisection for a small set of files with which the check passes. The files in `always` are kept as now in
 * every run. If both halves are needed, the result is the whole set that remains.
 */
export function* narrowed(
  always: readonly string[],
  files: readonly string[],
  passes: (asNow: readonly string[]) => Generator<Experiment, boolean, RoomOutcome>,
): Generator<Experiment, readonly string[], RoomOutcome> {
  let rest = files
  let runs = 0
  while (rest.length > 1 && runs < mostRuns) {
    const middle = Math.ceil(rest.length / 2)
    let found: readonly string[] | undefined
    for (const half of [rest.slice(0, middle), rest.slice(middle)]) {
      if (found !== undefined || runs === mostRuns) break
      runs += 1
      if (yield* passes([...always, ...half].toSorted())) found = half
    }
    if (found === undefined) break
    rest = found
  }
  return rest
}
