import type { Policy } from '@loader/session-core/coding'
import { expect, test, vi } from 'vitest'
import { samePolicy } from '../src/stage/same-policy.ts'

type Permission = Policy['permission']
const permissionWith = (rules: Permission['rules']): Permission => ({
  mode: 'prompt',
  promptingEnabled: true,
  ruleCounts: { allow: 0, deny: rules.length, ask: 0 },
  rules,
  rulesSource: null,
})
const recorded = permissionWith([])

test('what is recorded is put in order once, however many calls compare with it', () => {
  samePolicy(recorded, permissionWith([]))
  const stringify = vi.spyOn(JSON, 'stringify')
  expect(samePolicy(recorded, permissionWith([]))).toBe(true)
  expect(stringify).toHaveBeenCalledTimes(1)
  stringify.mockRestore()
})

test('a rule more is another policy, and one in another order of its keys is the same', () => {
  const one = permissionWith([{ permit: 'deny', tool: 'bash', source: 'file' } as never])
  const turned = permissionWith([{ source: 'file', tool: 'bash', permit: 'deny' } as never])
  expect([samePolicy(recorded, one), samePolicy(one, turned), samePolicy(null, one)]).toEqual([false, true, false])
})
