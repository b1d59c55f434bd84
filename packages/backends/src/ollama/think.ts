import type { ThinkingLevel } from '@loader/session-core'
import type { OllamaFacts } from './facts.ts'

/** The value of `think` for a level, and a note if it is not the same. */
export interface Think {
  readonly think?: boolean | string
  readonly note?: string
}

const named = ['low', 'medium', 'high'] as const

/** The nearest of what the model takes: most models think or do not, some have levels and cannot be without. */
export function thinkFor(level: ThinkingLevel, model: string, about: OllamaFacts): Think {
  const values = valuesOf(model, about)
  const wanted = level === 'off' ? false : level
  if (values.includes(wanted)) return { think: wanted }
  const levels = named.filter((name) => values.includes(name))
  if (level === 'off') {
    const [least] = levels
    if (least === undefined) return values.includes(true) ? { note: `${model} cannot be told not to think.` } : {}
    return { think: least, note: `${model} always thinks; its lowest level is taken: ${least}.` }
  }
  const nearest = levels.toSorted((one, other) => distance(one, level) - distance(other, level))[0]
  if (nearest !== undefined) return { think: nearest, note: `${model} cannot think ${level}; it thinks ${nearest}.` }
  if (values.includes(true)) return { think: true, note: `${model} thinks or does not; it has no levels.` }
  return { note: `${model} does not think.` }
}

/** Servers before those that list the values: gpt-oss has levels and ignores true and false. */
function valuesOf(model: string, { thinking, thinkingValues }: OllamaFacts): readonly (boolean | string)[] {
  if (thinkingValues !== null) return thinkingValues
  if (!thinking) return []
  return /(^|\/)gpt-oss\b/.test(model) ? named : [true, false]
}

function distance(one: (typeof named)[number], other: (typeof named)[number]): number {
  return Math.abs(named.indexOf(one) - named.indexOf(other))
}
