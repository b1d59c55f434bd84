/** How many characters of each kind of carried text a summary message holds. */
export interface CarryBudget {
  readonly task: number
  readonly constraints: number
  readonly files: number
}

const usual: CarryBudget = { task: 8000, constraints: 4000, files: 4000 }
const windowShare = 0.08
const charactersPerToken = 4

/** A small window limits the carried texts, so that there is room left for the work. */
export function carryBudget(contextWindow: number = Number.POSITIVE_INFINITY): CarryBudget {
  const most = Math.floor(contextWindow * windowShare * charactersPerToken)
  return {
    task: Math.min(usual.task, most),
    constraints: Math.min(usual.constraints, most),
    files: Math.min(usual.files, most),
  }
}
