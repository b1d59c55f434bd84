import { describe, expect, test } from 'vitest'
import { duration, inLines, inOneLine, relativeTime, shortBytes, shortCount } from '@loader/readings'
import { cut, padEnd, widthOf, wrap } from '../src/screen/width.ts'
import { table } from '../src/tables/table.ts'

describe('text from a session', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', String.raw`\x1b[31mred\x1b[0m`],
    ['\u009b31m', String.raw`\x9b31m`],
    ['a\u0000b\u0007c\u007f', String.raw`a\x00b\x07c\x7f`],
    ['abc\u202edcba', String.raw`abc\u202edcba`],
    ['hidden\u{e0041}', String.raw`hidden\u{e0041}`],
    ['half \ud800 pair', String.raw`half \ud800 pair`],
    ['👩‍👩‍👧 می‌خواهم', '👩‍👩‍👧 می‌خواهم'],
    ['two\r\nlines\tand tabs', 'two lines and tabs'],
  ])('in one line: %j', (text, shown) => {
    expect(inOneLine(text)).toBe(shown)
  })

  test('in lines keeps its lines, and its indents', () => {
    expect(inLines('a\r\n\tb\rc\n\n')).toEqual(['a', '  b', 'c'])
  })
})

describe('width in a terminal', () => {
  test.each([
    ['plain', 5],
    ['日本', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['ｆｕｌｌ', 8],
    ['한글', 4],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  test('is never more after cutting or wrapping than there is room for', () => {
    const text = '日本語 and words 👩‍👩‍👧 e\u0301 with-a-very-long-word-that-does-not-fit'
    for (let room = 8; room < 40; room += 1) {
      expect(widthOf(cut(text, room))).toBeLessThanOrEqual(room)
      for (const line of wrap(text, room)) expect(widthOf(line)).toBeLessThanOrEqual(room)
      expect(wrap(text, room).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      expect(widthOf(padEnd('日', room))).toBe(room)
    }
  })

  test('wrapped lines keep the indent of the first', () => {
    expect(wrap('    one two three four', 14)).toEqual(['    one two', '    three four'])
  })
})

describe('a table', () => {
  const rows = [
    { name: 'short', count: 5 },
    { name: 'a name that is much too long for its column', count: 12_000 },
  ]
  const columns = [
    { head: 'NAME', flexible: true, cell: ({ name }: (typeof rows)[0]) => name },
    { head: 'COUNT', align: 'right', cell: ({ count }: (typeof rows)[0]) => String(count) },
  ] as const

  test('aligns its columns, and makes the flexible one narrow enough', () => {
    const lines = table(rows, columns, { width: 24, paint: (_style, text) => text })
    expect(lines).toEqual(['NAME               COUNT', 'short                  5', 'a name that is m…  12000'])
  })
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [1250, '1.3k'],
  [84_123, '84k'],
  [3_100_000, '3.1M'],
])('%i is short %s', (count, text) => {
  expect(shortCount(count)).toBe(text)
})

test('sizes and times are in words that are short', () => {
  expect(shortBytes(1536)).toBe('1.5 kB')
  expect(duration(840)).toBe('840 ms')
  expect(duration(200_000)).toBe('3 min 20 s')
  const now = Date.parse('2026-01-02T12:00:00.000Z')
  expect(relativeTime('2026-01-02T11:59:30.000Z', now)).toBe('just now')
  expect(relativeTime('2026-01-02T11:57:00.000Z', now)).toBe('3 min ago')
  expect(relativeTime('2025-12-30T11:57:00.000Z', now)).toBe('3 d ago')
  expect(relativeTime('2026-01-02T14:00:00.000Z', now)).toBe('in 2 h')
})
