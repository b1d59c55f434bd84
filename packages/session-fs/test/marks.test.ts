import { randomNumbers } from './children/events.ts'
import { expect, test } from 'vitest'
import { parseJournal } from '../src/format/journal-content.ts'
import { encodeRecords } from '../src/format/record.ts'
import { firstSeed } from '../src/format/segment.ts'

const [one, other] = [firstSeed('one'), firstSeed('other')]

function linesOf(
  count: number,
  { seed, mark }: { readonly seed: number; readonly mark: number },
  random: () => number,
) {
  const records = Array.from({ length: count }, (_unused, index) => {
    const data = 'x'.repeat(Math.floor(random() * 300))
    const json = `{"type":"custom.recorded","seq":${index + 1},"at":"2026-01-01T00:00:00.000Z","data":"${data}"}`
    return { epoch: 1, seq: index + 1, durable: index, json }
  })
  return Buffer.from(encodeRecords(records, { seed, mark }).bytes)
}

test('no record of a journal fits by the mark of another session, from wherever it is read', () => {
  const random = randomNumbers(5)
  for (let round = 0; round < 50; round += 1) {
    const seed = round % 2 === 0 ? other : Math.floor(random() * 2 ** 32)
    const bytes = linesOf(20, { seed, mark: other }, random)
    expect(parseJournal(bytes, other, () => seed).records).toHaveLength(20)
    for (const mark of [one, 0])
      for (const known of [seed, one, other, 0]) expect(parseJournal(bytes, mark, () => known).records).toEqual([])
  }
})

test('a journal that goes on from lines with another mark has them anew', () => {
  const bytes = linesOf(5, { seed: one, mark: 0 }, randomNumbers(6))
  const { records } = parseJournal(bytes, 0, () => one)
  const anew = Buffer.from(encodeRecords(records, { seed: one, mark: one }).bytes)
  expect(parseJournal(anew, one, () => one).records.map(({ json }) => json)).toEqual(records.map(({ json }) => json))
  expect(parseJournal(anew, 0, () => one).records).toEqual([])
  expect(Buffer.from(encodeRecords(records, { seed: one, mark: 0 }).bytes).equals(bytes)).toBe(true)
})
