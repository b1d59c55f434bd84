import { expect, test } from 'vitest'
import { Brief, type Grounding } from '@loader/session-core/coding'
import { briefSections, fallbackBrief, nothingRuledOut } from '../../src/planning/brief-reading.ts'
import { briefText, writtenBrief } from '../../src/planning/brief-text.ts'
import { enrichBrief } from '../../src/planning/enrich-brief.ts'
import { parseBrief, readBrief } from '../../src/planning/parse-brief.ts'
import { aliasRows, itemRows, layoutRows } from './brief.table.ts'

const task = 'Tidy up notes.txt'

test.each(aliasRows)('the heading %j is the section %s', (heading, section) => {
  const { sections, explicit } = parseBrief(`## ${heading}\n- one thing\n`, task)
  expect(explicit).toEqual([section])
  expect(sections[section]).toEqual(['one thing'])
})

test.each(layoutRows)('a section may be written so: %s', (_layout, text) => {
  const { sections, explicit } = parseBrief(text, task)
  expect(sections.non_goals).toEqual(['No new files', 'No renames'])
  expect(sections.constraints).toEqual(['Keep it short'])
  expect(explicit).toEqual(['non_goals', 'constraints'])
})

test.each(itemRows)('items are read from %s', (_layout, lines, items) => {
  expect(parseBrief(['## In Scope', ...lines].join('\n'), task).sections.in_scope).toEqual(items)
})

test('what a brief does not say has neutral values, and does not count as said', () => {
  const { sections, explicit } = parseBrief('', task)
  expect(explicit).toEqual([])
  expect(sections).toEqual({
    task_statement: [task],
    desired_outcome: [task],
    in_scope: [task],
    non_goals: [nothingRuledOut],
    decision_boundaries: [],
    constraints: [],
    likely_touchpoints: [],
    assumptions: [],
    acceptance_criteria: [task],
  })
})

test('acceptance is the outcome and the first two things in scope where nothing else is said', () => {
  const { sections } = parseBrief('## Outcome\n- short notes\n## Scope\n- one\n- two\n- three', task)
  expect(sections.acceptance_criteria).toEqual(['short notes', 'one', 'two'])
})

test("a section may come in two parts, and headings of the model's own end one", () => {
  const text = '# Brief\n## Constraints\n- one\n### Why\n- because\n## Background\n- ignored\n## Constraints\n- two'
  expect(parseBrief(text, task).sections.constraints).toEqual(['one', 'Why', 'because', 'two'])
})

test('headings in fenced code are none', () => {
  const text = '## Constraints\n```md\n## Non Goals\n- not one\n```\n- real'
  const { sections, explicit } = parseBrief(text, task)
  expect(explicit).toEqual(['constraints'])
  expect(sections.constraints).toEqual(['## Non Goals', '- not one', 'real'])
})

test('a written brief names its task, and is read as it was written', () => {
  const reading = parseBrief('## Desired Outcome\n- short notes\n## Constraints\n## Non Goals\n- no new files', task)
  const exchanges = [{ question: 'What stays\nout?', answer: '' }]
  const brief = writtenBrief(reading, task, exchanges)
  expect(Brief.parse(brief)).toEqual(brief)
  expect(brief.text).toBe(briefText(reading, task, exchanges))
  expect(brief.text).toMatch(/^> Workflow contract \(brief\): .*\n> Task: Tidy up notes.txt\n\n# Brief\n/)
  expect(brief.text).toContain('- Question: What stays out?\n  Answer: (none)')
  expect(brief.sections).toEqual({ desired_outcome: ['short notes'], non_goals: ['no new files'], constraints: [] })
  expect(readBrief(brief, task)).toEqual(reading)
})

test('of a brief that is kept elsewhere, the explicit sections are at hand', () => {
  const text = { blob: 'b', bytes: 70_000, excerpt: '> Workflow contract' }
  const { sections, explicit } = readBrief({ text, sections: { constraints: ['short'], 'own section': ['x'] } }, task)
  expect(explicit).toEqual(['constraints'])
  expect(sections).toMatchObject({ constraints: ['short'], in_scope: [task] })
  expect(readBrief({ text }, task).explicit).toEqual([])
})

test('where no brief was written, the answer stands for the outcome, and nothing is settled', () => {
  const reading = fallbackBrief({ task, answer: ' shorter\nnotes ' })
  expect(reading.explicit).toEqual([])
  expect(reading.sections).toMatchObject({ desired_outcome: ['shorter notes'], in_scope: [task] })
  expect(fallbackBrief({ task }).sections.desired_outcome).toEqual([task])
})

const grounding: Grounding = {
  entries: ['notes.txt', 'src'],
  referenced: ['notes.txt'],
  missing: ['plan.md'],
  candidates: ['src/notes.ts', 'src/tidy.ts'],
  facts: [{ path: 'src/notes.ts', line: 'export function notes()' }],
}

test('what a look around showed goes into a brief without settling anything', () => {
  const before = parseBrief('## Likely Touchpoints\n- `notes.txt`', task)
  const { sections, explicit } = enrichBrief(before, { task, grounding })
  expect(explicit).toEqual(['likely_touchpoints'])
  expect(sections.likely_touchpoints).toEqual(['`notes.txt`', '`src/notes.ts`', '`src/tidy.ts`'])
  expect(sections.constraints).toEqual(['`plan.md` is named by the task, but it is not there.'])
  expect(sections.assumptions).toEqual([])
  expect(enrichBrief({ sections, explicit }, { task, grounding })).toEqual({ sections, explicit })
})

test('a file that the task makes is a touchpoint and a criterion, and no constraint', () => {
  const { sections } = enrichBrief(parseBrief('', 'Create plan.md'), { task: 'Create plan.md', grounding })
  expect(sections.likely_touchpoints).toContain('`plan.md`')
  expect(sections.acceptance_criteria).toEqual(['Create plan.md', '`plan.md` exists.'])
  expect(sections.constraints).toEqual([])
})

test('without a file that the task names, the nearest one is assumed', () => {
  const { sections } = enrichBrief(parseBrief('', task), { task, grounding: { ...grounding, referenced: [] } })
  expect(sections.assumptions).toEqual(['The work is about `src/notes.ts`, or what is next to it.'])
})

test('what the work has changed and what has to hold goes in too', () => {
  const { sections } = enrichBrief(parseBrief('', task), { task, touchedFiles: ['a.ts'], criteria: ['a.ts compiles'] })
  expect(sections.likely_touchpoints).toEqual(['`a.ts`'])
  expect(sections.acceptance_criteria).toEqual([task, 'a.ts compiles'])
})

test('the sections are those of the published brief, in their order', () => {
  expect(briefSections).toEqual([
    'task_statement',
    'desired_outcome',
    'in_scope',
    'non_goals',
    'decision_boundaries',
    'constraints',
    'likely_touchpoints',
    'assumptions',
    'acceptance_criteria',
  ])
})
