import { times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { completionMove } from '../../src/completion/completion-move.ts'
import { limitsOf } from '../../src/limits.ts'
import type { Move } from '../../src/move.ts'
import { Drive } from './drive.ts'
import { bash, edit, read, type ScriptedAnswer, type ScriptedCall, write } from './story.ts'
import { sumProject } from './sum-project.ts'

const runs = times({ quick: 100, ci: 1000, long: 10_000 })

const call: fc.Arbitrary<ScriptedCall> = fc.constantFrom(
  read('src/sum.mjs'),
  edit('src/sum.mjs', 'a - b', 'a + b'),
  edit('src/sum.mjs', 'a + b', 'a * b'),
  edit('test/sum.test.mjs', '5', '-1'),
  write('docs/sum.md', '# sum\n'),
  write('/elsewhere/a.txt', 'a'),
  bash('npm test'),
  bash('true'),
  bash('rm test/sum.test.mjs'),
  bash('echo fake > package.json'),
)
const answer: fc.Arbitrary<ScriptedAnswer> = fc.record({
  text: fc.constantFrom(
    'Done: everything works.',
    'I will now fix it.',
    'You can run npm test yourself.',
    'Nothing needs to be changed.',
    'It subtracts, because the sign is wrong.',
    'Which file do you mean?',
    'I apologize for the confusion. Done.',
  ),
  calls: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(call, { maxLength: 3 }) },
  ),
})
const ran = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      exitCode: fc.constant(0),
      output: fc.constantFrom('', 'ℹ tests 1\nℹ pass 1\nℹ fail 0\n'),
      writes: fc.constantFrom(undefined, 'report.txt'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      exitCode: fc.constantFrom(0, 1, 5, 127),
      output: fc.constantFrom('', 'Tests:       1 failed, 2 passed, 3 total\n', 'no tests ran in 0.01s\n'),
      writes: fc.constantFrom(undefined, 'test/sum.test.mjs'),
    }),
  },
)
const world = fc.record({
  task: fc.constantFrom(
    'Fix sum.',
    'What does sum do?',
    'Fix sum and run the tests.',
    'Install the dependencies.',
    'Make it so.',
  ),
  doneWhen: fc.option(
    fc.subarray(['npm test', 'node check.mjs', 'npm test || true', 'test -f docs/sum.md'], { minLength: 1 }),
    { nil: undefined },
  ),
  limits: fc.record({
    maxNudges: fc.integer({ min: 0, max: 4 }),
    verificationRetries: fc.integer({ min: 0, max: 3 }),
    maxCrashes: fc.integer({ min: 0, max: 2 }),
  }),
  planned: fc.boolean(),
  todos: fc.boolean(),
  facts: fc.constantFrom(
    undefined,
    {},
    { kind: 'rust' },
    { kind: 'node', commands: { test: 'npm test', lint: 'npm run lint' } },
  ),
  // In the end it only talks: how many calls a turn may make is another matter.
  answers: fc
    .tuple(fc.array(answer, { maxLength: 8 }), answer)
    .map(([some, last]) => [...some, { ...last, calls: [] }]),
  results: fc.array(ran, { minLength: 1, maxLength: 12 }),
  /** Which looks and checks somebody else changes something at, and which checks the process does not survive. */
  disturbed: fc.infiniteStream(fc.integer({ min: 0, max: 40 })),
  crashing: fc.infiniteStream(fc.integer({ min: 0, max: 40 })),
})
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never

function driveFor({ task, doneWhen, limits, planned, todos, facts, results, disturbed, crashing }: World): Drive {
  let commands = 0
  let disturbances = 0
  const drive = new Drive({
    task,
    files: sumProject,
    limits,
    ...(doneWhen && { doneWhen: doneWhen.map((command) => ({ command })) }),
    ...(facts && { facts }),
    shell: (_command, files) => {
      const result = results[commands % results.length]
      commands += 1
      if (result?.writes !== undefined) files.set(result.writes, `run ${commands}`)
      return { exitCode: result?.exitCode ?? 0, output: result?.output ?? '' }
    },
    meanwhile: (files) => {
      disturbances += 1
      if (disturbed.next().value === 0) files.set('notes.txt', `note ${disturbances}`)
    },
    crashes: () => crashing.next().value === 0,
  })
  if (planned) drive.record({ type: 'plan.written', plan: { implementation: '## File Changes\n- docs/sum.md\n' } })
  if (todos)
    drive.record({ type: 'todos.updated', todos: [{ id: 'todo_1', text: 'Sort the imports', status: 'pending' }] })
  return drive
}

/** No turn may take more moves than this, whatever happens. */
function mostMoves(drive: Drive): number {
  const { maxNudges, verificationRetries, maxCrashes } = limitsOf(drive.state.policy)
  const checks = Math.max(0, ...drive.eventsOf('goal.defined').map(({ goal }) => goal.checks.length))
  const judgements = maxNudges + verificationRetries + 1
  const ofAnAttempt = 1 + 2 * checks + 1
  return judgements * (2 + 2 * ofAnAttempt + 2) + maxCrashes + 1
}

test('every state has one next move, and a turn has no more of them than its limits allow', () => {
  fc.assert(
    fc.property(world, (each) => {
      const drive = driveFor(each)
      drive.play(each.answers)
      expect(drive.moves.length).toBeLessThanOrEqual(mostMoves(drive))
    }),
    { numRuns: runs },
  )
})

test('the same state always has the same move', () => {
  fc.assert(
    fc.property(world, (each) => {
      const drive = driveFor(each)
      const before: Move[] = []
      drive.play(each.answers, 2_000, (state) => before.push(completionMove(state)))
      expect(before).toEqual(drive.moves)
    }),
    { numRuns: runs },
  )
})

test('a turn is verified only by checks that passed after its last effect, on the workspace as it is', () => {
  let verified = 0
  fc.assert(
    fc.property(world, (each) => {
      const drive = driveFor(each)
      if (drive.play(each.answers).verdict !== 'verified') return
      verified += 1
      const { evidence, workspace, goal } = drive.state
      const ids = new Set(goal?.checks.map(({ id }) => id))
      const shown = evidence.filter(({ checkId }) => ids.has(checkId))
      const lastEffect = Math.max(0, ...drive.eventsOf('tool.finished').map(({ seq }) => seq))
      const ranAt = drive
        .eventsOf('check.finished')
        .filter(({ evidence: { runId } }) => shown.some((one) => one.runId === runId))
      expect(shown.length).toBe(ids.size)
      expect(shown.every(({ outcome, exitCode }) => outcome === 'passed' && exitCode === 0)).toBe(true)
      expect(ranAt.every(({ seq }) => seq > lastEffect)).toBe(true)
      const last = shown.at(-1)
      expect(last?.treeAfter ?? last?.tree).toBe(workspace?.tree?.id)
      const altered = (workspace?.changed ?? []).filter(
        ({ path, change }) => path.startsWith('test/') && change !== 'added',
      )
      expect(altered).toEqual([])
    }),
    { numRuns: runs * 2 },
  )
  expect(verified).toBeGreaterThan(0)
})

test('a turn that ends has exactly one decision that ends it', () => {
  fc.assert(
    fc.property(world, (each) => {
      const drive = driveFor(each)
      const { reason } = drive.play(each.answers)
      const ending = drive.timeline.filter(
        ({ kind }) => kind === 'completion_complete' || kind === 'completion_finalize',
      )
      expect(ending.length).toBe(reason === 'crash_budget_exhausted' ? 0 : 1)
      if (ending.length > 0) expect(drive.timeline.at(-1)).toEqual(ending[0])
    }),
    { numRuns: runs },
  )
})
