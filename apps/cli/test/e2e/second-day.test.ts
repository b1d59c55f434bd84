import { existsSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { PlainTalk } from '../interactive/stage/plain-talk.ts'
import { jsonLines, type Stage, stage } from './stage/stage.ts'

const stall: WireLine = { text: 'I begin', chunks: 'word', fault: { type: 'stall', after: 1 } }
const rest = { ...line('It is done.'), repeat: 'any' } as const
const asJson = ['--output-format', 'json', '--config', 'limits.verificationRetries=0', '--config', 'limits.maxNudges=0']

async function result(one: Stage, words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const ended = await one.runHere(['-p', ...words, ...asJson], { environment })
  const [printed = {}] = jsonLines(ended.stdout)
  return { ...ended, id: String(printed['session_id']), printed }
}

describe('a check that was given with --check', () => {
  const check = ['--check', 'test -e made.txt']
  const task = 'Make the file made.txt, please'

  test('holds for the task after one that was cut off', async () => {
    await using one = await stage(stall, rest)
    const first = one.start(['-p', task, ...check])
    await one.server.untilAsked(1)
    first.process.kill('SIGKILL')
    await first.ended
    const next = await result(one, ['-c', 'Please write the file as I said'])
    expect(next.code).toBe(3)
    expect(JSON.stringify(next.printed)).toContain('test -e made.txt')
  })

  test('holds for the work after a plan', async () => {
    await using one = await stage(line('## Execution Order\n- Make made.txt'), rest)
    await result(one, [task, '--mode', 'plan', ...check])
    const next = await result(one, ['-c', '--mode', 'execute'])
    expect(next.code).toBe(3)
    expect(JSON.stringify(next.printed)).toContain('test -e made.txt')
  })

  test('no longer holds once it was met', async () => {
    const made = line('Now.', call('write', { file_path: 'made.txt', content: 'x\n' }))
    await using one = await stage(made, line('It is there.'), rest)
    const met = await result(one, [task, ...check])
    expect(met).toMatchObject({ code: 0 })
    expect(existsSync(one.path('made.txt'))).toBe(true)
    const next = await result(one, ['-c', 'Hello!'])
    expect(JSON.stringify(next.printed)).not.toContain('test -e made.txt')
  })
})

describe('a session', () => {
  test('goes on with the model and the permission mode that it had, by -c and by -r', async () => {
    await using one = await stage(rest)
    const none = { LOADER_MODEL: '' }
    const first = await result(one, ['Hello!', '-m', 'ollama/other', '--permission-mode', 'read-only'], none)
    for (const words of [['-c'], ['-r', first.id]]) {
      const next = await one.runHere(['-p', ...words, 'Hello!', '--output-format', 'stream-json'], {
        environment: none,
      })
      expect(jsonLines(next.stdout)[0]).toMatchObject({
        model: 'ollama/other',
        loader: { permissionMode: 'read-only' },
      })
    }
    expect(one.server.requests.map(({ request }) => request?.model)).toEqual(['other', 'other', 'other'])
  })
})

describe('a word that is no command', () => {
  test.for([['list'], ['resume'], ['modles'], ['sesions']])(
    '%s is answered with the one that was meant, and asks no model',
    async ([word = '']) => {
      await using one = await stage()
      for (const words of [[word], [word, '--json']]) {
        const ended = await one.runHere(words)
        expect(ended.code).toBe(2)
        expect(ended.stderr).toMatch(/Did you mean loader (?:sessions|models|-r)\?/)
      }
      expect(await one.sessions()).toEqual([])
    },
  )
})

describe('a rule that is added in a conversation', () => {
  test('to deny something holds at once', async () => {
    const write = (name: string) => line('Now.', call('write', { file_path: name, content: 'x\n' }))
    await using talk = await PlainTalk.begin({
      lines: [write('a.txt'), line('A.'), write('b.txt'), rest],
      words: ['--config', 'completionCheck=false'],
    })
    await talk.hear('> ')
    talk.say('Write a.txt, please')
    await talk.hear('A.')
    talk.say('/permissions add deny Write(b.txt)')
    await talk.hear('> ')
    talk.say('Write b.txt, please')
    await talk.hear('It is done.')
    expect(existsSync(talk.workspace.path('a.txt'))).toBe(true)
    expect(existsSync(talk.workspace.path('b.txt'))).toBe(false)
  })
})

describe('/undo', () => {
  test('says what the shell has made, and takes it back', async () => {
    const lines = [line('Now.', call('bash', { command: 'echo x > made-by-shell.txt' })), rest]
    await using talk = await PlainTalk.begin({ lines })
    await talk.hear('> ')
    talk.say('Make a file with the shell')
    await talk.hear('It is done.')
    await talk.hear('> ')
    expect(talk.output).not.toMatch(/completion:|completion_|tracked work/)
    talk.say('/undo')
    expect(await talk.hear('y does it')).toContain('made-by-shell.txt')
    talk.say('y')
    await talk.hear('Taken back.')
    expect(existsSync(talk.workspace.path('made-by-shell.txt'))).toBe(false)
  })
})

describe('what has to hold', () => {
  test('is said in the conversation with /check, holds for the next task, and /goal shows where it stands', async () => {
    const made = line('Now.', call('write', { file_path: 'made.txt', content: 'x\n' }))
    const lines = [line('It is there.'), made, rest]
    await using talk = await PlainTalk.begin({ lines, words: ['--config', 'limits.maxNudges=0'] })
    await talk.hear('> ')
    talk.say('/check test -e made.txt')
    expect(await talk.hear('> ')).toContain('The next task is done when `test -e made.txt` succeeds.')
    talk.say('Make the file made.txt, please')
    // The model says that it is there, and the check that it is not: it is sent back to work.
    expect(await talk.hear('done, verified')).toMatch(/check: test -e made\.txt\n {2}failed exit 1[^]*ok exit 0/)
    expect(existsSync(talk.workspace.path('made.txt'))).toBe(true)
    await talk.hear('> ')
    talk.say('/goal')
    expect(await talk.hear('> ')).toContain('test -e made.txt')
  })
})
