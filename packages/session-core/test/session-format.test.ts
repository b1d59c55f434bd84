import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withReference } from '../scripts/session-format.ts'
import { eventTypes, Phase, phaseTransitions } from '../src/index.ts'
import { jsonSchemas } from '../scripts/json-schemas.ts'

const document = readFileSync(new URL('../../../docs/session-format.md', import.meta.url), 'utf8')

describe('docs/session-format.md', () => {
  test('is what `pnpm run docs` makes of the schemas now', () => {
    expect(document).toBe(withReference(document))
  })

  test('has a section on every event and every type, and names every field of an event', () => {
    const { $defs = {} } = jsonSchemas()['session-event'] as { $defs?: Record<string, { properties?: object }> }
    const sections = [
      ...eventTypes.map((type) => `#### ${type}`),
      '### Message',
      '### Decision',
      '### Snapshot',
      '### Segment',
    ]
    const fields = Object.values($defs).flatMap(({ properties = {} }) => Object.keys(properties))
    expect(sections.filter((heading) => !document.includes(`\n${heading}\n`))).toEqual([])
    expect(fields.filter((field) => !new RegExp(`\\| \`([^\`]*[.])?${field}\` +\\|`).test(document))).toEqual([])
  })

  test('names the phases that each phase may follow', () => {
    const followed = Phase.options.map((to) => {
      const before = Phase.options.filter((from) => phaseTransitions[from].includes(to)).map((from) => `\`${from}\``)
      return `| \`${to}\` | ${before.join(', ') || '(nothing)'} |`
    })
    const text = document.replace(/ +/g, ' ')
    expect(followed.filter((row) => !text.includes(row))).toEqual([])
  })

  test('links only to what is there', () => {
    const anchors = new Set([...document.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))
    const links = [...document.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })
})

/** The name that a heading gets when the page is shown. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
