import { expect, test } from 'vitest'
import { typedInput, typedText } from '../../src/interactive/typed-text.ts'

test('what would control the terminal, or hide or reorder text, is not typed', () => {
  expect(typedText('a\u001b[31m\u202eb\u009b2J\u2028c')).toBe('a[31mb2Jc')
})

test('tabs, line breaks and what joins letters and emoji stay', () => {
  expect(typedText('a\tb\n👩\u200d💻 می\u200cخواهم')).toBe('a\tb\n👩\u200d💻 می\u200cخواهم')
})

test('keys reach the editor as they are', () => {
  for (const key of ['\u001b[A', '\r', '\u0003', '\u001b\r', '\u001b[13;2u']) expect(typedInput(key)).toBe(key)
})

test('a paste is cleaned between its marks', () => {
  expect(typedInput('\u001b[200~red\u001b[31m\u202e\n\u001b[201~')).toBe('\u001b[200~red[31m\n\u001b[201~')
})
