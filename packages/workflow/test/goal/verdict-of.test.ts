import type { SessionState } from '@loader/session-core'
import type { Evidence, Goal, Verdict } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { goalOfTurn } from '../../src/goal/goal-of-turn.ts'
import { isDone, standing, verdictOf } from '../../src/goal/verdict-of.ts'
import { Drive } from '../completion/drive.ts'
import { edit } from '../completion/story.ts'
import { mended, sumProject } from '../completion/sum-project.ts'

/** A turn whose checks have run and passed, just before it is judged. */
function verified(...doneWhen: readonly string[]): SessionState & { readonly goal: Goal } {
  const drive = new Drive({ task: 'Fix sum.', files: sumProject, doneWhen: doneWhen.map((command) => ({ command })) })
  drive.answer({ text: '', calls: [edit(...mended)] })
  drive.answer({ text: 'Done.' })
  while (!drive.codes.includes('verification_passed')) drive.step()
  const { goal } = drive.state
  if (goal === null) throw new Error('no goal was defined')
  return { ...drive.state, goal }
}

type Patch = (evidence: Evidence) => Evidence

function withEvidence<State extends SessionState>(state: State, patch: Patch): State {
  return { ...state, evidence: state.evidence.map(patch) }
}

function verdictFor(state: SessionState): { verdict: Verdict | undefined; reason: string | undefined } {
  const judged = standing(state)
  return { verdict: judged?.verdict, reason: judged?.reasons[0] }
}

describe('the verdict on a check that the user has given', () => {
  const rows: readonly {
    readonly when: string
    readonly patch: Patch
    readonly verdict: Verdict
    readonly reason: string
  }[] = [
    { when: 'it passed', patch: (each) => each, verdict: 'verified', reason: '`npm test` passed (1 test)' },
    {
      when: 'it failed',
      patch: (each) => ({ ...each, outcome: 'failed', exitCode: 2, counts: undefined, output: '' }),
      verdict: 'failed',
      reason: '`npm test` failed (exit code 2)',
    },
    {
      when: 'its exit code is no success, whatever is said of it',
      patch: (each) => ({ ...each, exitCode: 1 }),
      verdict: 'failed',
      reason: '`npm test` failed (exit code 1)',
    },
    {
      when: 'a signal ended it',
      patch: (each) => ({ ...each, exitCode: null, signal: 'SIGKILL' }),
      verdict: 'failed',
      reason: '`npm test` failed (SIGKILL)',
    },
    {
      when: 'tests failed and the exit code hides it',
      patch: (each) => ({ ...each, counts: { passed: 3, failed: 1, skipped: 0 } }),
      verdict: 'failed',
      reason: '`npm test` failed (1 test)',
    },
    {
      when: 'tests failed, as its output says, and nobody counted them',
      patch: (each) => ({ ...each, counts: undefined, output: 'Tests:       2 failed, 1 passed, 3 total\n' }),
      verdict: 'failed',
      reason: '`npm test` failed (2 tests)',
    },
    {
      when: 'no test was run',
      patch: (each) => ({ ...each, counts: { passed: 0, failed: 0, skipped: 4 } }),
      verdict: 'unverified',
      reason: '`npm test` ended well, but not one test was run',
    },
    {
      when: 'it was cut off',
      patch: (each) => ({ ...each, outcome: 'interrupted', exitCode: null }),
      verdict: 'unverified',
      reason: '`npm test` was cut off before it ended',
    },
    {
      when: 'it could not be run',
      patch: (each) => ({ ...each, outcome: 'skipped', exitCode: null }),
      verdict: 'unverified',
      reason: '`npm test` could not be run here',
    },
    {
      when: 'it was run in another folder',
      patch: (each) => ({ ...each, cwd: 'copy' }),
      verdict: 'unverified',
      reason: '`npm test` was run in copy, not in .',
    },
    {
      when: 'something else was run',
      patch: (each) => ({ ...each, command: 'npm test || true' }),
      verdict: 'unverified',
      reason: '`npm test` was asked for, but `npm test || true` was run',
    },
    {
      when: 'the workspace has changed since',
      patch: (each) => ({ ...each, treeAfter: 'something else' }),
      verdict: 'stale',
      reason: 'the workspace has changed since `npm test` was run',
    },
    {
      when: 'nothing says on which files it ran',
      patch: ({ tree: _tree, ...each }) => ({ ...each, fingerprintBefore: 'sha256:a', fingerprintAfter: 'sha256:a' }),
      verdict: 'unverified',
      reason: '`npm test` passed, but on which files is not known: no tree of them was taken',
    },
    {
      when: 'it ran before the work only',
      patch: (each) => ({ ...each, baseline: true }),
      verdict: 'unverified',
      reason: '`npm test` was not run',
    },
  ]

  test.for(rows)('when $when, it is $verdict', ({ patch, verdict, reason }) => {
    expect(verdictFor(withEvidence(verified('npm test'), patch))).toEqual({ verdict, reason })
  })

  test('a folder may be written in several ways', () => {
    const state = verified('npm test')
    expect(verdictFor(withEvidence(state, (each) => ({ ...each, cwd: './' }))).verdict).toBe('verified')
  })

  test('fewer tests than before the work are not the same check', () => {
    const state = verified('npm test')
    const counts = { passed: 1, failed: 2, skipped: 0 }
    const before = state.evidence.map((each) => ({
      ...each,
      runId: 'run_0',
      outcome: 'failed' as const,
      counts,
      baseline: true as const,
    }))
    expect(verdictFor({ ...state, evidence: [...before, ...state.evidence] })).toEqual({
      verdict: 'unverified',
      reason: '`npm test` passed, but with 1 test, where there were 3 before the work',
    })
  })

  test.for(['npm test || true', 'echo ok', 'test -f src/sum.mjs'])('`%s` shows no more than presence', (command) => {
    const state = verified('npm test')
    const goal = { ...state.goal, checks: state.goal.checks.map((check) => ({ ...check, command })) }
    const judged = verdictFor(withEvidence({ ...state, goal }, (each) => ({ ...each, command })))
    expect(judged.verdict).toBe('present')
  })

  test.for([
    ['npm test', 'verified'],
    ['node --test', 'verified'],
    ['node check.mjs', 'present'],
    ['grep -q a src/sum.mjs', 'present'],
    ['npx vitest run src/a.test.ts', 'present'],
  ] as const)('what the model has chosen is believed only where it could fail: `%s` is %s', ([command, verdict]) => {
    const state = verified('npm test')
    const checks = state.goal.checks.map((check) => ({ ...check, command, source: 'plan' }))
    const judged = verdictFor(
      withEvidence({ ...state, goal: { ...state.goal, checks } }, (each) => ({ ...each, command })),
    )
    expect(judged.verdict).toBe(verdict)
  })

  test.for([
    ['node --test', 'unverified'],
    ['pytest -q', 'unverified'],
    ['npx vitest run --reporter=json', 'verified'],
    ['npm test', 'verified'],
  ] as const)('a runner that prints counts has to have printed them: `%s` is %s', ([command, verdict]) => {
    const state = verified('npm test')
    const checks = state.goal.checks.map((check) => ({ ...check, command }))
    const silent = withEvidence({ ...state, goal: { ...state.goal, checks } }, (each) => ({
      ...each,
      command,
      counts: undefined,
      output: '',
    }))
    expect(verdictFor(silent).verdict).toBe(verdict)
  })

  test('nobody having looked since the last change, what it showed is stale', () => {
    const state = verified('npm test')
    const turn = state.turn && { ...state.turn, work: { ...state.turn.work, lastEffectSeq: state.seq } }
    expect(verdictFor({ ...state, turn }).verdict).toBe('stale')
  })

  test('where no tree was taken, a pass is not known to be one of these files, and a failure is one', () => {
    const state = verified('npm test')
    const why = 'There is no git on this machine.'
    const workspace = state.workspace && { ...state.workspace, tree: null, noTree: why }
    expect(verdictFor({ ...state, workspace })).toEqual({
      verdict: 'unverified',
      reason: `\`npm test\` passed, but on which files is not known: ${why}`,
    })
    expect(verdictFor({ ...state, workspace: null }).verdict).toBe('unverified')
    const broken = withEvidence(state, (each) => ({ ...each, exitCode: 1 }))
    expect(verdictFor({ ...broken, workspace }).verdict).toBe('failed')
  })
})

describe('the verdict on a goal', () => {
  const two = (): SessionState & { readonly goal: Goal } => verified('npm test', 'grep "a + b" src/sum.mjs')

  test('is that of its worst criterion', () => {
    const state = two()
    expect(verdictFor(state).verdict).toBe('verified')
    const broken = withEvidence(state, (each) => (each.command === 'npm test' ? { ...each, exitCode: 1 } : each))
    expect(verdictFor(broken).verdict).toBe('failed')
  })

  test('leaves out what the user has waived', () => {
    const state = two()
    const waived = { by: 'user', reason: 'later' }
    const goal = {
      ...state.goal,
      criteria: state.goal.criteria.map((each, index) => (index === 0 ? { ...each, waived } : each)),
    }
    const broken = withEvidence({ ...state, goal }, (each) =>
      each.command === 'npm test' ? { ...each, exitCode: 1 } : each,
    )
    expect(verdictFor(broken)).toEqual({ verdict: 'waived', reason: 'waived by user: later' })
    expect(isDone('waived')).toBe(true)
    expect(isDone('present')).toBe(false)
  })

  test('checks may change the workspace one after the other', () => {
    const state = two()
    const [first, second] = state.evidence
    if (first === undefined || second === undefined || state.workspace === null) throw new Error('two checks have run')
    const chained = {
      ...state,
      workspace: { ...state.workspace, tree: { id: 'c', rest: 'none', leftOut: [] } },
      evidence: [
        { ...first, tree: 'a', treeAfter: 'b' },
        { ...second, tree: 'b', treeAfter: 'c' },
      ],
    }
    expect(verdictFor(chained).verdict).toBe('verified')
    const torn = { ...chained, evidence: [{ ...first, treeAfter: 'x' }, ...chained.evidence.slice(1)] }
    expect(verdictFor(torn)).toEqual({ verdict: 'stale', reason: 'the workspace has changed since `npm test` was run' })
  })

  test('a criterion without a check is unverified, and so is a goal without criteria', () => {
    const state = two()
    const [criterion] = state.goal.criteria
    if (criterion === undefined) throw new Error('there are two criteria')
    expect(verdictOf({ ...criterion, checkIds: [] }, state)).toEqual({
      verdict: 'unverified',
      reasons: ['no check stands for it'],
    })
    expect(verdictFor({ ...state, goal: { ...state.goal, criteria: [] } }).verdict).toBe('unverified')
    expect(verdictFor({ ...state, goal: null }).verdict).toBe(undefined)
  })

  test('a goal of an earlier turn is none', () => {
    const state = two()
    expect(goalOfTurn({ ...state, goal: { ...state.goal, id: 'goal-1' } })).toBe(null)
    expect(goalOfTurn({ ...state, turn: null })).toBe(state.goal)
  })
})
