import { type BriefReading, briefReading } from './brief-reading.ts'
import { oneLine } from './one-line.ts'

/** The brief that stands where none was written: the task, and nothing that anybody has settled. */
export function fallbackBrief({
  task,
  answer = '',
}: {
  readonly task: string
  readonly answer?: string
}): BriefReading {
  const said = oneLine(answer)
  const reading = briefReading({ desired_outcome: [said === '' ? oneLine(task) : said] }, task)
  return { ...reading, explicit: [] }
}
