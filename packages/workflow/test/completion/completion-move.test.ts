import { textOf } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { completionMove } from '../../src/completion/completion-move.ts'
import { defineGoal } from '../../src/goal/define-goal.ts'
import { Drive, type DriveOptions } from './drive.ts'
import { bash, edit, says, write } from './story.ts'
import { mended, sumProject } from './sum-project.ts'

const project: DriveOptions = { task: 'Fix sum: it subtracts.', files: sumProject, doneWhen: [{ command: 'npm test' }] }
const broken = write('src/sum.mjs', 'export const sum = (a, b) => a * b\n')
const done = says('Done: sum adds now.')

function texts(drive: Drive): readonly string[] {
  return drive.state.messages.map(({ content }) => textOf(content)).filter((text) => text !== '')
}

test('without a turn there is nothing to complete', () => {
  const drive = new Drive(project)
  drive.answer(says('', edit(...mended)))
  drive.play([done])
  expect(completionMove(drive.state)).toEqual({ type: 'rest' })
})

describe('a claim that was rejected', () => {
  test('leaves the window with the decision that rejects it', () => {
    const drive = new Drive(project)
    drive.play([says('', broken), done, says('', edit('src/sum.mjs', '*', '+')), says('Fixed now.')])
    const rejection = drive.eventsOf('workflow.decided').find(({ withdraws }) => withdraws !== undefined)
    expect(rejection?.entry).toMatchObject({ kind: 'completion_continue', reasonCode: 'verification_failed_reentry' })
    expect(texts(drive)).not.toContain('Done: sum adds now.')
    expect(texts(drive)).toContain('Fixed now.')
  })

  test('leaves it when nothing was done as well, but the announcement of a step stays', () => {
    const drive = new Drive(project)
    drive.play([done, says('I will now fix it.'), says('', edit(...mended)), says('Fixed now.')])
    expect(texts(drive)).not.toContain('Done: sum adds now.')
    expect(texts(drive)).toContain('I will now fix it.')
  })

  test('does not stand as the answer of a turn that ends unverified', () => {
    const drive = new Drive({ ...project, limits: { verificationRetries: 0 } })
    const finished = drive.play([says('', broken), done])
    expect(finished).toMatchObject({ reason: 'verification_retry_budget_exhausted', verdict: 'failed' })
    expect(finished.responseId).toBe(undefined)
    expect(finished.summary).toBe('Ended without being verified, and no retry is left: `npm test` failed (1 test).')
    expect(texts(drive).at(-1)).toMatch(/^\[DEFINITION OF DONE CHECK FAILED\]\nThe turn ended here/)
  })

  test('an honest last word stands', () => {
    const drive = new Drive({ ...project, limits: { verificationRetries: 0 } })
    const finished = drive.play([says('', broken), says('I could not make the test pass.')])
    expect(finished.responseId).toBe(drive.state.messages.at(-1)?.id)
    expect(texts(drive).at(-1)).toBe('I could not make the test pass.')
  })
})

describe('what a turn says at its end', () => {
  test('names what has shown it', () => {
    const drive = new Drive(project)
    const finished = drive.play([says('', edit(...mended)), done])
    expect(finished).toMatchObject({
      reason: 'turn_complete',
      summary: 'Accepted: `npm test` passed (1 test).',
      verdict: 'verified',
    })
    expect(finished.responseId).toBe(drive.state.messages.at(-1)?.id)
  })

  test('says why it is not more', () => {
    const drive = new Drive(project)
    const { summary } = drive.play([says('', edit('test/sum.test.mjs', '5', '-1')), done])
    expect(summary).toBe(
      'Ended unverified: `npm test` passed, which does not count: test/sum.test.mjs, which belongs to the checks of the project, was modified in this turn.',
    )
  })

  test('has no verdict where there was nothing to verify', () => {
    const drive = new Drive({ task: 'What does sum do?', files: sumProject })
    const finished = drive.play([says('It subtracts.')])
    expect(finished.reason).toBe('turn_complete')
    expect(finished.verdict).toBe(undefined)
  })
})

describe('the note about failed checks', () => {
  test('has the results, what is open, and advice', () => {
    const drive = new Drive({
      ...project,
      doneWhen: [{ command: 'npm test' }, { command: 'npm test && node check.mjs' }],
    })
    drive.record({ type: 'todos.updated', todos: [{ id: 'todo_1', text: 'Sort the imports', status: 'completed' }] })
    drive.play([says('', broken), done])
    const [note] = drive.eventsOf('workflow.decided').flatMap((event) => (event.note === undefined ? [] : [event.note]))
    expect(note).toMatch(/^\[DEFINITION OF DONE CHECK FAILED\]\nAttempt 1, with at most 3 retries\./)
    expect(note).toContain('- FAIL `npm test` (exit code 1)\n')
    expect(note).toContain('  ℹ fail 1')
    expect(note).toContain('  Advice: A test fails:')
    expect(note).not.toContain('Sort the imports')
  })
})

describe('the checks', () => {
  test('all run, also after one has failed', () => {
    const doneWhen = [
      { command: 'npm test' },
      { command: 'grep "a + b" src/sum.mjs' },
      { command: 'test -f src/sum.mjs' },
    ]
    const drive = new Drive({ ...project, doneWhen, limits: { verificationRetries: 0 } })
    drive.play([says('', broken), done])
    expect(drive.eventsOf('check.finished').map(({ evidence }) => evidence.outcome)).toEqual([
      'failed',
      'failed',
      'passed',
    ])
  })

  test('each have their entry, with the attempt and the run that it rests on', () => {
    const drive = new Drive(project)
    drive.play([says('', edit(...mended)), done])
    const run = drive.eventsOf('check.finished').at(-1)?.evidence.runId
    expect(drive.timeline.find(({ reasonCode }) => reasonCode === 'verification_command_passed')).toMatchObject({
      evidenceProvenance: [
        { category: 'verification', source: `check.finished ${run}`, status: 'supports', subject: 'npm test' },
      ],
      verificationObservations: [
        {
          status: 'passed',
          command: 'npm test',
          kind: 'test',
          exitCode: 0,
          attemptId: 'verification-attempt-1',
          attemptNumber: 1,
        },
      ],
    })
  })

  test('that have passed before the work as well are marked', () => {
    const drive = new Drive({ ...project, doneWhen: [{ command: 'test -f package.json' }, { command: 'npm test' }] })
    const { turn } = drive.state
    if (turn === null) throw new Error('the turn is over')
    const goal = defineGoal(drive.state, turn)
    drive.record({ type: 'goal.defined', goal: JSON.parse(JSON.stringify(goal)) })
    for (const check of goal.checks) drive.runBaseline(check)
    drive.play([says('', edit(...mended)), done])
    const details = drive.timeline
      .filter(({ reasonCode }) => reasonCode === 'verification_command_passed')
      .map(({ verificationObservations: [observation] = [] }) => observation?.detail)
    expect(details[0]).toBe('not discriminating: it passed before the work as well')
    expect(details[1]).not.toContain('not discriminating')
  })

  test('number their attempts, and say which one takes the place of which', () => {
    const drive = new Drive({ ...project, doneWhen: [{ command: 'test -f src/sum.mjs' }, { command: 'npm test' }] })
    drive.play([says('', broken), done, says('', edit('src/sum.mjs', '*', '+')), done])
    expect(
      drive.timeline.find(({ reasonCode }) => reasonCode === 'verification_stale')?.verificationObservations,
    ).toMatchObject([
      { attemptNumber: 1, attemptId: 'verification-attempt-1', supersedesAttemptId: 'verification-attempt-2' },
    ])
  })

  /** The process ends during the second check of each attempt, so often, and somebody changes a file before the next. */
  function interrupted(times: number): Drive {
    let runs = 0
    let ended = 0
    return new Drive({
      ...project,
      doneWhen: [{ command: 'npm test' }, { command: 'grep "a + b" src/sum.mjs' }],
      crashes: () => (runs += 1) % 3 === 2 && ended < times && (ended += 1) > 0,
      meanwhile: (files, moment) => {
        if (moment === 'look' && ended > 0) files.set('notes.txt', `note ${ended}`)
      },
    })
  }

  test('run again when the workspace has changed meanwhile', () => {
    const drive = interrupted(1)
    expect(drive.play([says('', edit(...mended)), done]).verdict).toBe('verified')
    expect(drive.eventsOf('check.finished')).toHaveLength(4)
    expect(drive.codes).toContain('verification_stale')
  })

  test('are not run for ever when it changes all the time', () => {
    const drive = interrupted(2)
    const finished = drive.play([says('', edit(...mended)), done])
    expect(finished).toMatchObject({ reason: 'verification_retry_budget_exhausted', verdict: 'stale' })
    expect(drive.eventsOf('check.finished')).toHaveLength(4)
  })

  test('that the end of the process has cut off run again, but not for ever', () => {
    const outcomes = [true, false]
    const once = new Drive({ ...project, crashes: () => outcomes.shift() ?? false })
    expect(once.play([says('', edit(...mended)), done]).verdict).toBe('verified')
    const always = new Drive({ ...project, limits: { maxCrashes: 2 }, crashes: () => true })
    expect(always.play([says('', edit(...mended)), done])).toMatchObject({
      reason: 'crash_budget_exhausted',
      verdict: 'unverified',
    })
    expect(always.eventsOf('check.started')).toHaveLength(3)
  })

  test('that the user has waived do not run', () => {
    const drive = new Drive({ ...project, doneWhen: [{ command: 'npm test' }, { command: 'node check.mjs' }] })
    drive.answer(says('', edit(...mended)))
    const { turn } = drive.state
    if (turn === null) throw new Error('the turn is over')
    const goal = defineGoal(drive.state, turn)
    const criteria = goal.criteria.map((each) =>
      each.text.includes('check.mjs') ? { ...each, waived: { by: 'user' } } : each,
    )
    drive.record({ type: 'goal.defined', goal: JSON.parse(JSON.stringify({ ...goal, criteria })) })
    expect(drive.play([done])).toMatchObject({ reason: 'turn_complete', verdict: 'waived' })
    expect(drive.eventsOf('check.started').map(({ command }) => command)).toEqual(['npm test'])
  })

  test('run once more after the model was told that nothing has changed, when it has done something since', () => {
    const outcomes = [1, 1, 0]
    const drive = new Drive({
      ...project,
      shell: (command) => ({ exitCode: command === 'npm test' ? (outcomes.shift() ?? 0) : 0, output: '' }),
    })
    expect(
      drive.play([
        says('', write('a.txt', 'a')),
        done,
        says('', bash('npm install')),
        done,
        says('', bash('npm rebuild')),
        done,
      ]).verdict,
    ).toBe('verified')
    expect(drive.codes).not.toContain('verification_failed_no_new_changes')
  })
})

test('retries and nudges are counted apart', () => {
  const drive = new Drive({ ...project, limits: { maxNudges: 1, verificationRetries: 1 } })
  const untilAsked = (): void => {
    while (drive.step().type !== 'ask_model') continue
  }
  drive.answer(says('', broken))
  drive.answer(done)
  untilAsked()
  drive.record({ type: 'todos.updated', todos: [{ id: 'todo_1', text: 'Sort the imports', status: 'pending' }] })
  drive.answer(done)
  untilAsked()
  expect(drive.codes.filter((code) => code === 'premature_completion_nudge')).toHaveLength(1)
  expect(drive.play([says('', edit('src/sum.mjs', '*', '+')), done])).toMatchObject({ verdict: 'verified' })
})
