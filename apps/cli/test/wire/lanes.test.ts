import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './stage/faults.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const files = { 'a.txt': 'Hello\n' }
const read = line('I look.', call('read', { file_path: 'a.txt' }))
const work: readonly WireLine[] = [read, line('It says Hello.')]

const brief = `## Task Statement
- Write b.txt.

## Desired Outcome
- b.txt says what a.txt says.

## In Scope
- b.txt

## Non Goals
- a.txt stays as it is.

## Decision Boundaries
- Ask before any other file is changed.

## Constraints
- None.

## Acceptance Criteria
- grep -q Hello b.txt succeeds.
`

const plan = `## File Changes
- Write b.txt.

## Execution Order
- Write b.txt.

## Risks
- None.

<<<VERIFICATION>>>

## Acceptance Criteria
- grep -q Hello b.txt succeeds.

## Verification Commands
- grep -q Hello b.txt

## Notes
- None.
`

describe.each(sample(protocols, { quick: 2 }))('over %s, behind a turn with calls', (protocol) => {
  test('talk, which has no tools, is acceptable', async () => {
    await using scene = await Scene.set({
      protocol,
      files,
      lines: [...work, line('You are welcome.'), read, line('Still Hello.')],
    })
    await scene.agent.run('What does a.txt say?')
    const { response } = await scene.agent.run('Thanks!')
    expect(response).toBe('You are welcome.')
    expect(scene.asked[2]?.tools).toEqual([])
    expect(JSON.stringify(scene.asked[2]?.messages)).toContain('a.txt')
    await scene.agent.run('And what does a.txt say now?')
    scene.server.assertDone()
    const calls = scene.asked.at(-1)?.messages.flatMap((message) => message.calls)
    expect(calls?.map(({ name }) => name)).toEqual(['read', 'read'])
  })

  test('exploring, which may only look, is acceptable', async () => {
    await using scene = await Scene.set({ protocol, files, lines: [...work, read, line('In a.txt.')] })
    await scene.agent.run('What does a.txt say?')
    const { response } = await scene.agent.explore('Where does it say Hello?')
    scene.server.assertDone()
    expect(response).toBe('In a.txt.')
    expect(scene.asked.at(-1)?.tools.map(({ name }) => name)).not.toContain('write')
  })

  test('a summary that the user asks for, and what follows on it, is acceptable', async () => {
    const lines = [...work, line('## Work so far\n- a.txt says Hello.'), read, line('Still Hello.')]
    const config = { compaction: 'model', limits: { keepLastMessages: 1 } } as const
    await using scene = await Scene.set({ protocol, files: { 'a.txt': 'Hello\n'.repeat(300) }, lines, config })
    await scene.agent.run('What does a.txt say?')
    const { reason } = await scene.agent.compact('Dwell on a.txt.')
    expect(reason).toBe('turn_complete')
    const agent = await scene.again()
    await agent.run('And what does a.txt say now?')
    scene.server.assertDone()
    const { history } = await scene.session()
    expect(eventsOf(history, 'context.compacted').map(({ method }) => method)).toEqual(['model'])
  })

  const done = call('todo_write', { todos: [{ content: 'Write b.txt.', status: 'completed' }] })
  const write = call('write', { file_path: 'b.txt', content: 'Hello\n' })
  const writes = [line('I write it.', write, done), line('b.txt says Hello now.')]

  test('asking back and a brief, with the work behind them, are acceptable', async () => {
    const question = line('One thing first.', call('ask_user', { question: 'What is to be in b.txt?' }))
    const lines = [...work, question, line(brief), ...writes]
    await using scene = await Scene.set({ protocol, files, lines, config: { limits: { clarifyRounds: 1 } } })
    await scene.agent.run('What does a.txt say?')
    const askUser = async () => 'The same as in a.txt.'
    const { reason } = await scene.agent.run('Write b.txt.', { mode: 'clarify', askUser })
    scene.server.assertDone()
    expect(reason).toBe('turn_complete')
    expect(await purposesIn(scene)).toEqual(['answer', 'answer', 'clarify', 'brief', 'answer', 'answer'])
  })

  test('a plan, with its approval and the work behind it, is acceptable', async () => {
    await using scene = await Scene.set({ protocol, files, lines: [...work, line(plan), ...writes] })
    await scene.agent.run('What does a.txt say?')
    const approver = { decide: async () => ({ permit: 'allow' as const, scope: 'once' as const }) }
    const { reason } = await scene.agent.run('Write b.txt.', { mode: 'plan', approver })
    scene.server.assertDone()
    expect(reason).toBe('turn_complete')
    expect(await purposesIn(scene)).toEqual(['answer', 'answer', 'answer', 'answer', 'answer'])
  })
})

async function purposesIn(scene: Scene): Promise<readonly string[]> {
  const { history } = await scene.session()
  return eventsOf(history, 'model.asked').map(({ purpose }) => purpose)
}
