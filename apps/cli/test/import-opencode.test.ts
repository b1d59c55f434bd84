import { detectSource } from '@loader/foreign-sessions'
import { historyFaults } from '@loader/test-harness'
import { toModelMessages, turns } from '@loader/session-core'
import { expect, test } from 'vitest'
import { foreignText, imported, saidIn, sourceOf } from './written/foreign.ts'

const whole = 'opencode/three-turns.export.json'

test('three turns of opencode are what was said and done, with what was used', () => {
  const session = imported('opencode', whole)
  expect(saidIn(session)).toEqual([
    'user: "Create hello.txt with one line."',
    'thought: The file is not there yet, so I write it.',
    'model: I write hello.txt.',
    'call: write ok',
    'model: hello.txt is written.',
    'user: "Run check.sh and read hello.txt."',
    'thought: Two things to do at once.',
    'model: I run the check and read the file.',
    'call: bash failed',
    'call: read ok',
    'model: check.sh does not exist; hello.txt holds one line.',
    'user: "Thanks. Sum it up in one sentence."',
    'model: I wrote hello.txt, and the check could not run.',
  ])
  expect(turns(session.events).map(({ reason }) => reason)).toEqual(['turn_complete', 'turn_complete', 'turn_complete'])
  expect(session.state.project?.root).toBe('/workspace')
  expect(session.state.usage).toMatchObject({ inputTokens: 550, cacheReadTokens: 40, requests: 5, toolCalls: 3 })
  expect(historyFaults(toModelMessages(session.state.messages, 'openai'), 'openai')).toEqual([])
})

test('an export of opencode is recognised, also on one line', () => {
  expect(detectSource(sourceOf(foreignText(whole)))).toBe('opencode')
  expect(detectSource(sourceOf(JSON.stringify(JSON.parse(foreignText(whole)))))).toBe('opencode')
})

test('a call of opencode that was aborted is interrupted, and one that was ended without an exit code is unknown', () => {
  const call = (state: object) => {
    const document = {
      info: { id: 'ses_1', directory: '/w', time: { created: 1795053495000 } },
      messages: [
        { info: { id: 'm1', role: 'user' }, parts: [{ type: 'text', text: 'Run it.' }] },
        { info: { id: 'm2', role: 'assistant' }, parts: [{ type: 'tool', tool: 'bash', callID: 'c1', state }] },
      ],
    }
    return saidIn(imported('opencode', sourceOf(JSON.stringify(document)))).at(-1)
  }
  expect(call({ status: 'error', error: 'Tool execution aborted', input: {} })).toBe('call: bash interrupted')
  expect(call({ status: 'completed', output: '', metadata: { exit: null }, input: {} })).toBe('call: bash unknown')
  expect(call({ status: 'completed', output: '', metadata: { exit: 2 }, input: {} })).toBe('call: bash failed')
  expect(call({ status: 'error', error: 'No such file.', input: {} })).toBe('call: bash failed')
})
