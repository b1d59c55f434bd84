/** How long a local summary may get. */
export interface SummaryBudget {
  readonly characters: number
  readonly lines: number
  readonly lineLength: number
}

const usualBudget: SummaryBudget = { characters: 1200, lines: 24, lineLength: 160 }

const windowShare = 0.02
const charactersPerToken = 4
const largest = 12_000

/** In a large window a longer summary costs little: about 2 % of it, but no less than the usual. */
export function summaryBudget(contextWindow?: number): SummaryBudget {
  if (contextWindow === undefined) return usualBudget
  const wanted = Math.floor(contextWindow * charactersPerToken * windowShare)
  const characters = Math.min(largest, Math.max(usualBudget.characters, wanted))
  const lines = Math.floor((usualBudget.lines * characters) / usualBudget.characters)
  return { ...usualBudget, characters, lines }
}
