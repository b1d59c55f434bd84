import { digestOf } from '../prompt/digest.ts'
import type { Stage } from '../stage/stage.ts'
import type { ReplayedSession } from './replayed-session.ts'

const heading = '# Project Instructions\n'

/** The instruction files as they stood in a prompt: what they said is something that was seen, not something decided. */
export function recordedInstructions({ prompt }: ReplayedSession): Stage['projectInstructions'] {
  const section = prompt?.sections.find(({ name }) => name === 'Project Instructions')
  const start = prompt?.text.indexOf(`\n${heading}`) ?? -1
  if (prompt === undefined || section === undefined || start < 0) return []
  const rest = prompt.text.slice(start + 1)
  // They may hold headings of their own, so only the digest tells where they end.
  const ends = [...rest.matchAll(/\n\n# /g)].map(({ index }) => index)
  const end = ends.find((place) => digestOf(rest.slice(0, place)) === section.digest)
  const [first = '', ...lines] = rest.slice(heading.length, end).split('\n')
  return [{ path: first.replace(/^## /, ''), text: lines.join('\n') }]
}
