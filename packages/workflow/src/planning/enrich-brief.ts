import type { Grounding } from '@loader/session-core/coding'
import { normalized } from '../text/normalized.ts'
import { phrases, says } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'
import type { BriefReading, BriefSection } from './brief-reading.ts'

export interface BriefFacts {
  readonly task: string
  /** What an observation of the workspace found. */
  readonly grounding?: Grounding | null
  /** Files that the work has changed already. */
  readonly touchedFiles?: readonly string[]
  /** Criteria from all sources. */
  readonly criteria?: readonly string[]
}

const making = phrases({ verbs: ['create, write, add, generate, scaffold'], exact: ['new'] })
const mostTouchpoints = 6

/** Adds known facts to a brief. The list of explicit sections stays the same: facts do not answer a question. */
export function enrichBrief(reading: BriefReading, facts: BriefFacts): BriefReading {
  const hints = hintsOf(facts)
  const sections = { ...reading.sections }
  for (const section of Object.keys(hints) as (keyof typeof hints)[]) {
    sections[section] = added(sections[section], hints[section])
  }
  return { ...reading, sections }
}

function hintsOf({ task, grounding, touchedFiles = [], criteria = [] }: BriefFacts) {
  const { referenced = [], candidates = [], missing = [] } = grounding ?? {}
  const makes = says(wordsOf(task), making)
  const likely = [...referenced, ...(makes ? missing : []), ...candidates].slice(0, mostTouchpoints)
  const [nearest] = candidates
  return {
    likely_touchpoints: [...touchedFiles, ...likely].map((path) => `\`${path}\``),
    constraints: makes ? [] : missing.map((path) => `\`${path}\` is named by the task, but it is not there.`),
    assumptions:
      referenced.length === 0 && nearest !== undefined
        ? [`The work is about \`${nearest}\`, or what is next to it.`]
        : [],
    acceptance_criteria: [...criteria, ...(makes ? missing.map((path) => `\`${path}\` exists.`) : [])],
  } satisfies Partial<Record<BriefSection, readonly string[]>>
}

function added(items: readonly string[], hints: readonly string[]): readonly string[] {
  const known = new Set(items.map(normalized))
  const unknown = hints.filter((hint) => {
    const key = normalized(hint)
    const isNew = key !== '' && !known.has(key)
    known.add(key)
    return isNew
  })
  return [...items, ...unknown]
}
