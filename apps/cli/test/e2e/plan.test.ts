import { existsSync, readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { PlainTalk } from '../interactive/stage/plain-talk.ts'
import { jsonLines, type Stage, stage } from './stage/stage.ts'

const plan = '## Execution Order\n- Write hello.txt\n## Verification Commands\n- `grep -q hello hello.txt`'
const write = call('write', { file_path: 'hello.txt', content: 'hello\n' })
const shell = call('bash', { command: 'echo hello > hello.txt' })
const task = 'Create hello.txt, please, with the word hello in it'
const rest = { ...line('hello.txt has the word.'), repeat: 'any' } as const

async function result(one: Stage, ...words: readonly string[]) {
  const ended = await one.runHere(['-p', ...words, '--output-format', 'json'])
  const [printed = {}] = jsonLines(ended.stdout)
  return { ...ended, id: String(printed['session_id']), text: printed['result'] }
}

describe('a run that plans', () => {
  test.for([
    ['--mode', 'plan'],
    ['--permission-mode', 'plan'],
  ])('by %s %s ends with the plan, has changed nothing, and says how it is carried out', async (flags) => {
    await using one = await stage(line('At once.', write), line('So.', shell), line(plan), line('Now.', write), rest)
    const planned = await result(one, task, ...flags, '--check', 'test -e hello.txt')
    expect(planned).toMatchObject({ code: 0, text: plan })
    expect(existsSync(one.path('hello.txt'))).toBe(false)
    expect(planned.stderr).toContain(`To carry the plan out: loader -r ${planned.id} --mode execute`)
    const done = await result(one, '-r', planned.id, '--mode', 'execute')
    expect(done).toMatchObject({ code: 0, id: planned.id })
    expect(readFileSync(one.path('hello.txt'), 'utf8')).toBe('hello\n')
    expect(JSON.stringify(one.server.requests[3]?.request?.messages)).toMatch(/PLAN APPROVED.*Steps, in order/)
  })

  test('goes on planning after words, until another mode is asked for', async () => {
    await using one = await stage(line(plan), line('At once.', write), line(plan), line('Now.', write), rest)
    await result(one, task, '--mode', 'plan')
    expect(await result(one, '-c', 'Yes, go on, approved, do it now in hello.txt')).toMatchObject({
      code: 0,
      text: plan,
    })
    expect(existsSync(one.path('hello.txt'))).toBe(false)
    expect(await result(one, '-c', '--mode', 'execute', 'Do it')).toMatchObject({ code: 0 })
    expect(existsSync(one.path('hello.txt'))).toBe(true)
  })

  test('does not end with "a permission was needed" where a call was refused for the sake of the plan', async () => {
    const wide = call('bash', { command: 'npm install', reach: 'network', why: 'it is needed' })
    await using one = await stage(line('At once.', wide), line(plan))
    expect(await result(one, task, '--mode', 'plan')).toMatchObject({ code: 0 })
  })

  test('cannot be two modes', async () => {
    await using one = await stage()
    expect(await result(one, task, '--mode', 'execute', '--permission-mode', 'plan')).toMatchObject({ code: 2 })
  })
})

describe('a conversation that plans', () => {
  test('asks before anything changes; words behind the no plan anew, and words behind the yes go with the work', async () => {
    const lines = [line('At once.', write), line(plan), line(`${plan}\n- twice`), line('Now.', write), rest]
    await using talk = await PlainTalk.begin({ lines, words: ['--mode', 'plan', task] })
    const isThere = () => existsSync(`${talk.workspace.root}/hello.txt`)
    await talk.hear('Carry out this plan? Nothing has changed yet')
    talk.say('sounds good')
    await talk.hear('Type y or n.')
    talk.say('n write it twice')
    await talk.hear('Carry out this plan?')
    expect(isThere()).toBe(false)
    talk.say('y but in lower case')
    await talk.hear('hello.txt has the word.')
    expect(isThere()).toBe(true)
    await talk.hear('asked to go on')
    expect(talk.output).not.toMatch(/completion:|policy:/)
    const said = (index: number) => JSON.stringify(talk.server.requests[index]?.request?.messages)
    expect(said(2)).toMatch(/PLAN NOT APPROVED.*write it twice/)
    expect(said(3)).toMatch(/PLAN APPROVED.*but in lower case/)
  })
})
