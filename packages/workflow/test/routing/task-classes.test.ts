import { expect, test } from 'vitest'
import { estimateComplexity } from '../../src/routing/estimate-complexity.ts'
import { isConversational } from '../../src/routing/is-conversational.ts'
import { shouldDecompose } from '../../src/routing/should-decompose.ts'
import { decomposeRows, sizeRows, talkRows } from './task-classes.table.ts'

test.each(talkRows)('talk: %s', (_rule, text, talk) => {
  expect(isConversational(text)).toBe(talk)
})

test.each(sizeRows)('size: %s', (_rule, text, size) => {
  expect(estimateComplexity(text)).toBe(size)
})

test.each(decomposeRows)('decomposition: %s', (_rule, text, decompose) => {
  expect(shouldDecompose(text)).toBe(decompose)
})
