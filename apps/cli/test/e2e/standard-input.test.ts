import { line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { openInput, type Stage, stage, type StartOptions } from './stage/stage.ts'

async function heard(words: readonly string[], options: StartOptions): Promise<{ said: string; stderr: string }> {
  await using one: Stage = await stage(line('Here I am.'))
  const { code, stderr } = await (options.input === undefined ? one.run(words, options) : one.runBuilt(words, options))
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const messages = one.server.requests[0]?.request?.messages ?? []
  return { said: messages.findLast(({ role }) => role === 'user')?.text ?? '', stderr }
}

test.concurrent('standard input is the task when there are no words', async () => {
  expect((await heard([], { input: 'Hello from a pipe!\n' })).said).toContain('Hello from a pipe!')
})

test.runIf(fromCi).concurrent('standard input is the task when a dash stands for it', async () => {
  expect((await heard(['-p', '-'], { input: 'Hello from a pipe!\n' })).said).toContain('Hello from a pipe!')
})

test.runIf(fromCi).concurrent('standard input is the context of a task in words', async () => {
  const { said } = await heard(['-p', 'Hello! Say what this is.'], { input: 'three\nlines\nof it\n' })
  expect(said).toContain('Hello! Say what this is.\n\nthree\nlines\nof it')
})

test.concurrent('an input that stays silent is not waited for when there is a task', async () => {
  const { said, stderr } = await heard(['-p', 'Hello!'], { input: openInput })
  expect(said).toContain('Hello!')
  expect(stderr).toMatch(/Nothing came through standard input/)
})

test.concurrent.for([
  [['-p', 'sessions'], 'sessions'],
  [['--', 'show', 'this'], 'show this'],
  [['-p', '--', '-c is what it is called'], '-c is what it is called'],
] as const)('words behind -p and -- are a task: %j', async ([words, task]) => {
  expect((await heard(words, {})).said).toContain(task)
})
