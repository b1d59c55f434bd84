import { describe, expect, test } from 'vitest'
import { Plan, Todo } from '@loader/session-core/coding'
import { fallbackPlan, parsePlan, readPlan } from '../../src/planning/parse-plan.ts'
import { isPastWork } from '../../src/planning/is-past-work.ts'
import { nextItemNote } from '../../src/steps/plan.ts'
import { planTodos } from '../../src/planning/plan-todos.ts'
import { plannedFiles } from '../../src/planning/planned-files.ts'
import { refreshPlan } from '../../src/planning/refresh-plan.ts'
import { verificationCommands } from '../../src/planning/verification-commands.ts'
import { writtenPlan } from '../../src/planning/written-plan.ts'
import { commandRows, pastRows, plannedFileRows, separatorRows, stepRows } from './plan.table.ts'

const task = 'Do it all'

describe('a plan', () => {
  test.each(separatorRows)('has two halves, with the line between them %s', (_layout, separator) => {
    const before = '# Plan\n## File Changes\n- `a.ts`\n## Execution Order\n1. Write a.ts\n## Risks\n- it is late'
    const after = '## Acceptance Criteria\n- a.ts compiles\n## Verification Commands\n- `tsc`\n## Notes\n- quick'
    const text = `${before}\n${separator}\n${after}`
    const reading = parsePlan(text, task)
    expect(reading).toMatchObject({
      fileChanges: ['`a.ts`'],
      steps: ['Write a.ts'],
      risks: ['it is late'],
      criteria: ['a.ts compiles'],
      commands: ['tsc'],
      notes: ['quick'],
    })
    expect(reading.implementation).not.toContain('VERIFICATION')
    expect(reading.implementation).not.toContain('compiles')
    expect(reading.verification).toMatch(/^## Acceptance Criteria/)
  })

  test.each(stepRows)('has steps: %s', (_rule, text, steps) => {
    expect(parsePlan(text, task).steps).toEqual(steps)
  })

  test.each(commandRows)('has commands: %s', (_layout, lines, commands) => {
    expect(verificationCommands(lines.split('\n'))).toEqual(commands)
  })

  test.each(plannedFileRows)('names files that will be there: %s', (_rule, changes, steps, files) => {
    const plan = { implementation: `## File Changes\n${changes}\n## Execution Order\n${steps}` }
    expect(plannedFiles(plan, '/home/me/project')).toEqual(files)
  })

  test('that is kept elsewhere names no file', () => {
    const implementation = { blob: 'b', bytes: 70_000, excerpt: '## File Changes - `a.ts`' }
    expect(plannedFiles({ implementation })).toEqual([])
    expect(readPlan({ implementation }, task)).toBeNull()
  })

  test('that is written names its task in both halves, and is read as it was written', () => {
    const reading = parsePlan(
      '## Steps\n1. Write a.ts\n<<<VERIFICATION>>>\n## Acceptance Criteria\n- a.ts compiles',
      task,
    )
    const plan = writtenPlan(reading, task)
    expect(Plan.parse(plan)).toEqual(plan)
    expect(plan.implementation).toMatch(/^> Workflow contract \(plan\): .*\n> Task: Do it all\n\n## Steps/)
    expect(plan.verification).toMatch(/^> Workflow contract \(verification\): .*\n> Task: Do it all\n\n## Acceptance/)
    expect(plan.steps).toEqual(['Write a.ts'])
    expect(readPlan(plan, task)).toMatchObject({ steps: ['Write a.ts'], criteria: ['a.ts compiles'] })
  })

  test('that says nothing of checks has a second half all the same', () => {
    expect(writtenPlan(parsePlan('## Steps\n1. Write a.ts', task), task).verification).toMatch(
      /## Acceptance Criteria$/,
    )
  })

  test('that was not written is the task itself, and brings no check that cannot fail', () => {
    const reading = fallbackPlan('Do\nit all')
    expect(reading).toMatchObject({ steps: ['Do it all'], criteria: ['Do it all'], commands: [] })
  })
})

describe('todos', () => {
  test('are the first eight steps, with ids by their place', () => {
    const todos = planTodos(Array.from({ length: 10 }, (_, index) => `Step ${index + 1}`))
    expect(todos).toHaveLength(8)
    expect(todos[0]).toEqual({ id: 'plan-1', text: 'Step 1', activeText: 'Working on: Step 1', status: 'pending' })
    expect(todos.at(-1)).toMatchObject({ id: 'plan-8', text: 'Step 8' })
    for (const todo of todos) expect(Todo.parse(todo)).toEqual(todo)
  })

  test('name each step once, whatever its marks', () => {
    expect(planTodos(['Write `a.ts`', 'write a.ts', '[ ] Test it', '']).map(({ text }) => text)).toEqual([
      'Write `a.ts`',
      'Test it',
    ])
  })

  test('go on behind those that are kept', () => {
    const kept = [
      { id: 'plan-3', text: 'Write a.ts', status: 'in_progress' },
      { id: 'own', text: 'Greet', status: 'completed' },
    ] as const
    expect(planTodos(['Write a.ts', 'Test it'], kept)).toEqual([
      ...kept,
      { id: 'plan-4', text: 'Test it', activeText: 'Working on: Test it', status: 'pending' },
    ])
  })
})

test.each(pastRows)('the step %j tells of past work: %s', (step, past) => {
  expect(isPastWork(step)).toBe(past)
})

describe('a refreshed plan', () => {
  const todos = [
    { id: 'plan-1', text: 'Write a.ts', status: 'completed' },
    { id: 'plan-2', text: 'Write b.ts', status: 'in_progress' },
    { id: 'plan-3', text: 'Write c.ts', status: 'pending' },
  ] as const
  const refreshed = refreshPlan({
    reading: parsePlan(
      '## Execution Order\n1. Created z.ts\n2. Write a.ts\n3. Write b.ts\n4. Write d.ts\n<<<VERIFICATION>>>\n## Acceptance Criteria\n- d.ts compiles',
      'Write the parser in a.ts',
    ),
    task: 'Write the parser in a.ts',
    todos,
    criteria: ['The parser is in a.ts', 'c.ts compiles', 'D.ts  compiles'],
    touchedFiles: ['src/a.ts'],
  })

  test('drops steps that tell of past work or are done', () => {
    expect(refreshed.plan.steps).toEqual(['Write b.ts', 'Write d.ts'])
  })

  test('keeps what is done and what is under way, and plans the rest anew', () => {
    expect(refreshed.todos).toEqual([
      todos[0],
      todos[1],
      { id: 'plan-3', text: 'Write d.ts', activeText: 'Working on: Write d.ts', status: 'pending' },
    ])
  })

  test('keeps the criteria that the task itself calls for', () => {
    expect(refreshed.criteria).toEqual(['The parser is in a.ts', 'd.ts compiles'])
    expect(refreshed.plan.verification).toMatch(/- d.ts compiles\n\n## Acceptance Criteria\n- The parser is in a.ts$/)
  })

  test('says what is done already', () => {
    expect(refreshed.plan.implementation).toMatch(
      /## Confirmed Progress\n- Write a.ts\n- `src\/a.ts` has been changed.$/,
    )
  })
})

describe('what comes next', () => {
  const pending = (text: string) => ({ id: text, text, status: 'pending' }) as const

  test.each([
    ['the first pending item', [pending('Write b.ts'), pending('Review it')], 'Next: Write b.ts'],
    ['the one under way comes first', [pending('a'), { ...pending('b'), status: 'in_progress' as const }], 'Next: b'],
  ])('is told: %s', (_rule, todos, said) => {
    expect(nextItemNote(todos)).toContain(said)
  })

  test('is nothing where all is done', () => {
    expect(nextItemNote([{ ...pending('a'), status: 'completed' }])).toBeNull()
  })
})
