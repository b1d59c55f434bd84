import { call, line, type ScriptLine } from '@loader/test-harness'
import { fromCi, sample } from '@loader/test-tier'
import { exitCodeOfEnd } from '@loader/workflow'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/index.ts'
import { scene, type SceneOptions } from '../scene/scene.ts'
import { tasks, ways } from './tasks.ts'

const config = { permissionMode: 'allow' } as const
const finish = (how: string, more: object = {}) => call('finish', { how, summary: 'So it is.', ...more })

async function endOf(task: string, lines: readonly ScriptLine[], options: Partial<SceneOptions> = {}) {
  await using stage = await scene({ lines, config, statements: 'wanted', trees: 'kept from CI on', ...options })
  const result = await stage.agent.run(task)
  return { ...result, requests: stage.agent.session.state?.lastTurn?.spent.iterations }
}

/** Every way to put a task in every language, to each kind of model. */
const cases = Object.entries(tasks).flatMap(([language, all]) =>
  all.flatMap((task, way) =>
    (['says how it ended', 'never says how it ended', 'has no tools'] as const).map((model) => ({
      task,
      model,
      what: `${ways[way]} in ${language}, to a model that ${model}`,
    })),
  ),
)
type Ended = Awaited<ReturnType<typeof endOf>>

function exitsOf(end: Ended['end'] | undefined, judgement: Ended['judgement']) {
  if (end === null || end === undefined) throw new Error('The turn did not come to its end.')
  return {
    usual: exitCodeOfEnd(end, judgement, { strict: false, expectsChange: false }),
    whereChangeIsExpected: exitCodeOfEnd(end, judgement, { strict: false, expectsChange: true }),
  }
}

const asText = (name: string, input: object) => `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`
const boast = 'I fixed it, all tests pass.'
const written = { file_path: 'a.txt', content: 'a\n' }

describe('whatever was asked, in whatever words', () => {
  const tried = sample(cases, { quick: 7, ci: 24 })

  test('there are ten ways in eight languages, all different', () => {
    expect(Object.values(tasks).map((all) => all.length)).toEqual(Array.from({ length: 8 }, () => ways.length))
    expect(new Set(Object.values(tasks).flat()).size).toBe(80)
  })

  test.for(tried)('a turn that changed nothing is answered: $what', async ({ task, model }) => {
    const said = {
      'says how it ended': [line(boast, finish('done'))],
      'never says how it ended': [line(boast)],
      'has no tools': [line(boast)],
    }[model]
    const tools = model === 'has no tools' ? { config: { ...config, nativeTools: false } } : {}
    const { end, verdict, judgement, response, requests } = await endOf(task, said, tools)
    expect(end).toMatchObject({ how: 'answered', changed: false })
    expect({ verdict, judgement, response }).toEqual({ verdict: null, judgement: null, response: boast })
    // It is asked once, where it did not say.
    expect(requests).toBe(model === 'says how it ended' ? 1 : 2)
    expect(exitsOf(end, judgement)).toEqual({ usual: 0, whereChangeIsExpected: 3 })
  })

  test.for(tried)('a turn that changed something is judged, and not asked about: $what', async ({ task, model }) => {
    const write = call('write', written)
    const said = {
      'says how it ended': [line('', write), line(boast, finish('answered'))],
      'never says how it ended': [line('', write), line(boast)],
      'has no tools': [line(asText('write', written)), line(boast)],
    }[model]
    const tools = model === 'has no tools' ? { config: { ...config, nativeTools: false } } : {}
    const { end, judgement, response, requests } = await endOf(task, said, tools)
    expect(end).toMatchObject({ how: 'judged', changed: true })
    const word = fromCi ? 'present' : 'unverified'
    expect({ word: judgement?.word, response, requests }).toEqual({ word, response: boast, requests: 2 })
  })
})

describe('a turn that changes nothing', () => {
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

  test('is not asked about in an interactive run', async () => {
    await using stage = await scene({ lines: [line('It adds.')], config, statements: 'wanted' })
    const { end } = await stage.agent.run('Explain what this project does.', { askUser: async () => undefined })
    expect(end).toMatchObject({ how: 'answered', changed: false })
    expect(stage.agent.session.state?.lastTurn?.spent.iterations).toBe(1)
  })

  test('has "done" held against red checks', async () => {
    const files = { 'package.json': '{ "scripts": { "test": "exit 1" } }\n' }
    const said = [line('Done.', finish('done'))]
    const { end, judgement } = await endOf('Fix it.', [...said, ...said, ...said], { files, trees: 'kept' })
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

  test.for([
    ['in words', line('All is built.')],
    ['by the tool', line('All is built.', finish('done'))],
    [
      'by the tool, with a finding that no later call shows',
      line(
        'All is built.',
        finish('done', { found: [{ call: 'echo built > built.txt; sleep 30', shown_by: 'ls', what: 'it is built' }] }),
      ),
    ],
  ] as const)('is named as long as nothing shows what became of it, also when "done" is said %s', async ([, said]) => {
    const result = await killedThen(said)
    expect(result).toMatchObject({
      judgement: { word: 'unknown' },
      end: { unknown: [{ what: 'echo built > built.txt; sleep 30' }] },
    })
    expect(exitsOf(result?.end, result?.judgement ?? null)).toMatchObject({ usual: 3 })
  })

  test('is found out by a later call that the model cites', async () => {
    const found = [{ call: 'echo built > built.txt; sleep 30', shown_by: 'ls', what: 'nothing was built' }]
    const result = await killedThen(
      line('I look.', call('bash', { command: 'ls' })),
      line('It was not built.', finish('done', { found })),
    )
    const calls = { callWhat: 'echo built > built.txt; sleep 30', shownByWhat: 'ls' }
    expect(result?.end).toMatchObject({ found: [{ what: 'nothing was built', ...calls }] })
    expect(result?.end?.unknown).toBeUndefined()
    expect(result?.judgement?.word).not.toBe('unknown')
  })
})
