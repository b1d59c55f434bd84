/** One of several things to choose. */
export interface Choice<Value> {
  readonly label: string
  /** What is said beside it. */
  readonly detail: string
  /** More words by which it is found. */
  readonly words?: string
  readonly value: Value
}

export interface Choosing<Value> {
  readonly title: string
  readonly choices: readonly Choice<Value>[]
  /** Looks for words in what the choices stand for, besides their labels. */
  find?(words: string, signal: AbortSignal): Promise<readonly Choice<Value>[]>
}

/** The choices that hold all words. */
export function matching<Value>(choices: readonly Choice<Value>[], query: string): readonly Choice<Value>[] {
  const wanted = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (wanted.length === 0) return choices
  return choices.filter(({ label, detail, words = '' }) => {
    const text = `${label} ${detail} ${words}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** Those that were found by their labels, and behind them those that were found elsewhere. */
export function joined<Value>(
  found: readonly Choice<Value>[],
  elsewhere: readonly Choice<Value>[],
): readonly Choice<Value>[] {
  const known = new Set(found.map(({ value }) => value))
  return [...found, ...elsewhere.filter(({ value }) => !known.has(value))]
}
