import type { AnswerAssessment, AnsweredRound } from '../../src/planning/assess-answer.ts'

const everything = {
  desired_outcome: '## Desired Outcome\n- notes of ten lines',
  non_goals: '## Non Goals\n- no new files',
  acceptance_criteria: '## Acceptance Criteria\n- `wc -l notes.txt` says 10',
  constraints: '## Constraints\n- plain text',
  decision_boundaries: '## Decision Boundaries\n- stop before deleting',
  likely_touchpoints: '## Likely Touchpoints\n- notes.txt',
} as const

type Slot = keyof typeof everything

/** A brief that says everything, but for some sections that are missing or say something else. */
export function briefWith(changes: Partial<Record<Slot, string | null>> = {}): string {
  const sections = { ...everything, ...changes }
  return Object.values(sections)
    .filter((section) => section !== null)
    .join('\n')
}

const vagueTask = 'Tidy up'
const repositoryTask = 'Tidy up notes.txt'
const plainAnswer = 'Ten lines are what I want'

export interface AssessmentRow {
  readonly rule: string
  readonly brief?: string
  readonly task?: string
  readonly answer?: string
  readonly round?: number
  readonly earlier?: AnsweredRound['pressurePassComplete']
  readonly expected: Partial<AnswerAssessment>
}

/** What one answer leaves open. */
export const assessmentRows: readonly AssessmentRow[] = [
  { rule: 'three words are short', answer: 'ten short lines', expected: { isShort: true } },
  { rule: 'four words are not', answer: 'ten rather short lines', expected: { isShort: false } },
  { rule: 'no answer is short', answer: '', expected: { isShort: true, isBroad: false } },
  ...['better', 'nicer', 'cleaner', 'improve it', 'fix it', 'something', 'somehow', 'maybe', 'around there'].map(
    (word): AssessmentRow => ({
      rule: `"${word}" is broad`,
      answer: `It should be ${word}`,
      expected: { isBroad: true },
    }),
  ),
  {
    rule: 'a part of a word is not broad',
    answer: 'Drop the cleaners of embittered rows',
    expected: { isBroad: false },
  },

  {
    rule: 'nothing is open',
    expected: { unresolved: [], focus: null, missingGates: [], stage: 'boundaries', pressure: null },
  },
  {
    rule: 'without any section, all but the place is open',
    brief: '',
    expected: {
      unresolved: ['desired_outcome', 'non_goals', 'acceptance_criteria', 'constraints', 'decision_boundaries'],
      focus: 'desired_outcome',
    },
  },
  {
    rule: 'the place is open too where the task is about a repository',
    brief: '',
    task: repositoryTask,
    expected: {
      unresolved: [
        'desired_outcome',
        'non_goals',
        'acceptance_criteria',
        'constraints',
        'decision_boundaries',
        'likely_touchpoints',
      ],
    },
  },
  {
    rule: 'the place is open too, and comes first, where the answer is broad',
    brief: '',
    answer: 'Make it somehow better for everybody',
    expected: {
      unresolved: [
        'likely_touchpoints',
        'desired_outcome',
        'non_goals',
        'acceptance_criteria',
        'constraints',
        'decision_boundaries',
      ],
      focus: 'likely_touchpoints',
    },
  },
  {
    rule: 'a short answer that is not broad asks for the outcome first',
    brief: briefWith({ desired_outcome: null, likely_touchpoints: null }),
    task: repositoryTask,
    answer: 'shorter',
    expected: { unresolved: ['desired_outcome', 'likely_touchpoints'] },
  },
  {
    rule: 'a short answer that is broad asks for the place first',
    brief: briefWith({ desired_outcome: null, likely_touchpoints: null }),
    task: repositoryTask,
    answer: 'better',
    expected: { unresolved: ['likely_touchpoints', 'desired_outcome'] },
  },
  ...(['desired_outcome', 'non_goals', 'acceptance_criteria', 'constraints', 'decision_boundaries'] as const).map(
    (slot): AssessmentRow => ({
      rule: `${slot} is open without its section`,
      brief: briefWith({ [slot]: null }),
      expected: { unresolved: [slot], focus: slot },
    }),
  ),
  {
    rule: 'non-goals need an item',
    brief: briefWith({ non_goals: '## Non Goals\n- none' }),
    expected: { unresolved: ['non_goals'], missingGates: ['non_goals'] },
  },
  {
    rule: 'decision boundaries need an item',
    brief: briefWith({ decision_boundaries: '## Decision Boundaries' }),
    expected: { unresolved: ['decision_boundaries'], missingGates: ['decision_boundaries'] },
  },
  {
    rule: 'non-goals in the neutral words settle nothing',
    brief: briefWith({ non_goals: '## Non Goals\n- Nothing has been ruled out.' }),
    expected: { unresolved: ['non_goals'] },
  },
  {
    rule: 'constraints and outcome need no item',
    brief: briefWith({ constraints: '## Constraints\n- none', desired_outcome: '## Desired Outcome' }),
    expected: { unresolved: [] },
  },
  {
    rule: 'criteria that only say the task again settle nothing',
    brief: briefWith({ acceptance_criteria: '## Acceptance Criteria\n- Tidy up notes.txt\n- notes.txt, tidy' }),
    task: repositoryTask,
    expected: { unresolved: ['acceptance_criteria'] },
  },
  {
    rule: 'one criterion with words of its own settles it',
    brief: briefWith({ acceptance_criteria: '## Acceptance Criteria\n- Tidy up notes.txt\n- notes.txt has ten lines' }),
    task: repositoryTask,
    expected: { unresolved: [] },
  },

  ...[
    'do not touch the rest of it',
    'please don’t rename any of them',
    'keep the headings of the file',
    'leave the headings where they are',
    'all the rest stays unchanged please',
    'tests are out of scope here',
    'avoid new files if you can',
    'only the first part of it',
    'stop and ask before you delete',
    'confirm first before you delete anything',
  ].map((answer): AssessmentRow => ({
    rule: `"${answer}" names a boundary`,
    answer,
    expected: { pressurePassComplete: true },
  })),
  ...['the bookkeeper wants it so', 'all commonly used parts of it', 'leaves of the trees are green'].map(
    (answer): AssessmentRow => ({ rule: `"${answer}" names none`, answer, expected: { pressurePassComplete: false } }),
  ),
  {
    rule: 'a boundary stays named',
    round: 2,
    earlier: true,
    expected: { pressurePassComplete: true, missingGates: [] },
  },

  { rule: 'no pressure pass is due in round 1', round: 1, expected: { missingGates: [] } },
  {
    rule: 'from round 2 on it is',
    round: 2,
    expected: { missingGates: ['pressure_pass'], stage: 'readiness', pressure: null },
  },
  {
    rule: 'all gates at once',
    round: 3,
    brief: briefWith({ non_goals: null, decision_boundaries: null }),
    expected: { missingGates: ['non_goals', 'decision_boundaries', 'pressure_pass'], stage: 'readiness' },
  },

  { rule: 'no pressure in round 1', round: 1, brief: '', expected: { pressure: null } },
  {
    rule: 'a broad answer is pressed for an example',
    round: 2,
    brief: '',
    answer: 'Make it somehow nicer for everybody',
    expected: { pressure: 'example' },
  },
  {
    rule: 'without non-goals it is pressed for a tradeoff',
    round: 2,
    brief: briefWith({ non_goals: null }),
    expected: { pressure: 'tradeoff' },
  },
  {
    rule: 'without decision boundaries it is pressed for a tradeoff',
    round: 2,
    brief: briefWith({ decision_boundaries: null }),
    expected: { pressure: 'tradeoff' },
  },
  {
    rule: 'else it is pressed for an assumption',
    round: 2,
    brief: briefWith({ constraints: null }),
    expected: { pressure: 'assumption' },
  },
  {
    rule: 'no pressure once a boundary was named',
    round: 2,
    brief: briefWith({ constraints: null }),
    answer: 'keep the rest as it was',
    expected: { pressure: null },
  },

  {
    rule: 'the stage is readiness while a gate is missing',
    brief: briefWith({ non_goals: null }),
    expected: { stage: 'readiness' },
  },
  {
    rule: 'else intent while the outcome is open',
    brief: briefWith({ desired_outcome: null }),
    expected: { stage: 'intent' },
  },
  { rule: 'else boundaries', brief: briefWith({ constraints: null }), expected: { stage: 'boundaries' } },
]

export const plain = { task: vagueTask, answer: plainAnswer, round: 1 } as const

export interface ReviewRow {
  readonly rule: string
  readonly brief: string
  readonly answer?: string
  readonly round: number
  readonly rounds: number
  readonly code: string
  readonly next: 'ask_again' | 'leave'
}

/** What follows from an answer. */
export const reviewRows: readonly ReviewRow[] = [
  { rule: 'nothing is open', brief: briefWith(), round: 1, rounds: 2, code: 'clarify_complete', next: 'leave' },
  {
    rule: 'nothing is open in the last round',
    brief: briefWith(),
    round: 2,
    rounds: 2,
    code: 'clarify_complete',
    next: 'leave',
  },
  { rule: 'open, rounds left', brief: '', round: 1, rounds: 2, code: 'clarify_follow_up_needed', next: 'ask_again' },
  {
    rule: 'open, rounds left, a boundary was named',
    brief: '',
    answer: 'only the headings of it',
    round: 2,
    rounds: 3,
    code: 'clarify_follow_up_needed',
    next: 'ask_again',
  },
  {
    rule: 'open, rounds left, no boundary was named by round 2',
    brief: '',
    round: 2,
    rounds: 3,
    code: 'clarify_pressure_pass_required',
    next: 'ask_again',
  },
  {
    rule: 'open, the one round is used',
    brief: '',
    round: 1,
    rounds: 1,
    code: 'clarify_budget_exhausted',
    next: 'leave',
  },
  { rule: 'no rounds are one round', brief: '', round: 1, rounds: 0, code: 'clarify_budget_exhausted', next: 'leave' },
  {
    rule: 'open, both rounds are used, no boundary was named',
    brief: '',
    round: 2,
    rounds: 2,
    code: 'clarify_budget_exhausted_without_pressure_pass',
    next: 'leave',
  },
  {
    rule: 'open, both rounds are used, a boundary was named',
    brief: '',
    answer: 'only the headings of it',
    round: 2,
    rounds: 2,
    code: 'clarify_budget_exhausted',
    next: 'leave',
  },
]

export const questionRows: readonly [text: string, question: string | null][] = [
  ['Which file should change?', 'Which file should change?'],
  ['Sure! Let me ask. Which file should change? And why?', 'Which file should change?'],
  ['**Question:** **Which file should change?**', 'Which file should change?'],
  ['1. Should src/app.ts keep\n   its name?', 'Should src/app.ts keep its name?'],
  ['- "What stays out of scope?"', 'What stays out of scope?'],
  ['well, is it this? Or that one?', 'Or that one?'],
  ['```\nIs this code?\n```\nIs this prose?', 'Is this prose?'],
  ['你想要什么？', '你想要什么？'],
  ['what about lower case?', null],
  ['No question at all.', null],
  ['', null],
]
