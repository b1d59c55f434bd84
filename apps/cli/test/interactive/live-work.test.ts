import type { AgentEvent } from '@loader/agent'
import { describe, expect, test } from 'vitest'
import { LiveWork } from '../../src/interactive/live-work.ts'
import { glyphsFor } from '../../src/screen/glyphs.ts'
import { Seen } from '../../src/screen/seen.ts'

const place = { seq: 1, at: '2026-01-01T00:00:00.000Z' }
const call = { id: 'call_1', name: 'bash', input: { command: 'npm test' } }

function after(...events: readonly AgentEvent[]): LiveWork {
  const live = new LiveWork()
  const seen = new Seen()
  for (const event of events) {
    seen.see(event)
    live.see(event, seen)
  }
  return live
}

const asked: AgentEvent = { type: 'model.asked', ...place, requestId: 'req_1', purpose: 'answer', attempt: 1 }
const answered: AgentEvent = {
  type: 'model.answered',
  ...place,
  requestId: 'req_1',
  content: [{ type: 'call', call }],
  finishReason: 'tool-calls',
}
const started: AgentEvent = { type: 'tool.started', ...place, callId: 'call_1' }

describe('what goes on is said in a few words', () => {
  test.each<[string, AgentEvent[], string]>([
    ['nothing', [], ''],
    ['a request', [asked], 'thinking'],
    ['a request for a plan', [{ ...asked, purpose: 'plan' } as AgentEvent], 'writing a plan'],
    [
      'a model that loads',
      [asked, { type: 'delta.status', message: 'Waiting for it (5 s)…' }],
      'Waiting for it (5 s)…',
    ],
    ['an answer', [asked, { type: 'delta.text', requestId: 'req_1', text: 'x' }], 'answering'],
    [
      'a call that is written',
      [asked, { type: 'delta.call', requestId: 'r', index: 0, name: 'edit', text: '{' }],
      'writing a call of edit',
    ],
    ['a call that runs', [asked, answered, started], 'running bash'],
    [
      'a check',
      [{ type: 'check.started', ...place, runId: 'r', checkId: 'c', command: 'npm test', cwd: '.' } as AgentEvent],
      'checking npm test',
    ],
    [
      'a question',
      [{ type: 'question.asked', ...place, questionId: 'q', kind: 'permit', text: 'x' }],
      'waiting for you',
    ],
    ['a stop', [started, { type: 'stop.requested', ...place, turnId: 't', by: 'user' }], 'stopping'],
    ['an answer that is over', [asked, answered], ''],
  ])('%s', (_name, events, doing) => {
    expect(after(...events).doing).toBe(doing)
  })
})

const look = { paint: (_style: unknown, text: string) => text, glyphs: glyphsFor({ environment: {} }) }

test('the last of what a command prints can be seen below it while it runs, and not any more when it has ended', () => {
  const output = (text: string): AgentEvent => ({ type: 'delta.output', callId: 'call_1', text })
  const live = after(answered, started, output('one\ntwo\n\nthr'), output('ee\nfour \x1b[31mred\n'))
  expect(live.rows(10, { ...look, columns: 40 })).toEqual([
    '● bash npm test',
    '    two',
    '    three',
    '    four \\x1b[31mred',
  ])
  expect(live.rows(3, { ...look, columns: 15 })).toEqual(['● bash npm te…', '    \\x1b[31mre', '    d'])
  live.see({ type: 'tool.finished', ...place, callId: 'call_1', outcome: 'ok', text: '' }, new Seen())
  expect(live.rows(10, { ...look, columns: 40 })).toEqual([])
})

test('calls that run at once each have the end of their own output, in the rows that there are', () => {
  const calls = [1, 2, 3].map((number) => ({ ...call, id: `call_${number}`, input: { command: `part ${number}` } }))
  const live = after(
    { ...answered, content: calls.map((one) => ({ type: 'call', call: one })) } as AgentEvent,
    ...calls.flatMap(({ id }): AgentEvent[] => [
      { ...started, callId: id } as AgentEvent,
      { type: 'delta.output', callId: id, text: `output of ${id}\nand more` },
    ]),
  )
  expect(live.doing).toBe('running 3 calls')
  expect(live.rows(6, { ...look, columns: 40 })).toEqual([
    '● bash part 1',
    '    and more',
    '● bash part 2',
    '    and more',
    '● bash part 3',
    '    and more',
  ])
  expect(live.rows(2, { ...look, columns: 40 })).toEqual(['● bash part 1', '  and 2 more'])
})

test('of thoughts without a line break the end is shown', () => {
  const live = after(asked, {
    type: 'delta.reasoning',
    requestId: 'req_1',
    text: 'so many words that there is no end to them',
  })
  expect(live.rows(1, { ...look, columns: 25 })).toEqual(['    them'])
})

test('nothing in the title of a call can steer the terminal', () => {
  const evil = { ...call, input: { command: '\x1b[2Jx\u202e\u009b31m\nnext' } }
  const live = after({ ...answered, content: [{ type: 'call', call: evil }] } as AgentEvent, started)
  for (const row of live.rows(5, { ...look, columns: 60 })) expect(row).not.toMatch(/\p{C}/u)
})
