import type { AgentEvent } from '@loader/agent'
import { expect, test } from 'vitest'
import { Thoughts } from '../../src/screen/thoughts.ts'

const place = { seq: 1, at: '2026-01-01T00:00:00.000Z' }
const asked: AgentEvent = { type: 'model.asked', ...place, requestId: 'r', purpose: 'answer', attempt: 1 }
const thinks = (text: string): AgentEvent => ({ type: 'delta.reasoning', requestId: 'r', text })
const says = (text: string): AgentEvent => ({ type: 'delta.text', requestId: 'r', text })
const answered = (...texts: readonly string[]): AgentEvent => ({
  type: 'model.answered',
  ...place,
  requestId: 'r',
  content: [...texts.map((text) => ({ type: 'reasoning' as const, text })), { type: 'text', text: 'Done.' }],
  finishReason: 'stop',
})

function shown(...events: readonly AgentEvent[]): (string | undefined)[] {
  const thoughts = new Thoughts()
  return events.map((event) => thoughts.see(event))
}

test('thoughts are shown once, when something else begins', () => {
  expect(shown(asked, thinks('I see '), thinks('it.'), says('Do'), says('ne.'), answered('I see it.'))).toEqual([
    undefined,
    undefined,
    undefined,
    'I see it.',
    undefined,
    undefined,
  ])
})

test('thoughts between words are shown between them', () => {
  const events = [asked, thinks('One.'), says('a'), thinks('Two.'), says('b'), answered('One.', 'Two.')]
  expect(shown(...events).filter((text) => text !== undefined)).toEqual(['One.', 'Two.'])
})

test('thoughts that did not stream, or are read from a recording, are those of the answer', () => {
  expect(shown(asked, says('Done.'), answered('Both', 'parts.'))).toEqual([undefined, undefined, 'Both\nparts.'])
  expect(shown(answered('Recorded.'))).toEqual(['Recorded.'])
  expect(shown(asked, answered())).toEqual([undefined, undefined])
})
