import type { Brief } from '@loader/session-core/coding'
import { type BriefReading, briefHeadings, briefReading, type BriefSection, briefSections } from './brief-reading.ts'
import { itemsOf } from './items-of.ts'
import { readSections } from './read-sections.ts'

const aliases: Readonly<Record<BriefSection, readonly string[]>> = {
  task_statement: ['task', 'request', 'task summary', 'summary', 'original task'],
  desired_outcome: ['outcome', 'desired outcomes', 'goal', 'goals', 'objective', 'objectives', 'intent'],
  in_scope: ['scope', 'in scope items', 'included'],
  non_goals: ['non goal', 'nongoals', 'out of scope', 'not in scope', 'exclusions', 'excluded', 'not included'],
  decision_boundaries: ['decision boundary', 'boundaries', 'when to ask', 'ask first', 'escalation', 'stop and ask'],
  constraints: ['constraint', 'restrictions', 'limitations', 'requirements and constraints'],
  likely_touchpoints: ['touchpoints', 'likely touch points', 'touch points', 'likely files', 'affected files', 'files'],
  assumptions: ['assumption', 'assumed'],
  acceptance_criteria: ['acceptance criterion', 'acceptance', 'success criteria', 'definition of done', 'done when'],
}

const names = new Map(
  briefSections.flatMap((section) =>
    [briefHeadings[section].toLowerCase(), ...aliases[section]].map((name) => [name, section] as const),
  ),
)

/** Parses the sections of a brief. Sections with `(assumed)` in the heading have values, but are not explicit. */
export function parseBrief(text: string, task: string): BriefReading {
  const found = readSections(text, names)
  const read = (standing: 'said' | 'assumed') => {
    const values: Partial<Record<BriefSection, readonly string[]>> = {}
    for (const section of found.filter((each) => each.standing === standing)) {
      values[section.name] = [...(values[section.name] ?? []), ...itemsOf(section.lines)]
    }
    return values
  }
  const said = read('said')
  const reading = briefReading({ ...read('assumed'), ...said }, task)
  return { ...reading, explicit: briefSections.filter((section) => said[section] !== undefined) }
}

/** The lines of a brief under one of its headings. */
export function linesUnder(text: string, name: BriefSection): string[] {
  return readSections(text, names).flatMap((section) => (section.name === name ? section.lines : []))
}

/** Reads the brief of a session. If its text is stored as a blob, only the explicit sections are known. */
export function readBrief({ text, sections = {} }: Brief, task: string): BriefReading {
  if (typeof text === 'string') return parseBrief(text, task)
  const said = briefSections.flatMap((section) => {
    const items = Object.hasOwn(sections, section) ? sections[section] : undefined
    return items === undefined ? [] : [[section, items] as const]
  })
  return briefReading(Object.fromEntries(said), task)
}
