import type { Message } from '@loader/session-core'
import { expect, test } from 'vitest'
import { messagesTokens } from '../src/index.ts'

const at = '2026-01-01T00:00:00.000Z'
const said = (id: string, words: number): Message => ({
  id,
  role: 'user',
  origin: 'input',
  content: [{ type: 'text', text: 'word '.repeat(words) }],
  at,
})
const alone = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messagesTokens([structuredClone(message)]), 0)

test('the tokens of a list are those of its messages, whatever list with the same beginning was measured before', () => {
  const list = Array.from({ length: 12 }, (_unused, index) => said(`m${index}`, index + 1))
  const other = said('other', 50)
  const lists = [list, list.slice(0, 5), list.toSpliced(4, 1), list.toSpliced(4, 1, other), list.toReversed(), [], list]
  for (const each of lists) expect(messagesTokens(each)).toBe(alone(each))
})

test('a list that its owner changes after it was measured is measured anew', () => {
  const list = [said('a', 1), said('b', 2)]
  messagesTokens(list)
  list.push(said('c', 3))
  expect(messagesTokens(list)).toBe(alone(list))
  list[1] = said('d', 40)
  expect(messagesTokens(list)).toBe(alone(list))
})

test('of a list that begins like the one before, only what is new is measured', () => {
  const list = Array.from({ length: 300 }, (_unused, index) => said(`m${index}`, 3))
  messagesTokens(list)
  expect(lookupsDuring(() => messagesTokens([...list, said('new', 3)]))).toBeLessThan(5)
})

/** Counted by hand: a spy looks things up itself. */
function lookupsDuring(work: () => void): number {
  const own = Object.getOwnPropertyDescriptor(WeakMap.prototype, 'get') ?? {}
  let count = 0
  const value = function (this: WeakMap<WeakKey, unknown>, key: WeakKey): unknown {
    count += 1
    return own.value.call(this, key)
  }
  Object.defineProperty(WeakMap.prototype, 'get', { ...own, value })
  try {
    work()
  } finally {
    Object.defineProperty(WeakMap.prototype, 'get', own)
  }
  return count
}
