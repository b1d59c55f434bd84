import { describe, expect, test } from 'vitest'
import { readJsonText } from '../../src/settings/json-text.ts'

test.for([
  null,
  -1.5e-7,
  'a "quoted" \\ text\n\u2028',
  [[], {}, [[1]], { a: [{ b: null }] }],
  { '': 0, 'a.b': { 'a.b': [true, false] }, ä: '€😀' },
])('reads what JSON.parse reads, however it is laid out: %j', (value) => {
  for (const space of [undefined, 1, '\t', 4]) {
    const text = JSON.stringify(value, null, space)
    expect(readJsonText(text)).toMatchObject({ ok: true, value })
    expect(readJsonText(`\ufeff ${text}\r\n`)).toMatchObject({ ok: true, value })
  }
})

test('refuses what JSON.parse refuses', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b',
    '1',
    '01',
    '-',
    '1e5',
    'tru',
    'true',
    ' ',
    '\n',
    "'x'",
    '//',
  ]
  let refused = 0
  for (let number = 0; number < 20_000; number++) {
    const text = [
      number % 18,
      (number * 7) % 18,
      Math.floor(number / 18) % 18,
      Math.floor(number / 324) % 18,
      Math.floor(number / 5832),
    ]
      .map((index) => pieces[index])
      .join('')
    if (/"a".*"a"/s.test(text)) continue
    expect([text, readJsonText(text).ok]).toEqual([text, isJson(text)])
    if (!isJson(text)) refused += 1
  }
  expect(refused).toBeGreaterThan(10_000)
})

describe('where it is', () => {
  const text = '{\n  "a": 1,\n  "b": {\n    "a": [\n      2,\n      { "c": 3 }\n    ]\n  }\n}'

  test.for([
    [['a'], 2],
    [['b'], 3],
    [['b', 'a'], 4],
    [['b', 'a', 1], 6],
    [['b', 'a', 1, 'c'], 6],
    [['b', 'absent'], 3],
    [[], 1],
  ] as const)('%j stands on line %i', ([path, line]) => {
    const json = readJsonText(text)
    expect(json.ok && json.lineOf(path)).toBe(line)
  })
})

test.for([
  ['{\n  "a": 1\n  "b": 2\n}', 3, /a comma or }/],
  ['{\n  "a": 1,\n}', 3, /a key in quotes/],
  ['{\n  "a": nonsense\n}', 2, /a value was expected/],
  ['{\n  "a": 1,\n  "a": 2\n}', 3, /the key a is there twice/],
  ['{\n  "a": [1,\n', 3, /ends too early/],
  ['', 1, /ends too early/],
  ['{}\n{}', 2, /behind the end/],
  [`\n${'['.repeat(100_000)}`, 2, /nested too deeply/],
] as const)('%j is wrong on line %i', ([text, line, reason]) => {
  expect(readJsonText(text)).toMatchObject({ ok: false, line, reason: expect.stringMatching(reason) })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
