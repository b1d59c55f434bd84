import { type EventInput, Session } from '@loader/session-core'
import { storeIn } from './written/store-in.ts'
import { call, fixedEnvironment, line, temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { WhyOutput } from '@loader/readings'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, openSession, startedCall, writtenSession } from './written/written-session.ts'

async function why(root: string) {
  const { out } = await loader(['why'], { folder: root, columns: 200 })
  const json = await loader(['why', '--json'], { folder: root })
  return { out, json: WhyOutput.parse(JSON.parse(json.out)) }
}

describe('a turn that has ended', () => {
  test('verified needs nothing more', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    const { out, json } = await why(workspace.root)
    expect(json).toMatchObject({
      situation: 'ended',
      turn: { reason: 'turn_complete', verdict: 'verified' },
      missing: [],
      next: [],
    })
    expect(out).toContain('It is done: everything that had to hold was shown by checks.')
    expect(out).toContain('[verified] `grep -q hello hello.txt` succeeds')
    expect(out).toContain('HOW IT WAS JUDGED\n  definition_of_done: complete')
  })

  test('with failed checks says what fails and what to do', async () => {
    await using workspace = await temporaryWorkspace()
    const lines = [
      line('Done.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      ...Array.from({ length: 8 }, () => line('It is done.')),
    ]
    const { id } = await workedSession(workspace, { lines, doneWhen: [{ command: 'false' }] })
    const { out, json } = await why(workspace.root)
    expect(json.turn?.reason).toBe('verification_retry_budget_exhausted')
    expect(out).toContain('The checks failed, and the work was sent back as often as is allowed.')
    expect(out).toContain('[failed] `false` succeeds')
    expect(json.next).toContainEqual(expect.stringContaining('Mend what fails, so that this holds: `false` succeeds'))
    expect(out).toContain(`Go on with: loader -r ${id}`)
  })

  test.each([
    ['interrupted', 'It was stopped before it was done.'],
    ['storage_full', 'no space left'],
    ['iteration_budget_exhausted', '--max-turns'],
    ['model_failed', 'loader models'],
    ['something_new', 'It ended for the reason something_new.'],
  ])('for the reason %s says so in words', async (reason, said) => {
    await using workspace = await temporaryWorkspace()
    const [queued, started, asked, answered] = exchange(1, 'Do it', 'Half done')
    const finished: EventInput = {
      type: 'turn.finished',
      turnId: 'turn_1',
      reason,
      summary: 'In the words of the runtime.',
    }
    await writtenSession(
      workspace.root,
      [queued, started, asked, answered, finished].filter((event) => event !== undefined),
    )
    const { out } = await why(workspace.root)
    expect(out).toContain(said)
    expect(out).toContain('In the words of the runtime.')
  })

  test('lists denied calls, and calls with unknown outcome', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, [
      ...startedCall(1, 'bash', { command: 'make install' }),
      { type: 'tool.finished', callId: 'call_1', outcome: 'unknown', text: 'Cut off.' },
      { type: 'model.asked', requestId: 'req_2', purpose: 'answer', attempt: 1 },
      {
        type: 'model.answered',
        requestId: 'req_2',
        content: [{ type: 'call', call: { id: 'call_2', name: 'bash', input: { command: 'git push' } } }],
        finishReason: 'tool-calls',
      },
      {
        type: 'permission.decided',
        callId: 'call_2',
        permit: 'deny',
        by: 'nobody',
        reason: 'this run is non-interactive',
      },
      { type: 'tool.finished', callId: 'call_2', outcome: 'denied', text: 'No.' },
      { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' },
    ])
    const { json } = await why(workspace.root)
    expect(json.because).toContain('`bash make install` was cut off; it is unknown whether it took effect.')
    expect(json.because).toContain('`bash git push` was not allowed: this run is non-interactive.')
    expect(json.next).toContain('Look whether `bash make install` has taken effect before it is done again.')
  })
})

describe('a turn that is open', () => {
  test('and being worked on says by whom, and what it waits for', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    await session.append(exchange(1, 'Do it', '').slice(0, 3))
    const { json } = await why(workspace.root)
    expect(json).toMatchObject({ situation: 'open', turn: { phase: 'assistant', reason: null } })
    expect(json.writer).toMatch(/^held by process \d+ on .+ \(session\)$/)
    expect(json.because).toContainEqual(
      expect.stringMatching(/^It waits for the model, asked at .*nothing of the answer has arrived/),
    )
    expect(json.next).toEqual(['Let it end there, or stop it there. Reading it here disturbs nothing.'])
  })

  test('and left by its process says what was cut off, and how to go on', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, startedCall(1, 'bash', { command: 'npm test' }))
    const { json } = await why(workspace.root)
    expect(json.writer).toBeNull()
    expect(json.because).toContain('No process is working on it: the one that did ended without finishing the turn.')
    expect(json.because).toContain(
      '`bash npm test` was running when the process ended; whether it took effect has to be found out.',
    )
    expect(json.next.at(-1)).toBe(`Go on where it stopped: loader -r ${id}`)
  })

  test('and waiting for an answer has the question', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    await session.append([
      ...startedCall(1, 'bash', { command: 'git push' }).slice(0, -1),
      { type: 'question.asked', questionId: 'q_1', kind: 'permit', text: 'May it push?', callId: 'call_1' },
    ])
    const { json } = await why(workspace.root)
    expect(json.because).toContain('It waits for an answer of yours: May it push?')
    const id = session.id
    await session.close()
    const { json: left } = await why(workspace.root)
    expect(left.because[0]).toBe('No process has it: the one that asked has ended, and its question waits.')
    expect(left.next).toEqual([`Go on with your answer: loader -r ${id}`])
  })
})

test('a session in which nothing has run yet says so', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, [])
  expect((await why(workspace.root)).json).toMatchObject({
    situation: 'nothing_yet',
    turn: null,
    because: ['No turn has run yet.'],
  })
})

test('a session whose only turn was taken back says so', async () => {
  await using workspace = await temporaryWorkspace()
  const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
  const store = storeIn(workspace.root)
  const session = await Session.load(store, id, { environment: fixedEnvironment() })
  await session.append({ type: 'session.rewound', toSeq: 2, through: null })
  await session.close()
  expect((await why(workspace.root)).json.because).toEqual([
    'What was done last was taken back, and no turn has run since.',
  ])
})
