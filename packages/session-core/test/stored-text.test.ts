import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerptOf, shownText, utf8Length } from '../src/index.ts'

describe('the length in UTF-8', () => {
  test('is what an encoder makes of it, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
    expect(utf8Length('a\uD800b')).toBe(5)
  })
})

describe('an excerpt', () => {
  test('is one line of at most the length, and never ends in half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.integer({ min: 2, max: 20 }), (text, length) => {
        const excerpt = excerptOf(text, length)
        expect(excerpt.length).toBeLessThanOrEqual(length)
        expect(excerpt).not.toMatch(/[\r\n]/)
        expect(excerpt).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
      }),
    )
    expect(excerptOf('a  line\nand more', 10)).toBe('a line an…')
  })

  test('stands in for a text that is elsewhere', () => {
    expect(shownText({ blob: 'b', bytes: 9, excerpt: 'how it be' })).toBe('how it be')
  })
})
