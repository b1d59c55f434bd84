import { describe, expect, test } from 'vitest'
import { draftRows } from '../../src/interactive/draft-rows.ts'
import { widthOf } from '../../src/screen/width.ts'

function rowsOf(text: string, columns = 20, prompt = '> ') {
  const cursor = text.indexOf('|')
  return draftRows({ text: text.replace('|', ''), cursor }, columns, prompt)
}

describe('a draft stands in rows that fit, with the cursor in its place', () => {
  test.each([
    ['nothing', '|', ['> '], 0, 2],
    ['a few words', 'fix| it', ['> fix it'], 0, 5],
    ['two lines', 'one\ntw|o', ['> one', '  two'], 1, 4],
    ['a line that is too long', '12345678901234567890|', ['> 12345678901234567', '  890'], 1, 5],
    ['a cursor at the break', '12345678901234567|890', ['> 12345678901234567', '  890'], 1, 2],
    ['wide letters', '日本語日本語日本|語日', ['> 日本語日本語日本', '  語日'], 1, 2],
    ['a tab', 'a\tb|', ['> a b'], 0, 5],
    ['a line that ends empty', 'a\n|', ['> a', '  '], 1, 2],
  ])('%s', (_name, text, rows, row, column) => {
    expect(rowsOf(text)).toEqual({ rows, cursor: { row, column } })
  })
})

test('of a long draft the rows around the cursor are shown', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const atEnd = rowsOf(`${lines.join('\n')}|`)
  expect(atEnd.rows).toHaveLength(8)
  expect(atEnd.rows.at(-1)).toBe('  line 19')
  expect(atEnd.cursor).toEqual({ row: 7, column: 9 })
  const atStart = rowsOf(`|${lines.join('\n')}`)
  expect(atStart.rows[0]).toBe('> line 0')
  expect(atStart.cursor).toEqual({ row: 0, column: 2 })
})

test.each([10, 12, 20, 60])('no row is wider than a terminal of %i columns', (columns) => {
  const text = 'Schöne 日本語 words 👩‍👩‍👧 and a\tverylongwordthatdoesnotfitanywhere|\nlast'
  for (const row of rowsOf(text, columns, '> ').rows) expect(widthOf(row)).toBeLessThan(columns)
})
