import type { Examination, Todo, Tool, ToolAliases, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'
import { withTodos } from './calls/with-todos.ts'

const TodoWriteInput = z.object({
  todos: z
    .array(
      z.object({
        content: z.string().trim().min(1).describe('what is to be done'),
        active_form: z.string().optional().describe('how it reads while it is being done: "Writing the tests"'),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    )
    .max(100)
    .describe('the whole list, in order; it replaces the one before'),
})
export type TodoWriteInput = z.infer<typeof TodoWriteInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['todos', 'todo', 'write_todos', 'update_todos', 'update_plan', 'todo_list', 'set_todos'],
  arguments: { todos: ['items', 'tasks', 'plan', 'list', 'todo_list'] },
  main: 'todos',
  adapt: withTodos,
}

/** Updates the to-do list, which belongs to the session: the tool only reads the list from the call. */
export function todoWriteTool(): Tool<TodoWriteInput> {
  return {
    name: 'todo_write',
    title: 'Keep the list of todos',
    description:
      'Write down the steps of the work, and where each stands. Give the whole list each time. Use it for work of ' +
      'several steps; set a step to in_progress before you begin it, and to completed as soon as it is done.',
    input: TodoWriteInput,
    aliases,
    effect: 'none',
    examine: async (input) => valid(input),
    run: async ({ input }) => result(input),
  }
}

function valid(input: TodoWriteInput): Examination<TodoWriteInput> {
  return { valid: true, input, effect: 'none', paths: [], intent: [] }
}

function result(input: TodoWriteInput): ToolResult {
  const todos = todosOf(input)
  const done = todos.filter(({ status }) => status === 'completed').length
  const text =
    todos.length === 0 ? 'The list is empty now.' : [`${done} of ${todos.length} done.`, ...todos.map(line)].join('\n')
  return { outcome: 'ok', text, todos, metadata: { total: todos.length, completed: done, summary: text } }
}

function todosOf({ todos }: TodoWriteInput): readonly Todo[] {
  return todos.map(({ content, active_form, status }, index) => ({
    id: `todo_${index + 1}`,
    text: content,
    ...(active_form !== undefined && { activeText: active_form }),
    status,
  }))
}

const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } satisfies Record<Todo['status'], string>

function line({ text, status }: Todo): string {
  return `${marks[status]} ${text}`
}
