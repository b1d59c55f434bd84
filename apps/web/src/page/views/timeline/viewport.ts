/** The part of the scale that is on the screen, from 0 to 1. */
export interface Viewport {
  readonly start: number
  readonly end: number
}

export const whole: Viewport = { start: 0, end: 1 }

/** The nearest that one can look: a part of the whole. */
const nearest = 1 / 20_000

/** The viewport zoomed around a place on the screen, which stays where it is. */
export function zoomed({ start, end }: Viewport, factor: number, around: number): Viewport {
  const length = Math.min(1, Math.max(nearest, (end - start) * factor))
  const fixed = start + (end - start) * around
  return within({ start: fixed - length * around, end: fixed + length * (1 - around) })
}

/** The viewport moved by a part of its own length. */
export function moved({ start, end }: Viewport, by: number): Viewport {
  const step = (end - start) * by
  return within({ start: start + step, end: end + step })
}

/** The viewport, moved so that a place is on the screen. */
export function showing(viewport: Viewport, unit: number): Viewport {
  const { start, end } = viewport
  if (unit >= start && unit <= end) return viewport
  const half = (end - start) / 2
  return within({ start: unit - half, end: unit + half })
}

function within({ start, end }: Viewport): Viewport {
  const length = Math.min(1, end - start)
  const begin = Math.min(1 - length, Math.max(0, start))
  return { start: begin, end: begin + length }
}
