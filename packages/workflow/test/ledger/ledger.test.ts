import { expect, test } from 'vitest'
import type { EventInput } from '@loader/session-core'
import { emptyLedger, Ledger } from '@loader/session-core/coding'
import { parseBrief } from '../../src/planning/parse-brief.ts'
import { parsePlan } from '../../src/planning/parse-plan.ts'
import { ledgerHighlights } from '../../src/ledger/ledger-highlights.ts'
import { seedsOfBrief } from '../../src/planning/brief-reading.ts'
import { normalized } from '../../src/text/normalized.ts'
import { seedLedger } from '../../src/ledger/seed-ledger.ts'
import { updateLedger } from '../../src/ledger/update-ledger.ts'
import { stateOf } from '../timeline/recorded.ts'
import { mappingRows, matchingRows, sameTexts } from './ledger.table.ts'

const brief = parseBrief(
  '## Assumptions\n- notes.txt stays out of scope.\n## Decision Boundaries\n- Escalate before broad UX changes.\n## Acceptance Criteria\n- notes.txt exists.',
  'Tidy up',
)

test.each(sameTexts)('%j and %j are the same text', (one, other) => {
  expect(normalized(one)).toBe(normalized(other))
})

test('a brief seeds all three lists, a plan the acceptance anchors', () => {
  const seeded = seedLedger(emptyLedger, seedsOfBrief(brief), 'clarify')
  expect(seeded).toEqual({
    assumptions: [{ text: 'notes.txt stays out of scope.', status: 'open', introducedPhase: 'clarify' }],
    acceptanceAnchors: [{ text: 'notes.txt exists.', status: 'active', introducedPhase: 'clarify' }],
    decisionBoundaries: [{ text: 'Escalate before broad UX changes.', status: 'tracked', introducedPhase: 'clarify' }],
  })
  const plan = parsePlan(
    '<<<VERIFICATION>>>\n## Acceptance Criteria\n- **Notes.txt**  exists.\n- It is short.',
    'Tidy up',
  )
  const planned = seedLedger(seeded, { acceptanceAnchors: plan.criteria }, 'plan')
  expect(planned.acceptanceAnchors).toEqual([
    { text: 'notes.txt exists.', status: 'active', introducedPhase: 'clarify', updatedPhase: 'plan' },
    { text: 'It is short.', status: 'active', introducedPhase: 'plan' },
  ])
  expect(planned.assumptions).toEqual(seeded.assumptions)
})

test('what is named again keeps its status', () => {
  const changed = updateLedger(seedLedger(emptyLedger, seedsOfBrief(brief), 'clarify'), [
    { kind: 'contradicted_assumption', summary: 'notes.txt stays out of scope, and it was changed.' },
  ])
  const again = seedLedger(changed, seedsOfBrief(brief), 'clarify')
  expect(again.assumptions).toMatchObject([
    { status: 'contradicted', introducedPhase: 'clarify', updatedPhase: 'clarify' },
  ])
})

test.each(mappingRows)('evidence of kind %s makes %s %s', (kind, list, status) => {
  const before = seedLedger(emptyLedger, { [list ?? 'assumptions']: ['Keep the words of notes'] }, 'clarify')
  const summary = 'Keep the words of notes: seen otherwise.'
  const after = updateLedger(before, [{ kind, summary }])
  if (list === null) {
    expect(after).toBe(before)
  } else {
    expect(after[list]).toEqual([
      {
        text: 'Keep the words of notes',
        status,
        introducedPhase: 'clarify',
        updatedPhase: 'recovery',
        evidence: [summary],
      },
    ])
    expect(Ledger.parse(after)).toEqual(after)
  }
})

test.each(matchingRows)('an item is found by its words: %s', (_rule, texts, summary, changed) => {
  const before = seedLedger(emptyLedger, { acceptanceAnchors: texts }, 'plan')
  const { acceptanceAnchors } = updateLedger(before, [{ kind: 'acceptance_anchor', summary }])
  expect(acceptanceAnchors.filter(({ status }) => status === 'changed').map(({ text }) => text)).toEqual([changed])
  expect(acceptanceAnchors).toHaveLength(texts.includes(changed) ? texts.length : texts.length + 1)
})

test('evidence is kept once', () => {
  const evidence = { kind: 'acceptance_anchor', summary: 'notes.txt exists: not covered' } as const
  const once = updateLedger(emptyLedger, [evidence])
  expect(updateLedger(once, [evidence, evidence]).acceptanceAnchors).toMatchObject([{ evidence: [evidence.summary] }])
  const twice = updateLedger(once, [{ ...evidence, summary: 'notes.txt exists: verification failed' }])
  expect(twice.acceptanceAnchors).toMatchObject([
    { evidence: [evidence.summary, 'notes.txt exists: verification failed'] },
  ])
})

test('evidence that says nothing changes nothing', () => {
  expect(updateLedger(emptyLedger, [{ kind: 'acceptance_anchor', summary: ' ' }])).toEqual(emptyLedger)
})

test('highlights are at most two of each list that no longer stands', () => {
  const seeds = {
    assumptions: ['alpha one', 'beta two', 'gamma three'],
    acceptanceAnchors: ['delta four'],
    decisionBoundaries: ['eps five'],
  }
  const ledger = updateLedger(seedLedger(emptyLedger, seeds, 'clarify'), [
    ...seeds.assumptions.map((summary) => ({ kind: 'contradicted_assumption' as const, summary })),
    { kind: 'task_boundary_change', summary: 'eps five' },
  ])
  expect(ledgerHighlights(ledger)).toEqual(['contradicted: alpha one', 'contradicted: beta two', 'reopened: eps five'])
})

test('session persists workflow ledger state', () => {
  const seeded = seedLedger(
    emptyLedger,
    {
      assumptions: ['notes.txt stays out of scope unless clarified otherwise.'],
      acceptanceAnchors: ['notes.txt exists in the workspace root.'],
      decisionBoundaries: ['Escalate before broad UX changes.'],
    },
    'clarify',
  )
  const ledger = updateLedger(seeded, [
    { kind: 'contradicted_assumption', summary: 'Clarify scope assumed `notes.txt` stayed out of scope.' },
    { kind: 'acceptance_anchor', summary: 'notes.txt exists in the workspace root: the plan does not cover this.' },
  ])
  const event: EventInput = { type: 'ledger.updated', ledger }
  expect(stateOf(event).ledger).toEqual({
    assumptions: [
      {
        text: 'notes.txt stays out of scope unless clarified otherwise.',
        status: 'contradicted',
        introducedPhase: 'clarify',
        updatedPhase: 'recovery',
        evidence: ['Clarify scope assumed `notes.txt` stayed out of scope.'],
      },
    ],
    acceptanceAnchors: [
      {
        text: 'notes.txt exists in the workspace root.',
        status: 'changed',
        introducedPhase: 'clarify',
        updatedPhase: 'recovery',
        evidence: ['notes.txt exists in the workspace root: the plan does not cover this.'],
      },
    ],
    decisionBoundaries: [{ text: 'Escalate before broad UX changes.', status: 'tracked', introducedPhase: 'clarify' }],
  })
})
