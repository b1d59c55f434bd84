import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeParts, languageOf } from '../../src/page/ui/code-colours.ts'

test('colours take nothing from a text and add nothing to it, whatever it is', () => {
  const pieces = fc.constantFrom(
    '"',
    "'",
    '`',
    '\\',
    '/*',
    '*/',
    '//',
    '#',
    '--',
    '"""',
    '\n',
    ' ',
    'const',
    'a',
    '12',
    'é',
    '<',
  )
  const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, fc.constantFrom('ts', 'python', 'sql', 'unheard-of', ''), (text, language) => {
      expect(
        codeParts(text, language)
          .map(({ part }) => part)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('the words of a language, its texts and its comments have colours', () => {
  expect(codeParts('const a = "b" // c', languageOf('src/a.ts')).filter(({ kind }) => kind !== undefined)).toEqual([
    { kind: 'word', part: 'const' },
    { kind: 'string', part: '"b"' },
    { kind: 'comment', part: '// c' },
  ])
})
