import { expect, test } from 'vitest'
import { askUserTool } from '../src/index.ts'
import { examineValid, perform, refusalOf } from './perform.ts'

test('a question is handed to whoever runs the calls, with all that the user has to know', async () => {
  const input = {
    question: 'Which database?',
    title: 'Database',
    context: 'There are two in use.',
    options: ['SQLite', { label: 'Postgres', description: 'as in production' }],
  }
  expect(await examineValid(askUserTool(), input)).toMatchObject({
    effect: 'none',
    question: {
      text: 'There are two in use.\n\nWhich database?',
      title: 'Database',
      options: [{ label: 'SQLite' }, { label: 'Postgres', description: 'as in production' }],
    },
  })
})

test('a question that only takes its options says so', async () => {
  const input = { question: 'Go on?', options: ['yes', 'no'], allow_freeform: false }
  const { question } = await examineValid(askUserTool(), input)
  expect(question?.text).toBe('Go on?\n\nPlease choose one of the options.')
})

test.each([
  ['nothing to choose from and no room for words', { question: 'Why?', allow_freeform: false }, 'set allow_freeform'],
  ['the same option twice', { question: 'Why?', options: ['a', { label: 'a' }] }, 'The option "a" is there twice.'],
])('a question with %s is refused', async (_, input, message) => {
  expect(await refusalOf(askUserTool(), input)).toContain(message)
})

test('a question that nobody put to the user fails instead of being answered', async () => {
  expect(await perform(askUserTool(), { question: 'Why?' })).toMatchObject({ outcome: 'failed' })
})
