import type { EventInput } from '@loader/session-core'
import type { Goal } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { checksWithheld, defineGoal, taskSize } from '../../src/goal/define-goal.ts'
import { quotedPath } from '../../src/goal/checks-of-presence.ts'
import { atWork, type Work } from './at-work.ts'

function goalOf(work: Work): Goal {
  const { state, turn } = atWork(work)
  return defineGoal(state, turn)
}

function commandsOf(work: Work): readonly string[] {
  return goalOf(work).checks.map(({ command }) => command)
}

const node = { kind: 'node', commands: { test: 'npm test', lint: 'npm run lint', build: 'npm run build' } }
const changed = { 'a.js': 'modified' } as const
const noWalls = { walls: { state: 'missing', kind: 'none', guarantees: [] } } as const

const derivations: readonly {
  readonly from: string
  readonly work: Work
  readonly checks: readonly string[]
  readonly source: string
}[] = [
  {
    from: 'what the user said stands alone',
    work: { changed, facts: node, doneWhen: [{ command: 'node check.mjs' }] },
    checks: ['node check.mjs'],
    source: 'user',
  },
  {
    from: 'what the settings of the user say stands before what the project declares',
    work: {
      changed,
      facts: node,
      policy: { checks: [{ command: 'npm run quick' }, { command: 'npm run all', when: 'end' }] },
    },
    checks: ['npm run quick'],
    source: 'user',
  },
  {
    from: 'the project declares checks of several kinds',
    work: { changed, facts: node },
    checks: ['npm test', 'npm run build', 'npm run lint'],
    source: 'project',
  },
  {
    from: 'commands that were run already and look like checks',
    work: {
      changed,
      commands: [
        ['ls', 'ok'],
        ['pytest -q', 'ok'],
        ['node app.js', 'ok'],
        ['ruff check .', 'ok'],
      ],
    },
    checks: ['ruff check .', 'pytest -q'],
    source: 'commands',
  },
  {
    from: 'a small task without any: its files are there and parse',
    work: { changed: { 'old.txt': 'deleted', 'a b.txt': 'added', 'c.mjs': 'added' } },
    checks: ['test ! -e old.txt', "test -f 'a b.txt'", 'test -f c.mjs', 'node --check c.mjs'],
    source: 'presence',
  },
  {
    from: 'commands that failed are none to go by',
    work: { changed: { 'a.txt': 'added' }, commands: [['pytest', 'failed']] },
    checks: ['test -f a.txt'],
    source: 'presence',
  },
  {
    from: 'a larger task without any',
    work: { changed: { 'a.txt': 'added', 'b.txt': 'added', 'c.txt': 'added', 'd.txt': 'added' } },
    checks: [],
    source: 'presence',
  },
  {
    from: 'a machine that has no walls runs what the user said and nothing else',
    work: { changed, facts: node, policy: noWalls },
    checks: [],
    source: 'project',
  },
]

describe('the checks of a task', () => {
  test.for(derivations)('$from: $checks', ({ work, checks, source }) => {
    const goal = goalOf(work)
    expect(goal.checks.map(({ command }) => command)).toEqual(checks)
    expect(new Set(goal.checks.map((check) => check.source))).toEqual(new Set(checks.length === 0 ? [] : [source]))
  })

  test('stand for one criterion each', () => {
    const doneWhen = [{ command: 'npm test', text: 'the tests pass' }, { command: 'node check.mjs' }]
    const { criteria, checks } = goalOf({ changed, doneWhen })
    expect(criteria.map(({ text, checkIds }) => [text, checkIds])).toEqual([
      ['the tests pass', [checks[0]?.id]],
      ['`node check.mjs` succeeds', [checks[1]?.id]],
    ])
  })

  test('have the same name for the same command in every turn', () => {
    expect(goalOf({ changed, facts: node }).checks[0]?.id).toBe(
      goalOf({ doneWhen: [{ command: 'npm test' }] }).checks[0]?.id,
    )
  })

  test('are the same when they are defined again', () => {
    for (const { work } of derivations) {
      const goal = goalOf(work)
      expect(goalOf({ ...work, finally: [{ type: 'goal.defined', goal }] })).toEqual(goal)
    }
  })

  test('of the project stay when their script is taken away', () => {
    const goal = goalOf({ changed, facts: { kind: 'node', commands: { test: 'npm test' } } })
    expect(commandsOf({ changed, facts: { kind: 'node' }, finally: [{ type: 'goal.defined', goal }] })).toEqual([
      'npm test',
    ])
  })

  test('stay waived when the user has waived them', () => {
    const goal = goalOf({ changed, facts: node })
    const waived = { ...goal, criteria: goal.criteria.map((each) => ({ ...each, waived: { by: 'user' } })) }
    const again = goalOf({ changed, facts: node, finally: [{ type: 'goal.defined', goal: waived }] })
    expect(again.criteria.map((each) => each.waived)).toEqual(goal.criteria.map(() => ({ by: 'user' })))
  })

  test('of the user are all run, however many there are', () => {
    const doneWhen = Array.from({ length: 120 }, (_, index) => ({ command: `node check${index}.mjs` }))
    const commands = commandsOf({ doneWhen })
    expect(commands).toHaveLength(50)
    for (const { command } of doneWhen) expect(commands.join('\n')).toContain(command)
  })
})

describe('without walls, the checks of a project', () => {
  const withheldIn = (work: Work) => {
    const { state, turn } = atWork({ changed, policy: noWalls, ...work })
    return checksWithheld(state, turn)
  }

  test('are told from those that it does not have', () => {
    expect(withheldIn({ facts: node })).toBe(true)
    expect(withheldIn({ commands: [['pytest -q', 'ok']] })).toBe(true)
    expect(withheldIn({})).toBe(false)
    expect(withheldIn({ commands: [['ls', 'ok']] })).toBe(false)
  })

  test('are not missed where the user has said what is to run, or where walls hold', () => {
    expect(withheldIn({ facts: node, doneWhen: [{ command: 'node check.mjs' }] })).toBe(false)
    expect(withheldIn({ facts: node, policy: { ...noWalls, checks: [{ command: 'npm run quick' }] } })).toBe(false)
    expect(withheldIn({ facts: node, policy: { walls: { ...noWalls.walls, state: 'held' } } })).toBe(false)
    expect(withheldIn({ facts: node, policy: { walls: { ...noWalls.walls, state: 'off' } } })).toBe(false)
  })

  test('are not run either when the turn began where there were some', () => {
    const goal = goalOf({ changed, facts: node })
    const moved: Work = { finally: [{ type: 'goal.defined', goal }] }
    expect(commandsOf({ changed, policy: noWalls, ...moved })).toEqual([])
    expect(withheldIn(moved)).toBe(true)
  })
})

describe('a definition of the user', () => {
  const goal = goalOf({ doneWhen: [{ command: 'make accept', text: 'it is accepted' }] })
  const check = goal.checks[0]
  const judged = (word: string): EventInput[] => {
    const run = { checkId: check?.id ?? '', runId: 'run' }
    const evidence = {
      ...run,
      criterionIds: [],
      command: 'make accept',
      outcome: 'passed' as const,
      exitCode: 0,
      output: '',
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:00:00.000Z',
      room: 'now',
      judgement: { word },
    }
    return [
      { type: 'goal.defined', goal },
      { type: 'check.started', ...run, command: 'make accept' },
      { type: 'check.finished', evidence },
    ]
  }

  test('holds for later turns as long as it is not met', () => {
    const { criteria, checks } = goalOf({ changed, facts: node, earlier: judged('failed') })
    expect(checks.map(({ command, source }) => [command, source])).toEqual([['make accept', 'user']])
    expect(criteria[0]?.text).toBe('it is accepted')
  })

  test('is over once it is met', () => {
    expect(commandsOf({ changed, facts: node, earlier: judged('verified') })).not.toContain('make accept')
  })

  test('is taken back by an empty one', () => {
    expect(commandsOf({ changed, facts: node, doneWhen: [], earlier: judged('failed') })).not.toContain('make accept')
  })
})

describe('the checks of a plan', () => {
  const plan = {
    implementation: '## Execution Order\n1. Fix src/sum.mjs\n',
    verification:
      '## Acceptance Criteria\n- sum adds\n- nothing else changes\n## Verification Commands\n- `node --test test/sum.test.mjs`\n- `node check.mjs`\n',
  }
  const written: EventInput[] = [{ type: 'plan.written', plan }]

  test('come with the criteria that were written beside them', () => {
    const goal = goalOf({ changed, finally: written })
    expect(goal.criteria.map(({ text }) => text)).toEqual(['sum adds', 'nothing else changes'])
    expect(goal.checks.map(({ command }) => command)).toEqual(['node --test test/sum.test.mjs', 'node check.mjs'])
  })

  test('are completed by what the project declares', () => {
    const facts = { kind: 'node', commands: { test: 'npm test' } }
    const commands = ['node --test test/sum.test.mjs', 'node check.mjs', 'npm test']
    expect(commandsOf({ changed, facts, finally: written })).toEqual(commands)
  })

  test('go when the plan is written anew', () => {
    const goal = goalOf({ changed, finally: written })
    const anew = { ...plan, verification: '## Verification Commands\n- `node --test`\n' }
    const events: EventInput[] = [
      { type: 'goal.defined', goal },
      { type: 'plan.written', plan: anew },
    ]
    expect(commandsOf({ changed, finally: events })).toEqual(['node --test'])
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
  expect(quotedPath(path)).toBe(word)
})

test('the budget for retries comes from the limits', () => {
  expect(goalOf({ changed, limits: { verificationRetries: 1 } }).retryBudget).toBe(1)
  expect(goalOf({ changed }).retryBudget).toBe(3)
})
