/** A figure that must not be above its bar. */
export function atMost(figure, value, unit, bar) {
  return { figure, value, unit, bar, ok: value <= bar }
}

export function atLeast(figure, value, unit, bar) {
  return { figure, value, unit, bar, ok: value >= bar }
}

/** A figure without a bar. */
export function shown(figure, value, unit) {
  return { figure, value, unit, bar: null, ok: true }
}
