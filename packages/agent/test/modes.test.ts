import { call, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { Hook } from '../src/index.ts'
import { ownTool, signalled } from './scene/own-tool.ts'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const work = 'Create hello.txt in the workspace root.'
const write = (content = 'hello\n', file_path = 'hello.txt') => call('write', { file_path, content })

describe('the lane for talk', () => {
  test('has no tools and no plan, and ends with its answer', async () => {
    await using set = await stage([line('Hello! What shall I do?')])
    expect(await set.agent.run('hello')).toMatchObject({
      reason: 'turn_complete',
      response: 'Hello! What shall I do?',
      verdict: null,
    })
    expect(set.backend.requests[0]).toMatchObject({ tools: [], purpose: 'answer' })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'turn.started')).toMatchObject([{ lane: 'chat' }])
    expect(eventsOf(history, 'workflow.decided')).toEqual([])
  })

  test('runs no call that a model makes up', async () => {
    await using set = await stage([line('Sure.', write()), line('I cannot do that here.')])
    expect(await set.agent.run('hello')).toMatchObject({ response: 'I cannot do that here.' })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.started')).toEqual([])
    expect(eventsOf(history, 'tool.finished')).toMatchObject([
      { outcome: 'failed', text: expect.stringContaining('Answer in words') },
    ])
    expect(await set.place.workspace.files()).toEqual({})
  })

  test('tells calls of earlier turns in words, for no tools go with the request', async () => {
    await using set = await stage([line('Now.', write()), line('Done.'), line('You are welcome.')])
    await set.agent.run(work)
    await set.agent.run('thanks')
    const messages = set.backend.requests.at(-1)?.messages ?? []
    expect(messages.flatMap(({ content }) => content).every(({ type }) => type === 'text')).toBe(true)
    expect(JSON.stringify(messages)).toContain('Observation [write]: Result: Created hello.txt')
    await set.expectWhole()
  })

  test('is not used for a message with a mode, a check or a file', async () => {
    const answers = ['One.', 'Two.', 'Three.'].map((text) => line(text))
    await using set = await stage(answers, { config: { completionCheck: false } })
    await set.agent.run('hello', { mode: 'execute' })
    await set.agent.run('hello', { doneWhen: [{ command: 'true' }] })
    expect(eventsOf(await set.expectWhole(), 'turn.started').map(({ lane }) => lane)).toEqual(['main', 'main'])
  })
})

describe('the lane for questions', () => {
  const files = { 'notes.txt': 'some\n' }

  test('looks, and answers', async () => {
    await using set = await stage([line('I look.', call('read', { file_path: 'notes.txt' })), line('It says: some.')], {
      files,
    })
    expect(await set.agent.explore('What is in notes.txt?')).toMatchObject({
      reason: 'turn_complete',
      response: 'It says: some.',
    })
    const offered = set.backend.requests[0]?.tools.map(({ name }) => name)
    expect(offered).toEqual(['read', 'glob', 'grep', 'git'])
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'ok' }])
    expect(eventsOf(history, 'check.started')).toEqual([])
  })

  test.for([
    ['a write', write()],
    ['an edit', call('edit', { file_path: 'notes.txt', old_string: 'some', new_string: 'none' })],
    ['a command that changes', call('bash', { command: 'rm notes.txt' })],
    ['a command of the project', call('bash', { command: 'npm test' })],
  ] as const)('changes nothing by %s, whatever the mode and the rules say', async ([, made]) => {
    const config = {
      permissionMode: 'allow',
      rules: [
        { permit: 'allow', tool: 'write' },
        { permit: 'allow', tool: 'bash' },
      ],
    } as const
    await using set = await stage([line('Now.', made), line('I may only look.')], {
      files,
      config: { ...config, rules: [...config.rules] },
    })
    const approver = { decide: async () => ({ permit: 'allow', scope: 'always' }) as const }
    await set.agent.explore('What is in notes.txt?', { approver })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.started')).toEqual([])
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
    expect(await set.place.workspace.files()).toEqual(files)
  })

  test('does not touch the task, and the mode explore leads there', async () => {
    await using set = await stage([line('Now.', write()), line('Done.'), line('It is there.')])
    await set.agent.run(work)
    await set.agent.run('Is hello.txt there?', { mode: 'explore' })
    expect(set.agent.currentTask).toBe(work)
    expect(eventsOf(await set.expectWhole(), 'turn.started').map(({ lane }) => lane)).toEqual(['main', 'explore'])
  })
})

describe('a mode that was asked for', () => {
  const plan = [
    '## File Changes',
    '- hello.txt',
    '## Execution Order',
    '- Write hello.txt',
    '## Risks',
    '- none',
    '<<<VERIFICATION>>>',
    '## Acceptance Criteria',
    '- hello.txt says hello',
    '## Verification Commands',
    '- `grep hello hello.txt`',
  ].join('\n')

  /** Complex enough for the runtime to have a plan written. */
  const complex =
    'Implement a persistent workflow mode router with clarify artifacts, planning artifacts, and verification-plan wiring in the runtime.'

  test('is not needed for a plan: complex work has one written, with todos, which hands over to the work', async () => {
    const lines = [
      { text: plan },
      line('By the plan.', write()),
      line(
        'Mark it.',
        call('todo_write', { todos: [{ content: 'Write hello.txt', status: 'completed', active_form: 'Writing' }] }),
      ),
      line('hello.txt says hello.'),
    ]
    await using set = await stage(lines, { trees: 'kept' })
    const result = await set.agent.run(complex)
    expect(result).toMatchObject({ reason: 'turn_complete', verdict: 'present' })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'model.asked').map(({ purpose }) => purpose)).toEqual([
      'plan',
      'answer',
      'answer',
      'answer',
    ])
    expect(eventsOf(history, 'todos.updated')[0]).toMatchObject({
      todos: [{ text: 'Write hello.txt', status: 'pending' }],
    })
    const codes = eventsOf(history, 'workflow.decided').map(({ entry }) => entry.reasonCode)
    expect(codes.slice(0, 2)).toEqual(['task_is_complex', 'plan_artifacts_created'])
    expect(set.agent.session.state?.plan).not.toBeNull()
    expect(JSON.stringify(set.backend.requests[1]?.messages)).toContain('[WORKFLOW BRIDGE]')
    expect(set.backend.requests[0]).toMatchObject({ purpose: 'plan', tools: [] })
  })

  test('and it goes on with a plan of its own when the model writes none', async () => {
    await using set = await stage([
      { text: '', finishReason: 'stop' },
      line('Now.', write()),
      ...Array.from({ length: 8 }, () => line('It is there.')),
    ])
    await set.agent.run(complex)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'plan.written')[0]).toMatchObject({ plan: { steps: [complex] } })
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
  })

  test('execute does not plan what looks complex', async () => {
    await using set = await stage([line('Now.', write('x\n', 'router.txt')), line('Done.')])
    await set.agent.run(complex, { mode: 'execute' })
    expect(eventsOf(await set.expectWhole(), 'model.asked').map(({ purpose }) => purpose)).toEqual(['answer', 'answer'])
  })

  test('in the settings holds for every turn', async () => {
    await using set = await stage(
      [{ text: plan }, line('Now.', write()), ...Array.from({ length: 8 }, () => line('It is there.'))],
      {
        config: { workflowMode: 'plan' },
      },
    )
    await set.agent.run(work)
    expect(eventsOf(await set.expectWhole(), 'plan.written')).toHaveLength(1)
  })

  test('between turns stays until a task is routed', async () => {
    await using set = await stage([])
    await set.agent.setWorkflowMode('plan')
    expect(set.agent.workflowMode).toBe('plan')
  })
})

describe('calls of one answer', () => {
  test('that only look run at the same time, and their results stand in the order of the calls', async () => {
    let inside = 0
    let most = 0
    const all = signalled()
    const tool = ownTool('gadget', {
      run: async ({ note }) => {
        inside += 1
        most = Math.max(most, inside)
        if (inside === 3) all.reach()
        // Nobody goes on before all of them are there.
        await all.reached
        return { outcome: 'ok', text: `saw ${note}` }
      },
    })
    const looks = ['one', 'two', 'three'].map((note) => call('gadget', { note }))
    await using set = await stage([line('All.', ...looks), line('Seen.')], { tools: [tool] })
    await set.agent.run('Explain what this project does.')
    expect(most).toBe(3)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished').map(({ text }) => text)).toEqual(['saw one', 'saw two', 'saw three'])
  })

  test('that may change something run one after the other, and what looks waits for what was before it', async () => {
    const order: string[] = []
    const made = (name: string, effect: 'probe' | 'unknown') =>
      ownTool(name, {
        effect,
        run: async ({ note }) => {
          order.push(`${note} begins`)
          await new Promise((resolve) => setImmediate(resolve))
          order.push(`${note} ends`)
          return { outcome: 'ok', text: note }
        },
      })
    const calls = [
      call('look', { note: 'a' }),
      call('act', { note: 'b' }),
      call('act', { note: 'c' }),
      call('look', { note: 'd' }),
    ]
    await using set = await stage([line('All.', ...calls), line('Seen.')], {
      tools: [made('look', 'probe'), made('act', 'unknown')],
      config: { permissionMode: 'allow' },
    })
    await set.agent.run('Use the gadgets of this project.')
    expect(order).toEqual(['a', 'b', 'c', 'd'].flatMap((note) => [`${note} begins`, `${note} ends`]))
    await set.expectWhole()
  })

  test('are looked at only when those before them are done', async () => {
    const lines = [
      line(
        'All.',
        write('first\n'),
        call('edit', { file_path: 'hello.txt', old_string: 'first', new_string: 'second' }),
      ),
      line('Done.'),
    ]
    await using set = await stage(lines)
    await set.agent.run(work)
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'second\n' })
    await set.expectWhole()
  })

  test('that cannot be parsed are answered, and the others run', async () => {
    const lines = [
      line('All.', call('read', {}, { raw: '{"file_path": ' }), call('gadget', [1, 2]), call('glob', { pattern: '*' })),
      line('Seen.'),
    ]
    await using set = await stage(lines, { files: { 'a.txt': 'a' } })
    await set.agent.run('Explain what this project does.')
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished')).toMatchObject([
      { outcome: 'failed', text: expect.stringContaining('not JSON') },
      { outcome: 'failed', text: expect.stringContaining('no tool called gadget') },
      { outcome: 'ok' },
    ])
  })

  test('with one id for two of them are two calls', async () => {
    const twice = {
      ...line('All.', call('read', { file_path: 'a.txt' }), call('glob', { pattern: '*' })),
      fault: { type: 'duplicate_call_id' } as const,
    }
    await using set = await stage([twice, line('Seen.')], { files: { 'a.txt': 'a' } })
    await set.agent.run('Explain what this project does.')
    expect(eventsOf(await set.expectWhole(), 'tool.finished').map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
  })
})

describe('a model that turns in circles', () => {
  test('is told instead of shown the same look again', async () => {
    const again: readonly ScriptLine[] = [1, 2].map(() => line('I read.', call('read', { file_path: 'a.txt' })))
    await using set = await stage([...again, line('It says a.')], { files: { 'a.txt': 'a' } })
    await set.agent.run('Explain what this project does.')
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([
      { outcome: 'ok' },
      { outcome: 'denied', text: expect.stringContaining('[Skipped - duplicate action') },
    ])
  })

  test('may look again once something has changed', async () => {
    const lines = [
      line('I read.', call('read', { file_path: 'hello.txt' })),
      line('I write.', write('changed\n')),
      line('I read.', call('read', { file_path: 'hello.txt' })),
      line('It is changed.'),
    ]
    await using set = await stage(lines, { files: { 'hello.txt': 'hello\n' } })
    await set.agent.run('Change hello.txt.')
    expect(eventsOf(await set.expectWhole(), 'tool.finished').map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  })

  test('with the same course of calls is stopped', async () => {
    const course = [call('bash', { command: 'ls a.txt' }), call('bash', { command: 'cat a.txt' })]
    const lines = Array.from({ length: 8 }, () => line('Again.', ...course))
    await using set = await stage(lines, { files: { 'a.txt': 'a' } })
    const result = await set.agent.run('Explain what this project does.')
    expect(result.reason).toBe('tool_batch_halted')
    expect(JSON.stringify(await set.expectWhole())).toContain('[Blocked - the same 2 calls twice in a row')
  })

  test('whose calls fail three times in a row is stopped', async () => {
    const lines = ['x', 'y', 'z', 'w'].map((name) => line('I try.', call('read', { file_path: `${name}.txt` })))
    await using set = await stage(lines)
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({ reason: 'tool_batch_halted' })
    await set.expectWhole()
  })

  test('that says the same for the third time is stopped', async () => {
    const lines = Array.from({ length: 6 }, () => line('I will now create the file that you want.'))
    const hook: Hook = { name: 'never', on: 'stop', run: () => ({ decision: 'deny', message: 'go on' }) }
    await using set = await stage(lines, { hooks: [hook] })
    expect(await set.agent.run(work)).toMatchObject({ reason: 'text_loop_bailout', verdict: null })
    await set.expectWhole()
  })

  test('and never ends is stopped by its budget', async () => {
    const lines = Array.from({ length: 5 }, (_, index) => line('Next.', write(`${index}\n`)))
    await using set = await stage(lines, { config: { limits: { maxIterations: 5 } } })
    expect(await set.agent.run(work)).toMatchObject({ reason: 'iteration_budget_exhausted', verdict: 'unverified' })
    await set.expectWhole()
  })
})

describe('an answer', () => {
  test('that is empty is asked for again, and the model is told', async () => {
    await using set = await stage([{ text: '  \n' }, { text: '', finishReason: 'stop' }, line('It does nothing.')])
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({
      reason: 'turn_complete',
      response: 'It does nothing.',
    })
    expect(JSON.stringify(set.backend.requests[1]?.messages)).toContain('[EMPTY ASSISTANT RESPONSE]')
    await set.expectWhole()
  })

  test('that is always empty ends the turn', async () => {
    const empty: ScriptLine = { text: '', finishReason: 'stop' }
    await using set = await stage([empty, empty, empty, line('You are welcome.')], {
      config: { limits: { maxEmptyAnswers: 2 } },
    })
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({
      reason: 'empty_response_retry_exhausted',
      response: '',
    })
    expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
    await set.expectWhole()
  })

  test('with a call and no text is not empty', async () => {
    await using set = await stage([line(write()), line('Done.')])
    expect(await set.agent.run(work)).toMatchObject({ reason: 'turn_complete' })
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
    await set.expectWhole()
  })

  test('that reached its length is gone on with where it ended', async () => {
    const long: ScriptLine = { text: 'It begins with', finishReason: 'length' }
    await using set = await stage([long, line('and ends with this.')])
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({ reason: 'turn_complete' })
    expect(JSON.stringify(set.backend.requests[1]?.messages)).toContain('[ANSWER CUT OFF]')
    expect(set.agent.messages.filter(({ role }) => role === 'assistant')).toHaveLength(2)
    await set.expectWhole()
  })

  test('that the provider withheld ends the turn', async () => {
    await using set = await stage([{ text: 'I', finishReason: 'content-filter' }])
    expect(await set.agent.run('Explain what this project does.')).toMatchObject({ reason: 'content_filtered' })
    await set.expectWhole()
  })
})
