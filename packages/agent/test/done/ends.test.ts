import { call, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/index.ts'
import { scene, type SceneOptions } from '../scene/scene.ts'

const config = { permissionMode: 'allow' } as const
const finish = (how: string, more: object = {}) => call('finish', { how, summary: 'So it is.', ...more })

async function endOf(task: string, lines: readonly ScriptLine[], options: Partial<SceneOptions> = {}) {
  await using stage = await scene({ lines, config, statements: 'wanted', ...options })
  const result = await stage.agent.run(task)
  return { ...result, requests: stage.agent.session.state?.lastTurn?.spent.iterations }
}

describe('a turn that changes nothing', () => {
  const tasks = [
    'Explain what this project does.',
    'Erkläre, was dieses Projekt tut.',
    'Corrige la suma y ejecuta las pruebas.',
    'Исправь сумму.',
    '合計を直してください。',
    'Corrigez la fonction de somme.',
    'Popraw funkcję sumy w projekcie.',
    'إصلاح الدالة في المشروع',
    'The sum is wrong, and the tests of the project say so.',
    'Could somebody have a look at the sum in this project?',
  ]

  test.for(tasks)('is answered, whatever was asked: %s', async (task) => {
    const { end, verdict, response, requests } = await endOf(task, [line('I fixed it, all tests pass.')])
    expect(end).toMatchObject({ how: 'answered', changed: false })
    expect({ verdict, response }).toEqual({ verdict: null, response: 'I fixed it, all tests pass.' })
    expect(requests).toBe(2)
  })

  test('is not asked about when the model has said how it ended', async () => {
    const { end, requests, response } = await endOf('Fix the sum.', [line('It was right.', finish('answered'))])
    expect(end).toMatchObject({ how: 'answered', changed: false, summary: 'So it is.' })
    expect({ requests, response }).toEqual({ requests: 1, response: 'It was right.' })
  })

  test('is blocked when the model says so', async () => {
    const { end } = await endOf('Fix the sum.', [line('I may not.', finish('blocked', { left: 'all of it' }))])
    expect(end).toMatchObject({ how: 'blocked', changed: false, left: 'all of it' })
  })

  test('goes on when the model has more to do after it was asked', async () => {
    const write = call('write', { file_path: 'a.txt', content: 'a\n' })
    const { end, response } = await endOf('Write a.', [line('I will.'), line('', write, finish('done'))])
    expect(end).toMatchObject({ how: 'judged', changed: true })
    expect(response).toBe('So it is.')
  })

  test('is not asked about where somebody reads along', async () => {
    await using stage = await scene({ lines: [line('It adds.')], config, statements: 'wanted' })
    const { end } = await stage.agent.run('Explain what this project does.', { askUser: async () => undefined })
    expect(end).toMatchObject({ how: 'answered', changed: false })
    expect(stage.agent.session.state?.lastTurn?.spent.iterations).toBe(1)
  })

  test('has "done" held against red checks', async () => {
    const files = { 'package.json': '{ "scripts": { "test": "exit 1" } }\n' }
    const said = [line('Done.', finish('done'))]
    const { end, judgement } = await endOf('Fix it.', [...said, ...said, ...said], { files })
    expect(end).toMatchObject({ changed: false })
    expect(judgement).toMatchObject({ word: 'unverified', why: 'red_before_and_now' })
  })
})

describe('a call that was cut off', () => {
  async function killedThen(...lines: readonly ScriptLine[]) {
    const first = [line('I build.', call('bash', { command: 'echo built > built.txt; sleep 30' }))]
    await using stage = await scene({ lines: first, config, statements: 'wanted' })
    let isRunning = () => {}
    const running = new Promise<void>((resolve) => (isRunning = resolve))
    const onEvent = ({ type }: AgentEvent) => type === 'tool.started' && isRunning()
    const displaced = stage.agent.run('Build it.', { onEvent: (event) => void onEvent(event) })
    await running
    const second = stage.again({ lines })
    await second.resumeSession(stage.agent.session.id, { takeover: true })
    const result = await second.continue()
    stage.agent.cancel()
    await expect(displaced).rejects.toThrow('was taken over')
    return result
  }

  test('is named as long as nothing shows what became of it', async () => {
    const result = await killedThen(line('All is built.'))
    expect(result).toMatchObject({
      judgement: { word: 'unknown' },
      end: { unknown: [{ what: 'echo built > built.txt; sleep 30' }] },
    })
  })

  test('is found out by a later call that the model cites', async () => {
    const found = [{ call: 'echo built > built.txt; sleep 30', shown_by: 'ls', what: 'nothing was built' }]
    const result = await killedThen(
      line('I look.', call('bash', { command: 'ls' })),
      line('It was not built.', finish('done', { found })),
    )
    expect(result?.end).toMatchObject({ found: [{ what: 'nothing was built' }] })
    expect(result?.end?.unknown).toBeUndefined()
    expect(result?.judgement?.word).not.toBe('unknown')
  })
})
