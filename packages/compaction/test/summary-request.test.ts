import { describe, expect, test } from 'vitest'
import { textOf } from '@loader/session-core'
import { messageFaults } from '@loader/test-harness'
import { estimateTokens, planCompaction, summaryRequest } from '../src/index.ts'
import { policyWith } from './policy.ts'
import { Recorder } from './recorder.ts'

const window = { model: 'scripted/model', nativeTools: true, contextWindow: 8192 }

describe('the request for a summary', () => {
  test('shows what is folded, and nothing of what stays', () => {
    const recorder = working('export const a = 1')
    const text = asked(recorder)
    expect(text).toContain(
      'user: Read a.ts.\nassistant: On it.\nassistant calls read {"file_path":"a.ts"}\nread (ok): export',
    )
    expect(text).not.toContain('And now?')
  })

  test('is one message that every provider takes, without tools', () => {
    const { messages, tools } = requestOf(working('x'))
    expect(tools).toEqual([])
    for (const dialect of ['openai', 'anthropic', 'ollama'] as const)
      expect(messageFaults(messages, dialect)).toEqual([])
  })

  test('fits the window, however much is folded', () => {
    for (const result of ['a line of text\n'.repeat(20), 'a line of text\n'.repeat(20_000)]) {
      const recorder = working(result, 40)
      const request = requestOf(recorder)
      expect(estimateTokens(request, { contextWindow: 8192 }).tokens).toBeLessThan(8192)
    }
  })

  test('shortens long texts in the middle before it leaves out old messages', () => {
    const recorder = working(`begin ${'x'.repeat(50_000)} end`)
    expect(asked(recorder)).toMatch(/read \(ok\): begin x+ \[\d+ characters left out\] x+ end/)
    const crowded = new Recorder()
    for (let turn = 0; turn < 300; turn += 1)
      crowded.say(`Question ${turn}`, 'An answer that takes up some room. '.repeat(4))
    const plan = planCompaction(crowded.state)
    const request = plan && summaryRequest(crowded.state, plan, { materialCharacters: 2000 })
    const text = textOf(request?.messages[0]?.content ?? [])
    expect(text).toMatch(/\[\d+ older messages are left out\]/)
    expect(text.length).toBeLessThan(2500)
  })

  test('passes on what the user wants it to dwell on', () => {
    const recorder = working('x')
    expect(asked(recorder, '  Keep the table names.  ')).toMatch(/in particular:\nKeep the table names\.$/)
    expect(asked(recorder)).not.toContain('in particular')
  })
})

function requestOf(recorder: Recorder, instructions?: string) {
  const plan = planCompaction(recorder.state, { minimumGain: -1 })
  if (plan === null) throw new Error('there is something to fold')
  return summaryRequest(recorder.state, plan, instructions === undefined ? {} : { instructions })
}

function asked(recorder: Recorder, instructions?: string): string {
  return textOf(requestOf(recorder, instructions).messages[0]?.content ?? [])
}

function working(result: string, times = 1): Recorder {
  const recorder = new Recorder()
  recorder.record(policyWith({ model: window }))
  for (let turn = 0; turn < times; turn += 1) {
    recorder.begin('Read a.ts.')
    recorder.answer('On it.', [{ name: 'read', input: { file_path: 'a.ts' } }])
    recorder.settle(result)
    recorder.answer('I have read it.')
    recorder.end()
  }
  recorder.say('And now?', 'Nothing.')
  recorder.say('And now?', 'Nothing.')
  return recorder
}
