import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { systemEnvironment } from '../src/system-environment.ts'

vi.mock('node:crypto', async (original) => {
  const actual = await original<typeof import('node:crypto')>()
  return { ...actual, randomBytes: vi.fn<typeof actual.randomBytes>(actual.randomBytes) }
})

const environment = systemEnvironment()
const newId = (prefix: string) => environment.newId(prefix)

test('no two ids are the same, and each is safe as a file name', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('call'))
  expect(new Set(ids.map((id) => id.slice(-11))).size).toBe(ids.length)
  expect(ids.filter((id) => !/^call_[0-9a-hjkmnp-tv-z]{20}$/.test(id))).toEqual([])
})

test('every character of what is left to chance takes every value', () => {
  const ids = Array.from({ length: 3_000 }, () => newId('x').slice(-11))
  for (let place = 0; place < 11; place += 1) expect(new Set(ids.map((id) => id[place])).size).toBe(32)
})

test('the system is asked for chance once for many ids', () => {
  const before = vi.mocked(randomBytes).mock.calls.length
  for (let count = 0; count < 640; count += 1) newId('x')
  expect(vi.mocked(randomBytes).mock.calls.length - before).toBeLessThanOrEqual(10)
})
