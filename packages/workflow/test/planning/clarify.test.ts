import { describe, expect, test } from 'vitest'
import { Decision, type Grounding } from '@loader/session-core/coding'
import { assessAnswer } from '../../src/planning/assess-answer.ts'
import { chooseQuestion, firstFocus, nextFocus } from '../../src/planning/clarify-focus.ts'
import { clarifyProgress } from '../../src/planning/clarify-progress.ts'
import { builtInQuestion } from '../../src/planning/clarify-questions.ts'
import { clarifySlots } from '../../src/planning/clarify-slots.ts'
import { groundedQuestion } from '../../src/planning/grounded-question.ts'
import { parseBrief } from '../../src/planning/parse-brief.ts'
import { readQuestion } from '../../src/planning/read-question.ts'
import { reviewClarify } from '../../src/planning/review-clarify.ts'
import { handoffEntry, routeEntry } from '../../src/timeline/route-entry.ts'
import { begun, decided, stateOf } from '../timeline/recorded.ts'
import { assessmentRows, briefWith, plain, questionRows, reviewRows } from './clarify.table.ts'

describe('an answer', () => {
  test.each(assessmentRows)(
    '$rule',
    ({ brief = briefWith(), task = plain.task, answer = plain.answer, round = 1, earlier, expected }) => {
      const assessment = assessAnswer({
        brief: parseBrief(brief, task),
        task,
        answer,
        round,
        ...(earlier !== undefined && { pressurePassComplete: earlier }),
      })
      expect(assessment).toMatchObject(expected)
    },
  )
})

describe('a review', () => {
  test.each(reviewRows)('$rule: $code', ({ brief, answer = plain.answer, round, rounds, code, next }) => {
    const review = reviewClarify({ ...plain, brief: parseBrief(brief, plain.task), answer, round, rounds })
    expect(review.next).toBe(next)
    expect(review.entry).toMatchObject({
      kind: next === 'leave' ? 'clarify_exit' : 'clarify_continue',
      mode: 'clarify',
      reasonCode: code,
    })
    expect(review.entry.unresolvedQuestions ?? []).toHaveLength(review.assessment.unresolved.length)
    expect(Decision.parse({ id: 'e', ...review.entry })).toEqual({ id: 'e', ...review.entry })
  })
})

test('a review tells stage, pressure, gates, open questions and artifacts', () => {
  const { entry } = reviewClarify({
    ...plain,
    brief: parseBrief(briefWith({ non_goals: null }), plain.task),
    answer: 'better',
    round: 2,
    rounds: 3,
    artifactPaths: ['.loader/briefs/1.md'],
  })
  expect(entry).toEqual({
    kind: 'clarify_continue',
    mode: 'clarify',
    reasonCode: 'clarify_pressure_pass_required',
    summary: 'clarify: 1 question is open, and no boundary was named',
    clarifyStage: 'readiness',
    clarifyPressureKind: 'example',
    pressurePassComplete: false,
    missingReadinessGates: ['non_goals', 'pressure_pass'],
    unresolvedQuestions: [builtInQuestion('non_goals')],
    pressureSummary: ['the answer is short', 'the answer is broad'],
    signalSummary: ['round=2', 'rounds=3'],
    evidenceSummary: ['not settled: non goals'],
    artifactPaths: ['.loader/briefs/1.md'],
  })
})

describe('the next question', () => {
  test('the first one is about the outcome', () => {
    expect(firstFocus).toMatchObject({
      slot: 'desired_outcome',
      pressure: null,
      stage: 'intent',
      unresolved: clarifySlots,
    })
  })

  test('the one after an answer presses as its own round calls for', () => {
    const brief = parseBrief(briefWith({ constraints: null }), plain.task)
    expect(nextFocus({ ...plain, brief })).toEqual({
      slot: 'constraints',
      pressure: 'assumption',
      stage: 'readiness',
      unresolved: ['constraints'],
    })
  })

  test('there is none where nothing is open', () => {
    expect(nextFocus({ ...plain, brief: parseBrief(briefWith(), plain.task) })).toBeNull()
  })
})

test.each(questionRows)('the question in %j is %j', (text, question) => {
  expect(readQuestion(text)).toBe(question)
})

const pressures = [null, 'example', 'tradeoff', 'assumption'] as const
const all = clarifySlots.flatMap((slot) => pressures.map((pressure) => ({ slot, pressure })))
const grounding: Grounding = {
  entries: [],
  referenced: ['notes.txt'],
  missing: [],
  candidates: ['src/notes.ts'],
  facts: [],
}

test('every slot and every pressure has a question of its own, built in and grounded', () => {
  const builtIn = all.map(({ slot, pressure }) => builtInQuestion(slot, pressure))
  const grounded = all.map(({ slot, pressure }) => groundedQuestion(slot, pressure, grounding) ?? '')
  for (const questions of [builtIn, grounded]) {
    expect(new Set(questions).size).toBe(24)
    for (const question of questions) expect(readQuestion(question.replace(/^.*\. /, ''))).not.toBeNull()
  }
})

test('a grounded question names the files that the task points to', () => {
  expect(groundedQuestion('likely_touchpoints', null, grounding)).toBe(
    'Is this about `notes.txt` and `src/notes.ts`, or about something else?',
  )
  const one = { ...grounding, candidates: [] }
  for (const { slot, pressure } of all) {
    expect(groundedQuestion(slot, pressure, grounding)).toContain('`notes.txt`')
    expect(groundedQuestion(slot, pressure, one)).not.toContain('undefined')
    expect(groundedQuestion(slot, pressure, { ...one, referenced: [] })).toBeNull()
  }
})

test('the question of the model comes before a grounded one, and that before the one built in', () => {
  const focus = { slot: 'non_goals', pressure: null } as const
  expect(chooseQuestion(focus, { answer: 'Which part stays?', grounding })).toBe('Which part stays?')
  expect(chooseQuestion(focus, { answer: 'I have no question.', grounding })).toBe(
    groundedQuestion('non_goals', null, grounding),
  )
  expect(chooseQuestion(focus)).toBe(builtInQuestion('non_goals'))
  expect(chooseQuestion(focus, { grounding: { ...grounding, referenced: [], candidates: [] } })).toBe(
    builtInQuestion('non_goals'),
  )
})

describe('how far clarification has come', () => {
  const entered = decided(
    routeEntry({ mode: 'clarify', code: 'task_is_ambiguous', summary: 'vague', decisionKind: 'initial_route' }),
  )
  const review = (answer: string, round: number) =>
    decided(reviewClarify({ ...plain, brief: parseBrief('', plain.task), answer, round, rounds: 2 }).entry)

  test('it has not begun', () => {
    expect(clarifyProgress(stateOf(...begun('Tidy up')))).toBeNull()
  })

  test('round by round', () => {
    const start = [...begun('Tidy up'), entered]
    expect(clarifyProgress(stateOf(...start))).toEqual({
      status: 'asking',
      round: 1,
      pressurePassComplete: false,
      openQuestions: [],
    })
    const second = clarifyProgress(stateOf(...start, review('only the headings', 1)))
    expect(second).toMatchObject({ status: 'asking', round: 2, pressurePassComplete: true })
    expect(second?.openQuestions).toHaveLength(5)
    const over = clarifyProgress(stateOf(...start, review('only the headings', 1), review('so be it then', 2)))
    expect(over).toMatchObject({ status: 'over', round: 2, pressurePassComplete: true })
  })

  test('it is over once another mode was chosen, and begins anew where it is entered again', () => {
    const handoff = decided(handoffEntry({ mode: 'execute', code: 'post_clarify_task_is_concrete', summary: 'go' }))
    const left = [...begun('Tidy up'), entered, review('so be it then', 1), handoff]
    expect(clarifyProgress(stateOf(...left))).toMatchObject({ status: 'over' })
    expect(clarifyProgress(stateOf(...left, entered))).toMatchObject({ status: 'asking', round: 1, openQuestions: [] })
  })
})
