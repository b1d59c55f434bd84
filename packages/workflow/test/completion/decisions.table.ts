import type { EventInput } from '@loader/session-core'
import type { EntryKind, Verdict, WorkflowMode } from '@loader/session-core/coding'
import type { DriveOptions } from './drive.ts'
import { bash, edit, read, says, type ScriptedAnswer, write } from './story.ts'
import { mended, sumProject, testOf } from './sum-project.ts'

/** What the timeline has to say, in this order; other entries may stand between. */
export interface ExpectedEntry {
  readonly code: string
  readonly kind: EntryKind
  readonly stage?: string
  readonly outcome?: string
  readonly mode?: WorkflowMode
}

export interface DecisionRow {
  /** The table and its row. */
  readonly row: string
  readonly when: string
  readonly options: DriveOptions
  readonly setup?: readonly EventInput[]
  readonly answers: readonly ScriptedAnswer[]
  readonly entries: readonly ExpectedEntry[]
  /** Codes that must not appear. */
  readonly without?: readonly string[]
  /** What a note to the model begins with. */
  readonly note?: string
  readonly reason?: string
  readonly verdict?: Verdict
}

const fix = 'Fix sum: it subtracts.'
const userCheck = [{ command: 'npm test' }]
const project: DriveOptions = { task: fix, files: sumProject, doneWhen: userCheck }
const question: DriveOptions = { task: 'What does sum do?', files: sumProject }
const done = says('Done: sum adds now.')
const broken = write('src/sum.mjs', 'export const sum = (a, b) => a * b\n')

const accepted = {
  code: 'completion_response_accepted',
  kind: 'completion_check',
  stage: 'continuation_check',
  outcome: 'accept',
} as const
const nudged = {
  code: 'premature_completion_nudge',
  kind: 'completion_continue',
  stage: 'continuation_check',
  outcome: 'continue',
} as const
const passedGate = {
  code: 'verification_passed',
  kind: 'completion_complete',
  stage: 'definition_of_done',
  outcome: 'complete',
} as const
const observed = (status: 'passed' | 'failed' | 'skipped') =>
  ({
    code: `verification_command_${status}`,
    kind: 'verify_observation',
    stage: 'verification',
    outcome: status,
  }) as const
const handoff = { code: 'definition_of_done_requires_verification', kind: 'handoff', mode: 'verify' } as const
const pending = {
  code: 'verification_pending',
  kind: 'verify_observation',
  stage: 'verification',
  outcome: 'pending',
} as const

function todos(...texts: readonly string[]): EventInput {
  return {
    type: 'todos.updated',
    todos: texts.map((text, index) => ({ id: `todo_${index}`, text, status: 'pending' })),
  }
}

function plan(...files: readonly string[]): EventInput {
  const implementation = [
    '## File Changes',
    ...files.map((path) => `- ${path}`),
    '## Execution Order',
    '1. Write them',
  ].join('\n')
  return { type: 'plan.written', plan: { implementation } }
}

/** A table of `decision after a text-only response`, in its order. */
const textOnly: readonly DecisionRow[] = [
  {
    row: '5.2/1 text loop',
    when: 'the model says the same for the third time',
    options: { task: fix, files: sumProject },
    answers: [says('Which file do you mean?')],
    entries: [
      nudged,
      nudged,
      { code: 'text_loop_bailout', kind: 'completion_finalize', stage: 'text_loop', outcome: 'finalize' },
    ],
    reason: 'text_loop_bailout',
  },
  {
    row: '5.2/3 continuation check, accept',
    when: 'a question is answered',
    options: question,
    answers: [says('It returns the difference of two numbers.')],
    entries: [accepted],
    reason: 'turn_complete',
  },
  {
    row: '5.2/3 continuation check, continue',
    when: 'nothing was done yet, then it is',
    options: project,
    answers: [says('I will look at it soon.'), says('', edit(...mended)), done],
    entries: [nudged, passedGate],
    note: '[NOT DONE YET]',
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.2/3 continuation check, finalize',
    when: 'the model claims again and again what it has not done',
    options: { ...project, limits: { maxNudges: 2 } },
    answers: [done],
    entries: [
      nudged,
      nudged,
      {
        code: 'continuation_budget_exhausted',
        kind: 'completion_finalize',
        stage: 'continuation_check',
        outcome: 'finalize',
      },
    ],
    reason: 'continuation_budget_exhausted',
    verdict: 'unverified',
  },
  {
    row: '5.2/3 only where nothing was changed',
    when: 'something was changed, no entry says that the answer was accepted',
    options: project,
    answers: [says('', edit(...mended)), done],
    entries: [passedGate],
    without: ['completion_response_accepted'],
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.2/4 the gate',
    when: 'the answer was accepted, the gate is asked as well',
    options: question,
    answers: [says('It returns the difference of two numbers.')],
    entries: [
      accepted,
      { code: 'verification_not_required', kind: 'verify_skip', stage: 'verification', outcome: 'skipped' },
      {
        code: 'non_mutating_response_accepted',
        kind: 'completion_complete',
        stage: 'definition_of_done',
        outcome: 'complete',
      },
    ],
    reason: 'turn_complete',
  },
]

/** A table of the definition-of-done gate, in its order. */
const gate: readonly DecisionRow[] = [
  {
    row: '5.4/1',
    when: 'a planned file is not there',
    options: { task: fix, files: sumProject },
    setup: [plan('src/sum.mjs', 'docs/sum.md')],
    answers: [says('', edit(...mended)), done, says('', write('docs/sum.md', '# sum\n')), done],
    entries: [
      {
        code: 'planned_artifacts_missing_continue',
        kind: 'completion_continue',
        stage: 'definition_of_done',
        outcome: 'continue',
      },
      passedGate,
    ],
    note: '[PLANNED ARTIFACTS STILL MISSING]\n- docs/sum.md',
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.4/1',
    when: 'it is never there',
    options: { task: fix, files: sumProject, limits: { maxNudges: 1 } },
    setup: [plan('docs/sum.md')],
    answers: [says('', edit(...mended)), done],
    entries: [
      { code: 'planned_artifacts_missing_continue', kind: 'completion_continue' },
      {
        code: 'continuation_budget_exhausted',
        kind: 'completion_finalize',
        stage: 'definition_of_done',
        outcome: 'finalize',
      },
    ],
    reason: 'continuation_budget_exhausted',
    verdict: 'unverified',
  },
  {
    row: '5.4/2',
    when: 'items are open and nothing was changed',
    options: question,
    setup: [todos('Look at the tests as well')],
    answers: [says('It returns the difference of two numbers.')],
    entries: [
      accepted,
      { code: 'pending_items_continue', kind: 'completion_continue', stage: 'definition_of_done', outcome: 'continue' },
    ],
    note: '[PENDING WORK REMAINS]\nStill open:\n- [pending] Look at the tests as well',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.4/2',
    when: 'the open item only repeats the task, and there was nothing to do',
    options: { ...question, task: 'Is sum right?' },
    setup: [todos('Is sum right')],
    answers: [says('Nothing needs to be changed.')],
    entries: [{ code: 'non_mutating_response_accepted', kind: 'completion_complete' }],
    without: ['pending_items_continue'],
    reason: 'turn_complete',
  },
  {
    row: '5.4/3',
    when: 'nothing has to be verified',
    options: question,
    answers: [says('It returns the difference of two numbers.')],
    entries: [
      { code: 'verification_not_required', kind: 'verify_skip' },
      { code: 'non_mutating_response_accepted', kind: 'completion_complete' },
    ],
    without: ['verification_pending'],
    reason: 'turn_complete',
  },
  {
    row: '5.4/3',
    when: 'a command ran and left everything as it was',
    options: { task: 'Run the tests and tell me what fails.', files: sumProject },
    answers: [says('', bash('npm test')), says('One test fails: sum(2, 3) is -1.')],
    entries: [accepted, { code: 'non_mutating_response_accepted', kind: 'completion_complete' }],
    without: ['verification_pending'],
    reason: 'turn_complete',
  },
  {
    row: '5.4/4',
    when: 'the checks have failed and nothing has changed since',
    options: project,
    answers: [says('', broken), done, says('It is done all the same.'), says('', edit('src/sum.mjs', '*', '+')), done],
    entries: [
      observed('failed'),
      {
        code: 'verification_failed_no_new_changes',
        kind: 'completion_continue',
        stage: 'definition_of_done',
        outcome: 'continue',
      },
      passedGate,
    ],
    note: '[DEFINITION OF DONE CHECK STILL FAILING]',
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.4/4',
    when: 'that is said until no retry is left',
    options: { ...project, limits: { verificationRetries: 2 } },
    answers: [says('', broken), done],
    entries: [
      { code: 'verification_failed_reentry', kind: 'completion_continue' },
      { code: 'verification_failed_no_new_changes', kind: 'completion_continue' },
      {
        code: 'verification_retry_budget_exhausted',
        kind: 'completion_complete',
        stage: 'definition_of_done',
        outcome: 'complete',
      },
    ],
    reason: 'verification_retry_budget_exhausted',
    verdict: 'failed',
  },
  {
    row: '5.4/5',
    when: 'something was changed',
    options: project,
    answers: [says('', edit(...mended)), done],
    entries: [
      {
        code: 'verification_planned',
        kind: 'verify_observation',
        stage: 'verification',
        outcome: 'planned',
        mode: 'execute',
      },
      handoff,
      { ...pending, mode: 'verify' },
      observed('passed'),
    ],
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.4/5a',
    when: 'all checks have passed',
    options: project,
    answers: [says('', edit(...mended)), done],
    entries: [observed('passed'), passedGate],
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.4/5a, shown to be there only',
    when: 'all that the checks can show is that the files are there',
    options: { task: 'Write hello.txt.' },
    answers: [says('', write('hello.txt', 'hello\n')), says('Done.')],
    entries: [
      observed('passed'),
      { code: 'presence_only_accepted', kind: 'completion_complete', stage: 'definition_of_done', outcome: 'complete' },
    ],
    reason: 'turn_complete',
    verdict: 'present',
  },
  {
    row: '5.4/5a, passed but not counted',
    when: 'the checks have passed and one was altered',
    options: project,
    answers: [says('', edit('test/sum.test.mjs', '5', '-1')), done],
    entries: [
      observed('passed'),
      {
        code: 'verification_inconclusive',
        kind: 'completion_complete',
        stage: 'definition_of_done',
        outcome: 'complete',
      },
    ],
    reason: 'turn_complete',
    verdict: 'unverified',
  },
  {
    row: '5.4/5a, skipped',
    when: 'a check cannot be run here',
    options: {
      task: 'Write a.py.',
      shell: (command) => ({ exitCode: command.startsWith('python3') ? 127 : 0, output: '' }),
    },
    answers: [says('', write('a.py', 'a = 1\n')), says('Done.')],
    entries: [observed('skipped'), { code: 'verification_inconclusive', kind: 'completion_complete' }],
    reason: 'turn_complete',
    verdict: 'unverified',
  },
  {
    row: '5.4/5b',
    when: 'they have failed and no retry is left',
    options: { ...project, limits: { verificationRetries: 0 } },
    answers: [says('', broken), done],
    entries: [
      observed('failed'),
      {
        code: 'verification_retry_budget_exhausted',
        kind: 'completion_complete',
        stage: 'definition_of_done',
        outcome: 'complete',
      },
    ],
    without: ['verification_failed_reentry'],
    reason: 'verification_retry_budget_exhausted',
    verdict: 'failed',
  },
  {
    row: '5.4/5c',
    when: 'they have failed and a retry is left',
    options: project,
    answers: [says('', broken), done, says('', edit('src/sum.mjs', '*', '+')), done],
    entries: [
      observed('failed'),
      { code: 'verification_failed_reentry', kind: 'reentry', mode: 'execute' },
      {
        code: 'verification_failed_reentry',
        kind: 'completion_continue',
        stage: 'definition_of_done',
        outcome: 'continue',
        mode: 'execute',
      },
      handoff,
      pending,
      observed('passed'),
      passedGate,
    ],
    note: '[DEFINITION OF DONE CHECK FAILED]\nAttempt 1, with at most 3 retries.',
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.5 no commands at all',
    when: 'nothing is known that could show it',
    options: { task: 'Write a long text.' },
    answers: [says('', write('long.txt', 'line\n'.repeat(200))), says('Done.')],
    entries: [
      { code: 'verification_commands_missing', kind: 'verify_observation', stage: 'verification', outcome: 'missing' },
      {
        code: 'verification_commands_missing',
        kind: 'completion_complete',
        stage: 'definition_of_done',
        outcome: 'complete',
      },
    ],
    reason: 'turn_complete',
    verdict: 'unverified',
  },
  {
    row: '5.5 attempts',
    when: 'what has passed is stale after the next change',
    options: {
      ...project,
      doneWhen: [...userCheck, { command: 'grep "a + b" src/sum.mjs' }],
      files: { ...sumProject, 'test/sum.test.mjs': testOf(`test('adds', () => assert.equal(sum(0, 0), 0))`) },
    },
    answers: [says('', broken), done, says('', edit('src/sum.mjs', '*', '+')), done],
    entries: [
      observed('passed'),
      observed('failed'),
      { code: 'verification_failed_reentry', kind: 'completion_continue' },
      { code: 'verification_stale', kind: 'verify_observation', stage: 'verification', outcome: 'stale' },
      pending,
      observed('passed'),
      observed('passed'),
      passedGate,
    ],
    reason: 'turn_complete',
    verdict: 'verified',
  },
]

/** A table of the gaps that the continuation check looks for. */
const nothing = { task: fix, files: sumProject, limits: { maxNudges: 1 } } as const
const followThrough: readonly (DecisionRow & {
  readonly missing: string
  readonly category: string
  readonly status: 'missing' | 'contradicts'
})[] = [
  {
    row: '5.3 tracked work',
    when: 'items are open',
    options: { ...nothing, task: 'Tidy up.' },
    setup: [todos('Sort the imports')],
    answers: [says('Done.')],
    entries: [nudged],
    missing: 'the tracked work being finished',
    category: 'tracked_work',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 tracked work, after a change',
    when: 'something was changed and items are open',
    options: nothing,
    setup: [todos('Sort the imports')],
    answers: [says('', edit(...mended)), done],
    entries: [nudged, passedGate],
    missing: 'the tracked work being finished',
    category: 'tracked_work',
    status: 'missing',
    reason: 'turn_complete',
    verdict: 'verified',
  },
  {
    row: '5.3 action',
    when: 'something is to be done and nothing was',
    options: nothing,
    answers: [says('', read('src/sum.mjs')), says('It subtracts.')],
    entries: [nudged],
    missing: 'showing the requested work was actually carried out',
    category: 'action',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 install',
    when: 'something is to be installed and nothing was',
    options: { ...nothing, task: 'Install the dependencies.', shell: () => ({ exitCode: 0, output: '' }) },
    answers: [says('', bash('ls')), says('Done.')],
    entries: [nudged],
    missing: 'showing the dependencies were installed',
    category: 'install',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 verification failed',
    when: 'the check that was run has failed',
    options: { ...nothing, task: 'Fix sum and run the tests.' },
    answers: [says('', bash('npm test')), says('It fails.')],
    entries: [nudged],
    missing: 'a passing verification result from `npm test`',
    category: 'verification',
    status: 'contradicts',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 verification missing',
    when: 'it is to be tried out and no check was run',
    options: { ...nothing, task: 'Fix sum and run the tests.' },
    answers: [says('', bash('echo ok')), says('It is fixed.')],
    entries: [nudged],
    missing: 'showing the result was run or verified',
    category: 'verification',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 verification missing, with a command that is known',
    when: 'the user has said how to try it out',
    options: { ...nothing, task: 'Fix sum and run the tests.', doneWhen: userCheck },
    answers: [says('', bash('echo ok')), says('It is fixed.')],
    entries: [nudged],
    missing: 'a passing verification result from `npm test`',
    category: 'verification',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
    verdict: 'unverified',
  },
  {
    row: '5.3 scope',
    when: 'a large task has seen hardly any call',
    options: { ...nothing, task: 'Create a project with a server.' },
    answers: [says('', bash('true')), says('It is set up.')],
    entries: [nudged],
    missing: 'showing that the whole task was worked on',
    category: 'task_scope',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 deflection',
    when: 'the answer hands the step back',
    options: nothing,
    answers: [says('You can run sed to fix it.')],
    entries: [nudged],
    missing: 'showing the requested work was actually carried out',
    category: 'response',
    status: 'contradicts',
    reason: 'continuation_budget_exhausted',
  },
  {
    row: '5.3 informational task',
    when: 'a question is answered by the announcement of a look',
    options: { ...question, limits: { maxNudges: 1 } },
    answers: [says('Let me look at src/sum.mjs.')],
    entries: [nudged],
    missing: 'an answer to the question',
    category: 'response',
    status: 'missing',
    reason: 'continuation_budget_exhausted',
  },
]

export const decisions = { textOnly, gate, followThrough } as const

/** Codes of verification and completion, as far as these decisions make them. */
export const codes = [
  'definition_of_done_requires_verification',
  'verification_planned',
  'verification_pending',
  'verification_stale',
  'verification_command_passed',
  'verification_command_failed',
  'verification_command_skipped',
  'verification_commands_missing',
  'verification_not_required',
  'verification_failed_reentry',
  'text_loop_not_detected',
  'text_loop_bailout',
  'completion_response_accepted',
  'premature_completion_nudge',
  'continuation_budget_exhausted',
  'planned_artifacts_missing_continue',
  'pending_items_continue',
  'non_mutating_response_accepted',
  'verification_passed',
  'verification_failed_no_new_changes',
  'verification_retry_budget_exhausted',
  // What passes without showing that the work is right.
  'presence_only_accepted',
  'verification_inconclusive',
] as const
