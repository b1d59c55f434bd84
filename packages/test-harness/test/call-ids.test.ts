import { type Backend, callsOf } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { call, line, ScriptedBackend } from '../src/index.ts'
import { ask, last } from './asking.ts'

describe('the ids of calls', () => {
  const idsOf = async (backend: Backend) => callsOf(last(await ask(backend)).content).map(({ id }) => id)

  test('are those of the script, or counted past them', async () => {
    const backend = new ScriptedBackend(
      line(call('a'), call('b', {}, { id: 'call_2' })),
      line(call('c')),
      line(call('d'), call('e', {}, { id: 'toolu_9' })),
    )
    expect(await idsOf(backend)).toEqual(['call_1', 'call_2'])
    expect(await idsOf(backend)).toEqual(['call_3'])
    expect(await idsOf(backend)).toEqual(['call_4', 'toolu_9'])
  })

  test('can come twice in an answer, or again in a later one', async () => {
    const fault = { type: 'duplicate_call_id' } as const
    const backend = new ScriptedBackend(
      { ...line(call('a'), call('b')), fault },
      line('Nothing is called here.'),
      { ...line(call('c')), fault },
      { ...line(call('d')), fault: { ...fault, id: 'mine' } },
    )
    expect(await idsOf(backend)).toEqual(['call_1', 'call_1'])
    expect(await idsOf(backend)).toEqual([])
    expect(await idsOf(backend)).toEqual(['call_1'])
    expect(await idsOf(backend)).toEqual(['mine'])
  })

  test('cannot repeat what was never there', () => {
    const first = { ...line(call('a')), fault: { type: 'duplicate_call_id' } } as const
    expect(() => new ScriptedBackend(first)).toThrow(
      'Line 1 of the script repeats the id of the call before, but there is none',
    )
  })
})
