/** The limits of a local summary. */
export interface SummaryBudget {
  readonly characters: number
  readonly lines: number
  readonly lineLength: number
}

const usualBudget: SummaryBudget = { characters: 1200, lines: 24, lineLength: 160 }

const windowShare = 0.02
const charactersPerToken = 4
const largest = 12_000

/** About 2 % of a large window, but at least the default. */
export function summaryBudget(contextWindow?: number): SummaryBudget {
  if (contextWindow === undefined) return usualBudget
  const wanted = Math.floor(contextWindow * charactersPerToken * windowShare)
  const characters = Math.min(largest, Math.max(usualBudget.characters, wanted))
  const lines = Math.floor((usualBudget.lines * characters) / usualBudget.characters)
  return { ...usualBudget, characters, lines }
}
