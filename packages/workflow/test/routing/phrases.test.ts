import { expect, test } from 'vitest'
import { phrases, saidIn, says } from '../../src/text/phrases.ts'
import { significantWords } from '../../src/text/significant-words.ts'
import { containsWords, wordsOf } from '../../src/text/words.ts'

test('words are in lower case, without punctuation, with their apostrophes', () => {
  expect(wordsOf('Don’t “assume”, my-file: a_b.TXT! Zürich 你好')).toEqual([
    "don't",
    'assume',
    'my',
    'file',
    'a_b',
    'txt',
    'zürich',
    '你好',
  ])
  expect(wordsOf('…')).toEqual([])
})

test.each([
  ['add', 'add adds added adding', 'address addition pad'],
  ['improve', 'improve improves improved improving', 'improver improv'],
  ['run', 'run runs running', 'runner rune'],
  ['copy', 'copy copies copied copying', 'copyright'],
  ['fix', 'fix fixes fixed fixing', 'prefix fixture'],
])('a verb counts in its regular forms: %s', (verb, forms, others) => {
  const wanted = phrases({ verbs: [verb] })
  for (const form of forms.split(' ')) expect(says([form], wanted)).toBe(true)
  for (const other of others.split(' ')) expect(says([other], wanted)).toBe(false)
})

test('a noun counts with its plural, a phrase only as it is', () => {
  const wanted = phrases({ nouns: ['class, repository, deep dive'], exact: ['more like'] })
  for (const text of ['class', 'classes', 'repositories', 'deep dives', 'Deep-dive', 'no more, like this']) {
    expect(says(wordsOf(text), wanted)).toBe(true)
  }
  for (const text of ['classic', 'deep', 'dives deep', 'more likely', 'more'])
    expect(says(wordsOf(text), wanted)).toBe(false)
})

test('what is said is told once, by the name that it is listed under', () => {
  const wanted = phrases({ verbs: ['add, fix'], exact: ['fix this'] })
  expect([...saidIn(wordsOf('Adding, added; fix this'), wanted)].toSorted()).toEqual(['add', 'fix', 'fix this'])
})

test('a sequence of words is contained only in its order and without a gap', () => {
  expect(containsWords(['a', 'b', 'c'], ['b', 'c'])).toBe(true)
  expect(containsWords(['a', 'b', 'c'], ['a', 'c'])).toBe(false)
  expect(containsWords(['a', 'b', 'c'], ['c', 'd'])).toBe(false)
  expect(containsWords([], ['a'])).toBe(false)
})

test('significant words are longer than two letters and no mere connections', () => {
  expect([...significantWords('The notes of it go to the notes.txt file, and it is so')]).toEqual([
    'notes',
    'txt',
    'file',
  ])
})
