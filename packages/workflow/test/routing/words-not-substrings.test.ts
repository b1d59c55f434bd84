import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ambiguityOf } from '../../src/routing/ambiguity.ts'
import { complexityOf } from '../../src/routing/complexity.ts'
import { hasConcreteAnchor } from '../../src/text/has-concrete-anchor.ts'
import { isConversational } from '../../src/routing/is-conversational.ts'
import {
  ambiguityBySubstring,
  anchorBySubstring,
  complexityBySubstring,
  conversationalBySubstring,
} from './by-substring.ts'
import { workedExamples } from './task-text.table.ts'

const rules: Readonly<Record<string, readonly [before: (text: string) => unknown, now: (text: string) => unknown]>> = {
  ambiguity: [ambiguityBySubstring, ambiguityOf],
  complexity: [complexityBySubstring, complexityOf],
  anchor: [anchorBySubstring, hasConcreteAnchor],
  talk: [conversationalBySubstring, isConversational],
}

/** The rows of the decision page: rule, text, outcome by substrings, outcome by words. */
const page = readFileSync(new URL('../../../../docs/decisions/0013-words-not-substrings.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| (\w+) +\| "(.*?)" +\| (\S+) +\| (\S+) +\|/gm)]
  .map(([, rule = '', text = '', before, now]) => ({ rule, text, before, now }))
  // It has outcomes of a rule that has gone since.
  .filter(({ rule }) => rule !== 'decompose')

test('the page lists changed outcomes of every rule', () => {
  expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(Object.keys(rules)))
  expect(rows.length).toBeGreaterThan(25)
})

describe('the page tells the truth', () => {
  test.each(rows)('$rule of "$text": $before by substrings, $now by words', ({ rule, text, before, now }) => {
    const [bySubstring, byWords] = rules[rule] ?? []
    expect([shown(bySubstring?.(text)), shown(byWords?.(text))]).toEqual([before, now])
    expect(before).not.toBe(now)
  })
})

function shown(outcome: unknown): string {
  return typeof outcome === 'boolean' ? (outcome ? 'yes' : 'no') : Number(outcome).toFixed(2)
}

test('the published examples come out as they did', () => {
  for (const { task } of workedExamples) {
    expect([ambiguityOf(task), complexityOf(task)]).toEqual([ambiguityBySubstring(task), complexityBySubstring(task)])
    expect(hasConcreteAnchor(task)).toBe(anchorBySubstring(task))
  }
})
