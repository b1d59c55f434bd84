import type { AgentEvent } from '@loader/agent'
import { expect, test } from 'vitest'
import { AnswerText } from '../../src/interactive/answer-text.ts'
import { MarkdownLines } from '../../src/interactive/markdown.ts'

const delta = (text: string, requestId = 'req_1'): AgentEvent => ({ type: 'delta.text', requestId, text })
const place = { seq: 1, at: '2026-01-01T00:00:00.000Z' }

function answered(text: string, requestId = 'req_1'): AgentEvent {
  return { type: 'model.answered', ...place, requestId, content: [{ type: 'text', text }], finishReason: 'stop' }
}

function fresh(): AnswerText {
  return new AnswerText(
    new MarkdownLines(
      (_style, text) => text,
      () => 40,
    ),
  )
}

test('lines are printed once they are whole; the rest is shown as it grows', () => {
  const answer = fresh()
  expect(answer.see(delta('One li'))).toEqual([])
  expect(answer.preview).toEqual(['One li'])
  expect(answer.see(delta('ne.\nTwo'))).toEqual(['One line.'])
  expect(answer.preview).toEqual(['Two'])
  expect(answer.see(answered('One line.\nTwo'))).toEqual(['Two'])
  expect(answer.preview).toEqual([])
})

test('an answer that did not arrive bit by bit is printed as a whole', () => {
  expect(fresh().see(answered('One.\nTwo.'))).toEqual(['One.', 'Two.'])
})

test('blank lines stand between paragraphs, and neither before nor behind the answer', () => {
  const answer = fresh()
  const lines = ['\n\nOne.\n', '\n', 'Two.\n\n\n'].flatMap((text) => answer.see(delta(text)))
  expect([...lines, ...answer.see(answered(''))]).toEqual(['One.', '', 'Two.'])
  expect(answer.see(delta('Next.\n', 'req_2'))).toEqual(['Next.'])
})

test.each<AgentEvent>([
  { type: 'model.interrupted', ...place, requestId: 'req_1', reason: 'cancelled' },
  { type: 'model.failed', ...place, requestId: 'req_1', error: { kind: 'connection', message: 'gone' } },
])('what had come of an answer is kept when it ends in $type', (end) => {
  const answer = fresh()
  answer.see(delta('Half of\n| a | b |\n|---|---|\n| c'))
  expect(answer.see(end)).toEqual(['a  b', '-  -', '| c'])
})
