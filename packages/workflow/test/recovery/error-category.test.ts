import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorCategories, errorCategory } from '../../src/recovery/error-category.ts'
import { recoveryAdvice } from '../../src/recovery/recovery-advice.ts'
import { errors } from './error-category.table.ts'

test.for(errors)('$text is $category', ({ text, category }) => {
  expect(errorCategory(text)).toBe(category)
})

test('every category is recognised by some text', () => {
  const seen = new Set(errors.map(({ category }) => category))
  expect(errorCategories.filter((category) => !seen.has(category))).toEqual([])
})

test('every category has advice of its own', () => {
  const advice = errorCategories.map(recoveryAdvice)
  expect(new Set(advice).size).toBe(errorCategories.length)
})

test('any text has a category', () => {
  fc.assert(fc.property(fc.string(), (text) => errorCategories.includes(errorCategory(text))))
})
