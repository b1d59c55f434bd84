import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { List } from '../src/index.ts'

describe('a list', () => {
  test('shows what an array would show, in every version of it, whichever version grows', () => {
    const steps = fc.array(
      fc.record({ from: fc.nat(), item: fc.integer(), keep: fc.option(fc.integer({ min: 1, max: 9 })) }),
      {
        maxLength: 60,
      },
    )
    fc.assert(
      fc.property(steps, (growth) => {
        const versions = [{ list: List.of<number>(), items: [] as number[] }]
        for (const { from, item, keep } of growth) {
          const { list, items } = versions[from % versions.length] as (typeof versions)[number]
          const grown = [...items, item]
          versions.push({
            list: list.append(item, keep ?? undefined),
            items: keep === null ? grown : grown.slice(-keep),
          })
        }
        for (const { list, items } of versions) {
          expect(list.toArray()).toEqual(items)
          expect([...list]).toEqual(items)
          expect(list.length).toBe(items.length)
          expect([list.at(0), list.at(-1), list.at(99)]).toEqual([items.at(0), items.at(-1), undefined])
          expect(JSON.stringify(list)).toBe(JSON.stringify(items))
        }
      }),
    )
  })

  test('replaces its last item without touching other versions', () => {
    const list = List.of(1, 2)
    expect(list.replaceLast(3).toArray()).toEqual([1, 3])
    expect(list.toArray()).toEqual([1, 2])
  })

  test('finds from the end', () => {
    const list = List.of('a', 'b', 'a')
    expect(list.findLastIndex((item) => item === 'a')).toBe(2)
    expect(list.findLastIndex((item) => item === 'c')).toBe(-1)
  })
})
