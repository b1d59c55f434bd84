import { join } from 'node:path'
import type { Approver, PermissionAnswer, PermissionQuestion } from '@loader/session-core/coding'
import { call, line, type ScriptedCall } from '@loader/test-harness'
import { needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { Hook } from '../src/index.ts'
import { hasWalls, lack } from './done/walls-here.ts'
import { waysToWrite } from './hostile/ways-to-write.ts'
import { everythingAround } from './hostile/surroundings.ts'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const task = 'Create hello.txt in the workspace root.'
const plan = (step = 'Write hello.txt') =>
  `## Execution Order\n- ${step}\n## Acceptance Criteria\n- hello.txt says hello\n## Verification Commands\n- \`grep hello hello.txt\``
const write = call('write', { file_path: 'hello.txt', content: 'hello\n' })
const ends = Array.from({ length: 8 }, () => line('hello.txt says hello.'))
const config = { limits: { maxNudges: 0, verificationRetries: 0 } }
const once = (answer: Partial<PermissionAnswer>): PermissionAnswer => ({ permit: 'deny', scope: 'once', ...answer })

/** Somebody who answers questions about plans with these, in order, and allows every call. */
function reader(...answers: readonly PermissionAnswer[]) {
  const asked: PermissionQuestion[] = []
  const approver: Approver = {
    decide: async (question) => {
      if (question.callId !== undefined) return once({ permit: 'allow' })
      asked.push(question)
      return answers[asked.length - 1] ?? once({})
    },
  }
  return { approver, asked }
}

describe('a plan that was asked for', () => {
  test('is shown for approval, and nothing changes before the yes', async () => {
    await using set = await stage(
      [
        line('I look.', call('glob', { pattern: '*' })),
        line('At once.', write),
        line(plan()),
        line('Now.', write),
        ...ends,
      ],
      { config },
    )
    const filesAtQuestion: unknown[] = []
    const approver: Approver = {
      decide: async (question) => {
        expect(question).toMatchObject({ tool: 'plan', preview: plan() })
        expect(question.callId).toBeUndefined()
        filesAtQuestion.push(await set.place.workspace.files())
        return once({ permit: 'allow' })
      },
    }
    await set.agent.run(task, { mode: 'plan', approver })
    expect(filesAtQuestion).toEqual([{}])
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(['ok', 'denied', 'ok'])
    const codes = eventsOf(history, 'workflow.decided').map(({ entry }) => entry.reasonCode)
    expect(codes.slice(0, 2)).toEqual(['explicit_request', 'plan_approved'])
    expect(set.agent.session.state).toMatchObject({ todos: [{ text: 'Write hello.txt' }], mode: 'execute' })
    const offered = set.backend.requests.map(({ tools }) => tools.some(({ name }) => name === 'write'))
    expect(offered.slice(0, 4)).toEqual([false, false, false, true])
    expect(JSON.stringify(set.backend.requests[3]?.messages)).toContain('[PLAN APPROVED]')
  })

  test('is carried out with the changes that came with the yes', async () => {
    await using set = await stage([line(plan()), line('Now.', write), ...ends], { config })
    const { approver } = reader(once({ permit: 'allow', reason: 'keep the old name' }))
    await set.agent.run(task, { mode: 'plan', approver })
    expect(JSON.stringify(set.backend.requests[1]?.messages)).toMatch(/come before the plan: keep the old name/)
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
  })

  test('is written anew after a no with words', async () => {
    await using set = await stage(
      [line(plan()), line('So.', write), line(plan('Write it twice')), line('Now.', write), ...ends],
      { config },
    )
    const { approver, asked } = reader(once({ reason: 'twice, please' }), once({ permit: 'allow' }))
    await set.agent.run(task, { mode: 'plan', approver })
    expect(asked.map(({ preview }) => preview)).toEqual([plan(), plan('Write it twice')])
    expect(JSON.stringify(set.backend.requests[1]?.messages)).toMatch(/PLAN NOT APPROVED.*twice, please/)
    expect(eventsOf(await set.expectWhole(), 'tool.finished').map(({ outcome }) => outcome)).toEqual(['denied', 'ok'])
  })

  test('ends with a no, and the session stays at planning until another mode is asked for', async () => {
    await using set = await stage(
      [line(plan()), line('At once.', write), line(plan('Another')), line('Now.', write), ...ends],
      { config },
    )
    const { approver, asked } = reader(once({}), once({}))
    expect(await set.agent.run(task, { mode: 'plan', approver })).toMatchObject({
      reason: 'turn_complete',
      verdict: null,
    })
    await set.agent.run('Then make it another way, in hello.txt.', { approver })
    expect(asked).toHaveLength(2)
    expect(await set.place.workspace.files()).toEqual({})
    await set.agent.run('Carry it out.', { approver, mode: 'execute' })
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
  })

  test('ends the turn where nobody can approve it; it is carried out when a run in another mode says so', async () => {
    await using set = await stage(
      [line('At once.', write), line(plan()), line('Again.', write), line(plan()), line('Now.', write), ...ends],
      { config },
    )
    const first = await set.agent.run(task, { mode: 'plan', doneWhen: [{ command: 'grep hello hello.txt' }] })
    expect(first).toMatchObject({ reason: 'turn_complete', response: plan(), verdict: null, end: null })
    await set.agent.run(task)
    expect(await set.place.workspace.files()).toEqual({})
    const history = await set.expectWhole()
    expect(eventsOf(history, 'check.started')).toEqual([])
    expect(eventsOf(history, 'plan.written')).toHaveLength(1)
    await set.agent.run(task, { mode: 'execute' })
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
    expect(JSON.stringify(set.backend.requests[4]?.messages)).toMatch(/PLAN APPROVED.*WORKFLOW BRIDGE/)
  })

  test('is asked about again by the next process', async () => {
    await using set = await stage([line(plan()), line('Now.', write), ...ends], { config })
    const never: Approver = { decide: () => new Promise(() => undefined) }
    const asked = new Promise<void>((resolve) => {
      const running = set.agent.run(task, {
        mode: 'plan',
        approver: never,
        onEvent: ({ type }) => type === 'question.asked' && resolve(),
      })
      // It loses the session to the next process.
      running.catch(() => undefined)
    })
    await asked
    const next = set.place.again()
    await next.resumeSession(set.agent.session.id, { takeover: true })
    const { approver, asked: again } = reader(once({ permit: 'allow' }))
    await next.continue({ approver })
    expect(again).toMatchObject([{ tool: 'plan', preview: plan() }])
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
  })

  test('is still to be approved after the work on it was taken back', async () => {
    await using set = await stage(
      [line(plan()), line('Now.', write), ...ends.slice(0, 1), line('At once.', write), line(plan())],
      {
        config: { ...config, completionCheck: false },
        trees: 'kept',
      },
    )
    await set.agent.run(task, { mode: 'plan' })
    await set.agent.run(task, { mode: 'execute' })
    await set.agent.rewind({ toTurn: 1, files: true })
    expect(await set.place.workspace.files()).toEqual({})
    await set.agent.run('Create hello.txt after all.')
    expect(await set.place.workspace.files()).toEqual({})
  })
})

/** All that could let a call through in other modes. */
const permissive = {
  permissionMode: 'allow',
  rules: ['write', 'edit', 'bash', 'patch'].flatMap((tool) => [{ permit: 'allow', tool } as const]),
} as const
const allowing: Hook = {
  name: 'lets all through',
  on: 'pre_tool',
  run: () => ({ decision: 'continue', permit: 'allow' }),
}
const yes: Approver = {
  decide: async ({ callId }) => (callId === undefined ? once({}) : { permit: 'allow', scope: 'always' }),
}

describe('before a plan is approved', () => {
  const files = { 'notes.txt': 'some\n', 'src/a.ts': 'export const a = 1\n', 'run.sh': 'echo x > made-by-script\n' }

  const attempted = async (calls: readonly ScriptedCall[], walls: 'required' | 'off') => {
    await using set = await stage([...calls.map((one) => line('Now.', one)), line(plan())], {
      files,
      config: {
        ...permissive,
        rules: [...permissive.rules],
        limits: { ...config.limits, maxToolErrors: 500, maxIterations: 500 },
      },
      hooks: [allowing],
      walls: { use: walls },
    })
    const before = await everythingAround(join(set.place.workspace.root, 'notes.txt'))
    await set.agent.run(task, { mode: 'plan', approver: yes })
    expect(await everythingAround(join(set.place.workspace.root, 'notes.txt'))).toEqual(before)
    return eventsOf(await set.place.history(), 'tool.finished').map(({ outcome }) => outcome)
  }

  test(needing(lack, 'nothing is written, whatever the way'), async () => {
    const outcomes = await attempted(waysToWrite, 'required')
    expect(outcomes).toHaveLength(waysToWrite.length)
  })

  test('no command runs without walls, whatever its words', async () => {
    const commands = ['ls', 'cat notes.txt', 'git status', 'echo x > y', 'sh run.sh']
    const calls = commands.map((command) => call('bash', { command }))
    expect(await attempted(calls, 'off')).toEqual(commands.map(() => 'denied'))
  })

  test(needing(lack, 'commands that look do run'), async () => {
    expect(hasWalls).toBe(true)
    expect(
      await attempted(
        [call('bash', { command: 'cat notes.txt' }), call('bash', { command: 'npm --version' })],
        'required',
      ),
    ).toEqual(['ok', 'ok'])
  })
})
