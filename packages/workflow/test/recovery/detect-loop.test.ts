import type { JsonValue } from '@loader/session-core'
import type { Effect } from '@loader/session-core/coding'
import { expect, test, vi } from 'vitest'
import { detectLoop, type PastCall } from '../../src/recovery/detect-loop.ts'

function call(name: string, effect: Effect, input: JsonValue): PastCall {
  return { name, effect, input }
}

const look = (path: string, offset = 1): PastCall => call('read', 'probe', { file_path: path, offset })
const change = (path: string, content = 'x'): PastCall => call('write', 'write', { file_path: path, content })
const run = (command: string): PastCall => call('bash', 'unknown', { command })
const runs = (names: string): readonly PastCall[] => names.split('').map(run)
const others = (count: number): readonly PastCall[] =>
  Array.from({ length: count }, (_, index) => look(`other${index}.ts`))

const rows: readonly {
  readonly what: string
  readonly calls: readonly PastCall[]
  readonly kind: 'duplicate' | 'sequence' | undefined
}[] = [
  { what: 'no call', calls: [], kind: undefined },
  { what: 'a first look', calls: [look('a')], kind: undefined },
  { what: 'the same look again', calls: [look('a'), look('a')], kind: 'duplicate' },
  { what: 'the same look at another place', calls: [look('a'), look('a', 500)], kind: undefined },
  { what: 'the same look after a change', calls: [look('a'), change('a'), look('a')], kind: undefined },
  { what: 'the same look after a command', calls: [look('a'), run('npm test'), look('a')], kind: undefined },
  { what: 'the same look after seven others', calls: [look('a'), ...others(7), look('a')], kind: 'duplicate' },
  { what: 'the same look after eight others', calls: [look('a'), ...others(8), look('a')], kind: undefined },
  { what: 'the same change again', calls: [change('a'), change('a')], kind: 'duplicate' },
  { what: 'the same change after many looks', calls: [change('a'), ...others(12), change('a')], kind: 'duplicate' },
  { what: 'the same change after another one', calls: [change('a'), change('a', 'y'), change('a')], kind: undefined },
  { what: 'the same command again', calls: [run('npm test'), run('npm test')], kind: undefined },
  { what: 'a course of two, twice', calls: [run('a'), run('b'), run('a'), run('b')], kind: 'sequence' },
  { what: 'a course of five, twice', calls: runs('abcdeabcde'), kind: 'sequence' },
  { what: 'a course of six, twice', calls: runs('abcdefabcdef'), kind: undefined },
  { what: 'a course that differs in its end', calls: [run('a'), run('b'), run('a'), run('c')], kind: undefined },
  { what: 'one command many times', calls: runs('aaaaaa'), kind: undefined },
  {
    what: 'keys in another order',
    calls: [call('grep', 'probe', { pattern: 'x', path: '.' }), call('grep', 'probe', { path: '.', pattern: 'x' })],
    kind: 'duplicate',
  },
]

test.for(rows)('$what: $kind', ({ calls, kind }) => {
  expect(detectLoop(calls)?.kind).toBe(kind)
})

test('the input of a call is put in order once, however many calls are compared with it', () => {
  const past = others(10)
  detectLoop([...past, look('a')])
  const stringify = vi.spyOn(JSON, 'stringify')
  detectLoop([...past, look('b')])
  expect(stringify).toHaveBeenCalledTimes(1)
  stringify.mockRestore()
})
