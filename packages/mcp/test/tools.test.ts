import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../src/tools/names.ts'
import { isNamed } from '../src/tools/patterns.ts'
import { offeredSchema } from '../src/tools/input-schema.ts'
import { cut } from '../src/tools/cut.ts'
import { resultOf } from '../src/tools/result.ts'
import { told } from '../src/tools/told-text.ts'
import { Lines } from '../src/transport/lines.ts'
import { Rate, transportLimits } from '../src/transport/limits.ts'

const alike = (name: string) => name.toLowerCase().replaceAll(/[_\-. ]/g, '')

describe('names of tools', () => {
  test('are taken by every provider, and no two of them, nor one of ours, can be taken for each other', () => {
    const part = fc.oneof(fc.constantFrom('ba', 'sh', 'read', 'READ', 're_ad', 'a b', ''), fc.string({ maxLength: 90 }))
    const tools = fc.uniqueArray(fc.record({ server: fc.constantFrom('ba', 're', 'fs', 'a_b'), tool: part }), {
      selector: ({ server, tool }) => `${server}\0${tool}`,
      maxLength: 12,
    })
    fc.assert(
      fc.property(tools, (given) => {
        const names = namesOf(given, ['bash', 'read'])
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(new Set([...names, 'bash', 'read'].map(alike)).size).toBe(given.length + 2)
      }),
    )
  })

  test('are server__tool wherever that is possible', () => {
    const names = namesOf([{ server: 'fs', tool: 'read_file' }], ['bash'])
    expect(names).toEqual(['fs__read_file'])
  })

  test.for([
    ['list_*', 'list_files', true],
    ['list_*', 'relist_files', false],
    ['*', 'anything', true],
    ['a*c*e', 'abcde', true],
    ['a*a', 'a', false],
    ['plain', 'plain', true],
    ['plain', 'plainly', false],
  ] as const)('%s names %s: %s', ([pattern, name, isIt]) => {
    expect(isNamed(name, [pattern])).toBe(isIt)
  })
})

describe('schemas', () => {
  test('that providers take are sent as they are', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { enum: [1, 2] } } }
    expect(offeredSchema(schema)).toEqual({ schema })
  })

  test('of any kind are replaced by one that a provider takes, and never throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { schema } = offeredSchema(value)
        expect(schema['type']).toBe('object')
      }),
    )
  })
})

describe('texts of servers', () => {
  test('have nothing in them that nobody sees', () => {
    const hidden = '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u202e\u200bx\u{e0041}\u0000\ty\n'
    expect(told(hidden, 100)).toBe('redx\ty')
  })

  test('of results are kept at both ends, and say what is missing', () => {
    const { text, isCut } = cut(`begin${'x'.repeat(50_000_000)}end`)
    expect(isCut).toBe(true)
    expect(text.length).toBeLessThan(31_000)
    expect(text).toMatch(/^beginx+\n\[… \d+ characters left out …\]\nx+end$/)
  })

  test('images go to models that see them, within limits, and everything else is named', () => {
    const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }
    const content = [image, { ...image, mimeType: 'image/svg+xml' }, { ...image, data: '<script>' }]
    expect(resultOf({ content }, {}, []).files).toHaveLength(1)
    expect(resultOf({ content }, { model: { images: false } }, []).files).toBeUndefined()
    expect(resultOf({ content: [], structuredContent: { n: 1 } }, {}, ['a note']).text).toBe('{"n":1}\n[a note]')
  })
})

describe('what arrives', () => {
  test('is the same lines however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string().map((line) => line.replaceAll('\n', ''))),
        fc.array(fc.nat(20)),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
          const got: string[] = []
          const reader = new Lines(
            1000,
            (line) => got.push(line),
            () => got.push('too long'),
          )
          let at = 0
          for (const length of cuts) reader.add(bytes.subarray(at, (at += length)))
          reader.add(bytes.subarray(at))
          expect(got).toEqual(lines)
        },
      ),
    )
  })

  test('is given up when a line is too long, whatever follows', () => {
    const got: string[] = []
    const reader = new Lines(
      10,
      (line) => got.push(line),
      () => got.push('too long'),
    )
    for (const piece of ['12345', '67890', '1', '\nafter\n']) reader.add(Buffer.from(piece))
    expect(got).toEqual(['too long'])
  })

  test('unasked is let through as fast as the limit says, and no faster', () => {
    let now = 0
    const rate = new Rate(() => now)
    const taken = () => {
      let count = 0
      while (rate.take()) count += 1
      return count
    }
    expect(taken()).toBe(transportLimits.unaskedAtOnce)
    now += 1000
    expect(taken()).toBe(transportLimits.unaskedPerSecond)
  })
})
