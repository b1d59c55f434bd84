import { expect, test } from 'vitest'
import { todoWriteTool } from '../src/index.ts'
import { examineValid, perform } from './perform.ts'

const todos = [
  { content: ' Read the code ', status: 'completed' },
  { content: 'Write the tests', active_form: 'Writing the tests', status: 'in_progress' },
]

test('a list of todos becomes that of the session', async () => {
  expect(await perform(todoWriteTool(), { todos })).toEqual({
    outcome: 'ok',
    text: '1 of 2 done.\n[x] Read the code\n[~] Write the tests',
    todos: [
      { id: 'todo_1', text: 'Read the code', status: 'completed' },
      { id: 'todo_2', text: 'Write the tests', activeText: 'Writing the tests', status: 'in_progress' },
    ],
    metadata: { total: 2, completed: 1, summary: '1 of 2 done.\n[x] Read the code\n[~] Write the tests' },
  })
})

test('writing todos has no effect outside the session', async () => {
  expect(await examineValid(todoWriteTool(), { todos })).toMatchObject({ effect: 'none', paths: [], intent: [] })
})

test('a list can be emptied, and a todo cannot be blank', async () => {
  expect(await perform(todoWriteTool(), { todos: [] })).toMatchObject({ text: 'The list is empty now.', todos: [] })
  expect(todoWriteTool().input.safeParse({ todos: [{ content: ' ', status: 'pending' }] }).success).toBe(false)
})
