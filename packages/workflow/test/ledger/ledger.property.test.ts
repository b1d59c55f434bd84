import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyLedger, Ledger } from '@loader/session-core/coding'
import type { FreshnessEvidence } from '../../src/ledger/freshness-evidence.ts'
import { ledgerHighlights } from '../../src/ledger/ledger-highlights.ts'
import { normalized } from '../../src/text/normalized.ts'
import { seedLedger } from '../../src/ledger/seed-ledger.ts'
import { updateLedger } from '../../src/ledger/update-ledger.ts'
import { numRuns, randomText } from '../routing/random-text.ts'

const short = fc.constantFrom(
  'notes.txt exists',
  '- Notes.txt  exists',
  '`greeting` stays',
  'Keep it short',
  'ask first',
  '',
)
const texts = fc.array(fc.oneof({ weight: 3, arbitrary: short }, { weight: 1, arbitrary: randomText }), {
  maxLength: 6,
})
const seeds = fc.record({ assumptions: texts, acceptanceAnchors: texts, decisionBoundaries: texts })
const phase = fc.constantFrom('clarify', 'plan', 'recovery')
const evidence = fc.array(
  fc.record({
    kind: fc.constantFrom<FreshnessEvidence['kind']>(
      ...(['confirmed_touchpoint', 'inferred_touchpoint', 'acceptance_anchor', 'contradicted_assumption'] as const),
      ...(['verification_contradiction', 'task_boundary_change'] as const),
    ),
    summary: fc.oneof(short, randomText),
  }),
  { maxLength: 6 },
)
const ledgers = fc
  .tuple(seeds, phase, evidence, seeds, phase)
  .map(([first, in1, seen, second, in2]) =>
    seedLedger(updateLedger(seedLedger(emptyLedger, first, in1), seen), second, in2),
  )

test('seeding a ledger twice is the same as once', () => {
  fc.assert(
    fc.property(ledgers, seeds, phase, (ledger, said, during) => {
      const once = seedLedger(ledger, said, during)
      expect(seedLedger(once, said, during)).toEqual(once)
      expect(Ledger.parse(once)).toEqual(once)
    }),
    { numRuns },
  )
})

test('seeding keeps every status and adds nothing that is there', () => {
  fc.assert(
    fc.property(ledgers, seeds, phase, (ledger, said, during) => {
      const after = seedLedger(ledger, said, during)
      for (const list of ['assumptions', 'acceptanceAnchors', 'decisionBoundaries'] as const) {
        const kept = after[list].slice(0, ledger[list].length)
        expect(kept.map(({ text, status }) => [text, status])).toEqual(
          ledger[list].map(({ text, status }) => [text, status]),
        )
        const known = new Set(ledger[list].map(({ text }) => normalized(text)))
        for (const { text } of after[list].slice(kept.length)) expect(known.has(normalized(text))).toBe(false)
        for (const text of said[list]) {
          if (normalized(text) !== '')
            expect(after[list].map((item) => normalized(item.text))).toContain(normalized(text))
        }
      }
    }),
    { numRuns },
  )
})

test('evidence counts once, whatever it says', () => {
  fc.assert(
    fc.property(ledgers, evidence, (ledger, seen) => {
      const once = updateLedger(ledger, seen)
      expect(Ledger.parse(once)).toEqual(once)
      for (const item of [...once.assumptions, ...once.acceptanceAnchors, ...once.decisionBoundaries]) {
        expect(new Set(item.evidence).size).toBe(item.evidence?.length ?? 0)
      }
      const [first] = seen
      if (first !== undefined) {
        const marked = updateLedger(ledger, [first])
        expect(updateLedger(marked, [first])).toEqual(marked)
      }
      expect(ledgerHighlights(once).length).toBeLessThanOrEqual(6)
    }),
    { numRuns },
  )
})
