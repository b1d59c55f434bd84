import { expect } from 'vitest'
import {
  fromModelMessages,
  type ImportedMessages,
  Message,
  type ModelMessageShape,
  pairingFault,
  toModelMessages,
} from '../src/index.ts'
import { fixedEnvironment } from './fixed-environment.ts'
import { at } from './sample-messages.ts'

export const shapes: readonly ModelMessageShape[] = ['openai', 'ai-sdk']

/** What a session with fixed ids and times takes over. */
export function take(messages: readonly unknown[], shape: ModelMessageShape): ImportedMessages {
  const environment = fixedEnvironment()
  return fromModelMessages(messages, shape, { newId: (prefix) => environment.newId(prefix), at })
}

export function give(messages: Iterable<Message>, shape: ModelMessageShape): unknown[] {
  return shape === 'openai' ? toModelMessages(messages, shape) : toModelMessages(messages, shape)
}

export function thereAndBack(messages: readonly unknown[], shape: ModelMessageShape): unknown[] {
  const taken = take(messages, shape)
  expect(taken.losses).toEqual([])
  expectSound(taken)
  return give(taken.messages, shape)
}

/** What holds of every import: the messages are valid, made for this session, and paired. */
export function expectSound({ messages }: ImportedMessages): void {
  expect(pairingFault(messages)).toBeUndefined()
  for (const message of messages) {
    expect(Message.safeParse(message).error).toBeUndefined()
    expect(message).toMatchObject({ origin: 'import', at })
  }
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
  const calls = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'call' ? [part.call.id] : [])),
  )
  expect(new Set(calls).size).toBe(calls.length)
}
