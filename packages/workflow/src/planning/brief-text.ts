import type { Brief } from '@loader/session-core/coding'
import { type BriefReading, briefHeadings, briefSections, explicitSections } from './brief-reading.ts'
import { contractLines } from './contract.ts'
import { bulleted, oneLine } from './one-line.ts'

export interface QuestionAndAnswer {
  readonly question: string
  readonly answer: string
}

/** A brief to be stored: the text that people and models read, and its explicit sections. */
export function writtenBrief(reading: BriefReading, task: string, exchanges: readonly QuestionAndAnswer[] = []): Brief {
  return { text: briefText(reading, task, exchanges), sections: explicitSections(reading) }
}

/** A brief as markdown. Sections that were not answered are marked as assumed. */
export function briefText(reading: BriefReading, task: string, exchanges: readonly QuestionAndAnswer[] = []): string {
  const { sections, explicit } = reading
  const parts = briefSections.flatMap((section) => {
    const items = sections[section]
    const isExplicit = explicit.includes(section)
    if (!isExplicit && items.length === 0) return []
    return ['', `## ${briefHeadings[section]}${isExplicit ? '' : ' (assumed)'}`, ...bulleted(items)]
  })
  return [...contractLines('brief', task), '', '# Brief', ...parts, ...clarification(exchanges)].join('\n')
}

function clarification(exchanges: readonly QuestionAndAnswer[]): string[] {
  if (exchanges.length === 0) return []
  const lines = exchanges.flatMap(({ question, answer }) => [
    `- Question: ${oneLine(question)}`,
    `  Answer: ${oneLine(answer) || '(none)'}`,
  ])
  return ['', '## Clarification', ...lines]
}
