import type { History } from '@loader/session-core'
import { expect, expectTypeOf, test } from 'vitest'
import type { LoaderMatchers } from '../../src/vitest.ts'

declare const history: History

test('the matchers have types', async () => {
  expectTypeOf<LoaderMatchers<void>['toHaveEvents']>().parameters.toEqualTypeOf<[lines: readonly string[]]>()
  expectTypeOf(expect(history).toHaveEvents([])).toEqualTypeOf<void>()
  expect([]).toHaveNoHistoryFaults('anthropic', { rules: { thinkingFirst: 'on' } })
  expectTypeOf(await expect(Promise.reject(new Error())).rejects.toBeLoaderError('session_busy', /held/)).toBeVoid()

  // @ts-expect-error no such code
  expect(new Error()).toBeLoaderError('no_such_code')
  // @ts-expect-error no such dialect
  expect([]).toHaveNoHistoryFaults('latin')
  // @ts-expect-error no such rule
  expect([]).toHaveNoHistoryFaults('openai', { rules: { noSuchRule: 'off' } })
})
