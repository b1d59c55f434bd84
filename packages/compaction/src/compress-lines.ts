import { excerptOf } from '@loader/session-core'
import type { SummaryBudget } from './summary-budget.ts'

/** A line of a summary, before lines are dropped. The most important has the lowest rank. */
export interface RankedLine {
  readonly text: string
  readonly rank: 0 | 1 | 2 | 3
}

export interface Compressed {
  readonly text: string
  /** Lines that did not fit. */
  readonly omitted: number
  /** Lines that repeat another one. */
  readonly duplicates: number
}

/** As many lines as fit, the most important first; each on one line and only once. */
export function compressLines(lines: readonly RankedLine[], budget: SummaryBudget): Compressed {
  const distinct = new Map<string, RankedLine>()
  let duplicates = 0
  for (const line of lines) {
    const text = excerptOf(line.text, budget.lineLength)
    if (text === '') continue
    const key = text.toLowerCase()
    if (distinct.has(key)) duplicates += 1
    else distinct.set(key, { ...line, text })
  }
  const ranked = [...distinct.values()].toSorted((one, other) => one.rank - other.rank)
  const taken = take(ranked, budget)
  const omitted = ranked.length - taken.length
  const remark = `- … and ${omitted} lines that did not fit`
  const noted = omitted > 0 && taken.length > 0 && fits([...taken, remark], budget) ? [...taken, remark] : taken
  return { text: noted.join('\n'), omitted, duplicates }
}

function take(ranked: readonly RankedLine[], budget: SummaryBudget): string[] {
  const taken: string[] = []
  let characters = 0
  for (const { text } of ranked) {
    const more = text.length + (taken.length === 0 ? 0 : 1)
    if (taken.length >= budget.lines || characters + more > budget.characters) continue
    taken.push(text)
    characters += more
  }
  const [first] = ranked
  if (taken.length > 0 || first === undefined || budget.lines < 1 || budget.characters < 1) return taken
  return [excerptOf(first.text, budget.characters)]
}

function fits(lines: readonly string[], budget: SummaryBudget): boolean {
  return lines.length <= budget.lines && lines.join('\n').length <= budget.characters
}
