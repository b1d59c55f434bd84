import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { PlainTalk } from '../interactive/stage/plain-talk.ts'

const write = line('Now.', call('write', { file_path: 'hello.txt', content: 'hello\n' }))
const done = { ...line('hello.txt is written.'), repeat: 'any' } as const
const task = 'Create hello.txt, please'

/** The fewest lines that a user has to type, counted by its Enters. */
test('nothing configured, model chosen, task done, next day loader -c: two choices, no file edited, no id typed', async () => {
  const typed: string[] = []
  await using first = await PlainTalk.begin({ lines: [write, done], words: [task], model: null })
  const say = (talk: PlainTalk, words: string) => {
    typed.push(words)
    talk.say(words)
  }
  await first.hear('or Enter for 1: ')
  say(first, '')
  await first.hear('hello.txt is written.')
  await first.hear('> ')
  first.hangUp()
  expect(await first.ended).toBe(0)
  expect(readFileSync(first.workspace.path('hello.txt'), 'utf8')).toBe('hello\n')
  const settings = join(first.workspace.path('config'), 'settings.json')
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ model: 'ollama/scripted' })

  const { workspace } = first
  await using next = await PlainTalk.begin({ lines: [done], words: ['-c'], model: null, workspace })
  await next.hear(task)
  await next.hear('> ')
  say(next, 'Thanks!')
  await next.hear('hello.txt is written.')
  expect(typed).toEqual(['', 'Thanks!'])
})

test('words that are no model choose none, and it is asked for again until there is no more to read', async () => {
  await using talk = await PlainTalk.begin({ lines: [done], words: [task], model: null })
  await talk.hear('or Enter for 1: ')
  talk.say('no thanks')
  await talk.hear('no thanks is no model: a name is like ollama/qwen3:8b. A number, another name, or Enter for 1: ')
  talk.say('99')
  await talk.hear('99 is no model: ')
  talk.hangUp()
  expect(await talk.ended).toBe(2)
  expect(talk.output).toContain('No model was chosen yet.')
  expect(existsSync(join(talk.workspace.path('config'), 'settings.json'))).toBe(false)
})
