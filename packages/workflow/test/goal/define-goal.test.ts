import type { ProjectFacts } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { defineGoal } from '../../src/goal/define-goal.ts'
import { quoted } from '../../src/goal/quote.ts'
import { taskSize } from '../../src/goal/task-size.ts'
import { Drive, type DriveOptions } from '../completion/drive.ts'
import { bash, edit, says, type ScriptedCall, write } from '../completion/story.ts'
import { mended, sumProject } from '../completion/sum-project.ts'
import { derivations } from './derivation.table.ts'

function driven(options: Partial<DriveOptions>, ...calls: readonly ScriptedCall[]): Drive {
  const drive = new Drive({ task: 'Do it.', ...options })
  drive.answer(says('', ...calls))
  drive.look()
  return drive
}

function goalOf({ state }: Drive) {
  if (state.turn === null) throw new Error('the turn is over')
  return defineGoal(state, state.turn)
}

function commandsOf(drive: Drive): readonly string[] {
  return goalOf(drive).checks.map(({ command }) => command)
}

describe('the checks of a task', () => {
  test.for(derivations)('$from: $checks', ({ options, calls, checks, source }) => {
    const drive = driven(options, ...calls)
    const goal = goalOf(drive)
    expect(goal.checks.map(({ command }) => command)).toEqual(checks)
    expect(new Set(goal.checks.map((check) => check.source))).toEqual(new Set(checks.length === 0 ? [] : [source]))
  })

  test('stand for one criterion each', () => {
    const drive = driven(
      { files: sumProject, doneWhen: [{ command: 'npm test', text: 'the tests pass' }, { command: 'node check.mjs' }] },
      edit(...mended),
    )
    const { criteria, checks } = goalOf(drive)
    expect(criteria.map(({ text, checkIds }) => [text, checkIds])).toEqual([
      ['the tests pass', [checks[0]?.id]],
      ['`node check.mjs` succeeds', [checks[1]?.id]],
    ])
    expect(checks[1]).toMatchObject({ kind: 'runtime', source: 'user', paths: ['check.mjs'] })
  })

  test('have the same name for the same command in every turn', () => {
    const first = goalOf(driven({ doneWhen: [{ command: 'npm test' }] }, write('a.txt', 'a')))
    const second = goalOf(driven({ files: sumProject }, edit(...mended)))
    expect(second.checks[0]?.id).toBe(first.checks[0]?.id)
  })

  test('are the same when they are defined again', () => {
    for (const { options, calls } of derivations) {
      const drive = driven(options, ...calls)
      const goal = goalOf(drive)
      drive.record({ type: 'goal.defined', goal: JSON.parse(JSON.stringify(goal)) })
      expect(goalOf(drive)).toEqual(goal)
    }
  })

  test('of the project stay when their script is taken away', () => {
    const drive = driven({ files: sumProject }, edit(...mended))
    const goal = goalOf(drive)
    drive.record({ type: 'goal.defined', goal: JSON.parse(JSON.stringify(goal)) })
    drive.answer(says('', write('package.json', '{ "name": "sum" }\n')))
    drive.look()
    expect(commandsOf(drive)).toEqual(['npm test'])
  })

  test('stay waived when the user has waived them', () => {
    const drive = driven({ files: sumProject }, edit(...mended))
    const goal = goalOf(drive)
    const criteria = goal.criteria.map((each) => ({ ...each, waived: { by: 'user' } }))
    drive.record({ type: 'goal.defined', goal: JSON.parse(JSON.stringify({ ...goal, criteria })) })
    expect(goalOf(drive).criteria[0]?.waived).toEqual({ by: 'user' })
  })

  test('of the user are all run, however many there are', () => {
    const doneWhen = Array.from({ length: 120 }, (_, index) => ({ command: `node check${index}.mjs` }))
    const commands = commandsOf(driven({ doneWhen }))
    expect(commands).toHaveLength(50)
    for (const { command } of doneWhen) expect(commands.join('\n')).toContain(command)
  })
})

describe('the checks of a plan', () => {
  const plan = {
    implementation: '## Execution Order\n1. Fix src/sum.mjs\n',
    verification:
      '## Acceptance Criteria\n- sum adds\n- nothing else changes\n## Verification Commands\n- `node --test test/sum.test.mjs`\n- `node check.mjs`\n- `echo verified`\n',
  }
  const planned = (facts: ProjectFacts): Drive => {
    const drive = new Drive({ task: 'Fix sum.', files: sumProject, facts })
    drive.record({ type: 'plan.written', plan })
    drive.answer(says('', edit(...mended)))
    drive.look()
    return drive
  }

  test('are those that can fail, with the criteria that were written beside them', () => {
    const goal = goalOf(planned({}))
    expect(goal.criteria.map(({ text }) => text)).toEqual(['sum adds', 'nothing else changes'])
    expect(goal.checks.map(({ command }) => command)).toEqual(['node --test test/sum.test.mjs', 'node check.mjs'])
  })

  test('are completed by what the project declares', () => {
    const drive = planned({ kind: 'node', commands: { test: 'npm test' } })
    expect(commandsOf(drive)).toEqual(['node --test test/sum.test.mjs', 'node check.mjs', 'npm test'])
  })

  test('go when the plan is written anew', () => {
    const drive = planned({})
    drive.record({ type: 'goal.defined', goal: JSON.parse(JSON.stringify(goalOf(drive))) })
    drive.record({
      type: 'plan.written',
      plan: { ...plan, verification: '## Verification Commands\n- `node --test`\n' },
    })
    expect(commandsOf(drive)).toEqual(['node --test'])
  })
})

test.for([
  [0, 0, 'small'],
  [3, 99, 'small'],
  [4, 10, 'standard'],
  [1, 100, 'standard'],
  [15, 499, 'standard'],
  [16, 10, 'large'],
  [1, 500, 'large'],
] as const)('%i files with %i lines are %s', ([files, lines, size]) => {
  expect(taskSize({ files, lines })).toBe(size)
})

test.for([
  ['src/a.ts', 'src/a.ts'],
  ['a b.txt', "'a b.txt'"],
  ["it's.txt", String.raw`'it'\''s.txt'`],
  ['-rf', './-rf'],
  ['$(rm -rf x)', "'$(rm -rf x)'"],
  ['a\nb', "'a\nb'"],
  ['', "''"],
] as const)('the path %j is written as %j', ([path, word]) => {
  expect(quoted(path)).toBe(word)
})

test('the budget for retries comes from the limits', () => {
  expect(goalOf(driven({ limits: { verificationRetries: 1 } }, bash('true'))).retryBudget).toBe(1)
  expect(goalOf(driven({}, bash('true'))).retryBudget).toBe(3)
})
