import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEvent, type StoredEvent } from '@loader/session-core'
import { expect, test } from 'vitest'
import { comparisonOf, textDifference } from '../src/index.ts'

const recorded = readFileSync(join(import.meta.dirname, 'sessions', 'invoices.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseEvent(JSON.parse(line)))

/** The recorded session as another one that was made at another time, with something said in another way. */
function another(from: string, to: string): StoredEvent[] {
  const text = JSON.stringify(recorded)
    .replaceAll(/\b([a-z]+_[0-9a-z]{12})[0-9a-z]{8}\b/g, '$1aaaaaaaa')
    .replaceAll('2026-', '2027-')
    .replaceAll(from, to)
  return (JSON.parse(text) as unknown[]).map((event) => parseEvent(event))
}

test('sessions that differ in nothing but ids and times are the same', () => {
  const { common, rows } = comparisonOf({ history: recorded }, { history: another('\u0000', '') })
  expect(rows).toEqual([])
  expect(common.length).toBeGreaterThan(20)
})

test.each([
  ['words', 'Lines can have a discount now', 'Lines may have a discount now'],
  ['call', 'Published, once.', 'Published twice.'],
  ['thinking', 'I look before I guess.', 'I guess.'],
] as const)('the first difference is found, and what it is: %s', (part, from, to) => {
  const { common, rows } = comparisonOf({ history: recorded }, { history: another(from, to) })
  expect(rows[0]?.differs).toBe(part)
  expect(JSON.stringify(common)).not.toContain(from)
  // Both go on in step: what is the same behind it stands side by side.
  expect(rows.slice(1).filter(({ left, right }) => left === null || right === null)).toEqual([])
})

test('behind the first difference, turns stand beside turns, and nothing of either is left out', () => {
  const cut = recorded.findIndex(({ type }) => type === 'tool.finished')
  for (let length = cut; length < recorded.length; length += 7) {
    const left = { history: recorded }
    const right = { history: recorded.slice(0, length) }
    const whole = comparisonOf(left, left).common
    const { common, rows } = comparisonOf(left, right)
    expect([...common, ...rows.flatMap((row) => (row.left === null ? [] : [row.left]))]).toEqual(whole)
    expect(rows.length === 0 || rows[0]?.differs !== null).toBe(true)
  }
})

test('two texts are taken apart without losing or moving anything', () => {
  const lengthened = (texts: readonly string[]) =>
    texts.flatMap((text) => ['one', 'two ', '\n'].map((word) => text + word))
  const upTo = (length: number): string[] =>
    length === 0 ? [''] : [...upTo(length - 1), ...lengthened(upTo(length - 1))]
  const texts = [...new Set(upTo(4))]
  for (const left of texts) {
    for (const right of texts) {
      const parts = textDifference(left, right)
      if (parts.start + parts.left + parts.end !== left)
        expect.fail(`${JSON.stringify(left)} is ${JSON.stringify(parts)}`)
      if (parts.start + parts.right + parts.end !== right)
        expect.fail(`${JSON.stringify(right)} is ${JSON.stringify(parts)}`)
      expect(left === right && parts.left + parts.right !== '').toBe(false)
    }
  }
})
