// Measures functions against each other in one process, alternately, round by round: whatever else the machine is
// doing then hits all of them alike, and a ratio taken within a round is worth more than two timings taken apart.

/**
 * @param {Record<string, () => unknown>} contenders what to measure; a promise that is returned is awaited
 * @param {{ rounds?: number, sampleMs?: number }} [options] each sample repeats its function for about `sampleMs`
 * @returns {Promise<{ medianMs: Record<string, number>, ratio: (of: string, to: string) => number }>}
 *   milliseconds per call, and the median over the rounds of one contender's time divided by another's
 */
export async function interleave(contenders, { rounds = 15, sampleMs = 10 } = {}) {
  const entries = Object.entries(contenders)
  const repeats = {}
  const samples = Object.fromEntries(entries.map(([name]) => [name, []]))
  for (const [name, run] of entries) repeats[name] = await repeatsFor(run, sampleMs)

  for (let round = 0; round < rounds; round++) {
    // A different contender is first in each round, so that none always pays for the garbage of the same neighbour.
    for (let i = 0; i < entries.length; i++) {
      const [name, run] = entries[(i + round) % entries.length]
      samples[name].push((await time(run, repeats[name])) / repeats[name])
    }
  }
  return {
    medianMs: Object.fromEntries(entries.map(([name]) => [name, median(samples[name])])),
    ratio: (of, to) => median(samples[of].map((sample, round) => sample / samples[to][round])),
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Doubles until a sample is long enough to time; this warms the function up as well. */
async function repeatsFor(run, sampleMs) {
  for (let repeats = 1; ; repeats *= 2) {
    const elapsed = await time(run, repeats)
    if (elapsed >= sampleMs) return repeats
    if (elapsed > sampleMs / 8) return Math.ceil((repeats * sampleMs) / elapsed)
  }
}

async function time(run, repeats) {
  const start = performance.now()
  for (let i = 0; i < repeats; i++) {
    const result = run()
    // Awaiting a plain value would cost a turn of the event loop and be measured along.
    if (typeof result?.then === 'function') await result
  }
  return performance.now() - start
}
