import type { AskUser, UserQuestion } from '@loader/session-core/coding'
import { call, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const vague = 'Improve it somehow so it feels better.'
const files = { 'greet.txt': 'hello\n' }

const brief = [
  '## Task Statement',
  '- Improve the greeting',
  '## Desired Outcome',
  '- greet.txt says good morning',
  '## In Scope',
  '- greet.txt',
  '## Non Goals',
  '- no other file',
  '## Decision Boundaries',
  '- ask before deleting',
  '## Constraints',
  '- plain text',
  '## Likely Touchpoints',
  '- greet.txt',
  '## Assumptions',
  '- English',
  '## Acceptance Criteria',
  '- greet.txt holds good morning',
].join('\n')
const question = line(
  call('ask_user', { question: 'Which greeting do you want in greet.txt?', options: ['good morning', 'good evening'] }),
)
const work = line('I write it.', call('write', { file_path: 'greet.txt', content: 'good morning\n' }))
const done = Array.from({ length: 6 }, () => line('greet.txt says good morning.'))

/** Somebody who says the same to every question, and keeps what was asked. */
function user(answer: string | undefined): { readonly askUser: AskUser; readonly asked: UserQuestion[] } {
  const asked: UserQuestion[] = []
  return {
    asked,
    askUser: async (one) => {
      asked.push(one)
      return answer
    },
  }
}
const answer =
  'Only the word good morning in greet.txt; leave every other file unchanged, and stop and ask before deleting.'

describe('a task that is not clear', () => {
  test('is asked about, written down, and then done', async () => {
    await using set = await stage([question, { text: brief }, work, ...done], { files })
    const { askUser, asked } = user(answer)
    const result = await set.agent.run(vague, { askUser })
    expect(result.reason).toBe('turn_complete')
    expect(asked).toMatchObject([
      {
        text: expect.stringContaining('Which greeting'),
        options: [{ label: 'good morning' }, { label: 'good evening' }],
      },
    ])
    const history = await set.expectWhole()
    expect(
      eventsOf(history, 'model.asked')
        .map(({ purpose }) => purpose)
        .slice(0, 3),
    ).toEqual(['clarify', 'brief', 'answer'])
    const codes = eventsOf(history, 'workflow.decided').map(({ entry }) => entry.reasonCode)
    expect(codes[0]).toBe('task_is_ambiguous')
    expect(codes.some((code) => code.startsWith('post_clarify_'))).toBe(true)
    expect(set.agent.session.state?.brief).not.toBeNull()
    expect(JSON.stringify(set.backend.requests[2]?.messages)).toContain('[WORKFLOW BRIDGE]')
    expect(set.backend.requests[0]?.tools.map(({ name }) => name)).toEqual(['ask_user'])
  })

  test('is simply done in a non-interactive run', async () => {
    await using set = await stage([work, ...done], { files })
    await set.agent.run(vague)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'question.asked')).toEqual([])
    expect(eventsOf(history, 'model.asked').map(({ purpose }) => purpose)).not.toContain('clarify')
    expect(await set.place.workspace.files()).toEqual({ 'greet.txt': 'good morning\n' })
  })

  test('never hangs when a mode requires questions in a non-interactive run', async () => {
    await using set = await stage([question, { text: brief }, question, { text: brief }, work, ...done], { files })
    const result = await set.agent.run(vague, { mode: 'clarify' })
    expect(result.reason).toBe('turn_complete')
    const history = await set.expectWhole()
    expect(eventsOf(history, 'question.answered').every(({ outcome }) => outcome === 'unanswered')).toBe(true)
    expect(eventsOf(history, 'question.asked').length).toBeGreaterThan(0)
  })

  test('goes on without an answer that the user does not give', async () => {
    await using set = await stage([question, { text: brief }, question, { text: brief }, work, ...done], { files })
    const { askUser, asked } = user(undefined)
    expect(await set.agent.run(vague, { askUser })).toMatchObject({ reason: 'turn_complete' })
    expect(asked.length).toBeGreaterThan(0)
    await set.expectWhole()
  })

  test('is asked about in words by a model without calls of its own', async () => {
    const config = { nativeTools: false }
    const inWords = line('Which greeting do you want in greet.txt?')
    const written = line(
      '<tool_call>{"name": "write", "arguments": {"file_path": "greet.txt", "content": "good morning\\n"}}</tool_call>',
    )
    await using set = await stage([inWords, { text: brief }, written, ...done], { files, config })
    const { askUser, asked } = user(answer)
    await set.agent.run(vague, { askUser })
    expect(asked).toMatchObject([{ text: 'Which greeting do you want in greet.txt?' }])
    expect(set.backend.requests.every(({ tools }) => tools.length === 0)).toBe(true)
    expect(
      set.backend.requests
        .flatMap(({ messages }) => messages.flatMap(({ content }) => content))
        .every(({ type }) => type === 'text'),
    ).toBe(true)
    expect(set.backend.requests[0]?.system).toContain('in plain words')
    await set.expectWhole()
  })
})

describe('a model that shall ask one question', () => {
  const asked = async (lines: readonly ScriptLine[]) => {
    const set = await stage([...lines, { text: brief }, work, ...done], { files })
    const someone = user(answer)
    await set.agent.run(vague, { askUser: someone.askUser })
    return { set, asked: someone.asked }
  }

  test('and calls something else changes nothing, and is told to ask', async () => {
    const early = line('I just do it.', call('write', { file_path: 'greet.txt', content: 'too early\n' }))
    const { set, asked: questions } = await asked([early, question])
    await using _ = set
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished')[0]).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('There are: ask_user'),
    })
    expect(questions).toHaveLength(1)
    expect(JSON.stringify(history)).not.toContain('"before":"too')
    expect(eventsOf(history, 'tool.started')).toHaveLength(2)
  })

  test('and says nothing is asked once more', async () => {
    const { set, asked: questions } = await asked([{ text: '', finishReason: 'stop' }, question])
    await using _ = set
    expect(questions).toMatchObject([{ text: expect.stringContaining('Which greeting') }])
    expect(set.backend.requests.slice(0, 3).map(({ purpose }) => purpose)).toEqual(['clarify', 'clarify', 'brief'])
    await set.expectWhole()
  })

  test('and never does has a question asked for it, or none, but comes to the work', async () => {
    const nothing: ScriptLine = { text: '', finishReason: 'stop' }
    const { set } = await asked([nothing, nothing])
    await using _ = set
    expect(set.backend.requests.slice(0, 3).map(({ purpose }) => purpose)).toEqual(['clarify', 'clarify', 'brief'])
    expect(await set.place.workspace.files()).toEqual({ 'greet.txt': 'good morning\n' })
    await set.expectWhole()
  })

  test('and makes no question in words has a grounded one asked', async () => {
    const { set, asked: questions } = await asked([line('I would like to know more.')])
    await using _ = set
    expect(questions).toHaveLength(1)
    expect(questions[0]?.text).toMatch(/\?$/)
    await set.expectWhole()
  })
})

describe('a question of the work', () => {
  const ask = line('I ask.', call('ask_user', { question: 'Which one?' }))

  test.for(['workspace-write', 'prompt', 'read-only'] as const)(
    'reaches the user in mode %s without a permission',
    async (permissionMode) => {
      await using set = await stage([ask, line('Then the second one.')], {
        config: { permissionMode, completionCheck: false },
      })
      const { askUser, asked } = user('the second')
      await set.agent.run('Explain what this project does.', { askUser })
      expect(asked).toHaveLength(1)
      const history = await set.expectWhole()
      expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'ok', text: 'the second' }])
      expect(eventsOf(history, 'question.asked').map(({ kind }) => kind)).toEqual(['question'])
    },
  )

  test('may be forbidden by a rule', async () => {
    const rules = [{ permit: 'deny', tool: 'ask_user' }] as const
    await using set = await stage([ask, line('Then I decide.')], {
      config: { rules: [...rules], completionCheck: false },
    })
    const { askUser, asked } = user('the second')
    await set.agent.run('Explain what this project does.', { askUser })
    expect(asked).toEqual([])
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
  })

  test('is no at once in a non-interactive run', async () => {
    await using set = await stage([ask, line('Then I decide.')], { config: { completionCheck: false } })
    await set.agent.run('Explain what this project does.')
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([
      { outcome: 'failed', text: expect.stringContaining('this run is non-interactive') },
    ])
  })
})
