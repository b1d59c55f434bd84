/**
 * Lets the timers take turns, `count` times. Each returns the milliseconds that it wants counted, so that what it has to
 * prepare is not measured along.
 *
 * @param {number} count
 * @param {Record<string, (round: number) => number | Promise<number>>} timers
 */
export async function rounds(count, timers) {
  const names = Object.keys(timers)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < count; round += 1) {
    // A different timer is first in each round, so that none always pays for the garbage of the same neighbour.
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(i + round) % names.length]
      samples[name].push(await timers[name](round))
    }
  }
  return {
    medianMs: Object.fromEntries(names.map((name) => [name, median(samples[name])])),
    ratio: (of, to) => median(samples[of].map((sample, round) => sample / samples[to][round])),
  }
}

/** Milliseconds per run, over some in a row. */
export async function timed(run, times = 1) {
  const start = performance.now()
  for (let i = 0; i < times; i += 1) {
    const result = run()
    // Awaiting a plain value would cost a turn of the event loop and be measured along.
    if (typeof result?.then === 'function') await result
  }
  return (performance.now() - start) / times
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
