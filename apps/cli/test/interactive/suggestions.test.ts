import { expect, test } from 'vitest'
import { joined, matching } from '../../src/interactive/choosing.ts'
import { nearPaths } from '../../src/interactive/suggestions.ts'

const known = ['src/', 'src/parser/', 'src/parser/tokens.ts', 'src/parser/tree.ts', 'docs/tokens/notes.md', 'README.md']

test('letters in the name of a file count more than those in its folders; what git ignores comes last', () => {
  expect(nearPaths({ known, ignored: ['tokens.log'] }, 'tokens')).toEqual([
    'src/parser/tokens.ts',
    'docs/tokens/notes.md',
    'tokens.log',
  ])
  expect(nearPaths({ known, ignored: [] }, 'sptre')).toEqual(['src/parser/tree.ts'])
})

test('before a letter is typed, what lies in the folder itself is shown', () => {
  expect(nearPaths({ known, ignored: ['dist/'] }, '')).toEqual(['src/', 'README.md', 'dist/'])
})

test('choices that hold all words are found, in any order and case', () => {
  const choices = [
    { label: 'Fix the parser', detail: '2 min ago', value: 1 },
    { label: 'Write docs', detail: 'yesterday', words: 'ses_42', value: 2 },
  ]
  const found = (query: string) => matching(choices, query).map(({ value }) => value)
  expect(found('PARSER fix')).toEqual([1])
  expect(found('ses_4')).toEqual([2])
  expect(found('')).toEqual([1, 2])
  expect(found('prsr')).toEqual([])
})

test('what was found elsewhere stands below what was found by its label, and is not there twice', () => {
  const [one, two, three] = [1, 2, 3].map((value) => ({ label: `Label ${value}`, detail: '', value }))
  if (one === undefined || two === undefined || three === undefined) throw new Error('There are three.')
  expect(joined([two], [one, { ...two, detail: 'elsewhere' }, three])).toEqual([two, one, three])
})
