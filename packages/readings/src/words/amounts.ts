/** 940, 1.2k, 84k, 3.1M: short enough for a column. */
export function shortCount(count: number): string {
  return scaled(count, 1000, ['', 'k', 'M', 'G'])
}

/** 940 B, 1.2 kB, 12 MB: short enough for a column. */
export function shortBytes(bytes: number): string {
  return scaled(bytes, 1024, [' B', ' kB', ' MB', ' GB'])
}

/** A count with its noun: `1 file`, `2 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let rest = value
  let place = 0
  while (rest >= step && place < units.length - 1) {
    rest /= step
    place += 1
  }
  const number = place === 0 || rest >= 10 ? String(Math.round(rest)) : rest.toFixed(1).replace(/\.0$/, '')
  return `${number}${units[place]}`
}
