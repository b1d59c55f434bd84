import type { Freshness, FreshnessInput } from '../../src/planning/assess-freshness.ts'
import type { FreshnessEvidence } from '../../src/ledger/freshness-evidence.ts'

export const task = 'Write the greeting into hello.txt'
export const fits: FreshnessInput = {
  plan: {
    implementation: '## File Changes\n- `hello.txt`: the greeting\n## Execution Order\n1. Write the greeting',
    verification: '## Acceptance Criteria\n- hello.txt holds the greeting',
  },
  brief: { text: '## Task Statement\n- Write the greeting into hello.txt\n## Likely Touchpoints\n- hello.txt' },
  touchedFiles: ['hello.txt'],
  criteria: ['hello.txt holds the greeting'],
  task,
  lastVerification: null,
}

export interface FreshnessRow {
  readonly rule: string
  readonly change: Partial<FreshnessInput>
  readonly codes: Freshness['codes']
  readonly strategy: Freshness['strategy']
  readonly kinds?: readonly FreshnessEvidence['kind'][]
}

/** What makes plan and brief stale, and how the work gets back to some that fit. */
export const freshnessRows: readonly FreshnessRow[] = [
  { rule: 'everything fits', change: {}, codes: [], strategy: 'none', kinds: [] },
  { rule: 'everything fits, without a brief', change: { brief: null }, codes: [], strategy: 'none' },
  {
    rule: 'everything fits, and verification failed',
    change: { lastVerification: 'failed' },
    codes: [],
    strategy: 'none',
  },

  {
    rule: 'a touched file that only the brief mentions',
    change: {
      touchedFiles: ['hello.txt', 'notes.md'],
      brief: { text: `## Task Statement\n- ${task}\n## Likely Touchpoints\n- notes.md` },
    },
    codes: ['touched_files_outside_plan'],
    strategy: 'plan_refresh',
    kinds: ['confirmed_touchpoint'],
  },
  {
    rule: 'a touched file outside the plan, without a brief',
    change: { touchedFiles: ['notes.md'], brief: null },
    codes: ['touched_files_outside_plan'],
    strategy: 'plan_refresh',
    kinds: ['confirmed_touchpoint'],
  },
  {
    rule: 'a criterion outside the plan',
    change: { criteria: ['The farewell stands in bye.txt'], brief: null },
    codes: ['acceptance_criteria_outside_plan'],
    strategy: 'plan_refresh',
    kinds: ['acceptance_anchor', 'inferred_touchpoint'],
  },
  {
    rule: 'the task itself as a criterion is covered',
    change: { criteria: [`- ${task}`], brief: null },
    codes: [],
    strategy: 'none',
  },
  {
    rule: 'that runtime evidence is to be shown is covered',
    change: { criteria: ['Show runtime evidence that everything works'], brief: null },
    codes: [],
    strategy: 'none',
  },
  {
    rule: 'both kinds of a stale plan',
    change: { touchedFiles: ['notes.md'], criteria: ['The farewell stands'], brief: null },
    codes: ['touched_files_outside_plan', 'acceptance_criteria_outside_plan'],
    strategy: 'plan_refresh',
  },

  {
    rule: 'a criterion outside the brief, and verification failed',
    change: {
      criteria: ['hello.txt holds the greeting'],
      brief: { text: `## Task Statement\n- ${task}`.replace('greeting into hello.txt', 'greeting') },
      task: 'Write the greeting',
      lastVerification: 'failed',
    },
    codes: ['brief_missing_acceptance_scope'],
    strategy: 'clarify_reentry',
    kinds: ['verification_contradiction'],
  },
  {
    rule: 'a criterion outside the brief, and verification did not fail',
    change: {
      criteria: ['hello.txt holds the greeting'],
      brief: { text: '## Task Statement\n- Write the greeting' },
      task: 'Write the greeting',
      lastVerification: 'passed',
    },
    codes: [],
    strategy: 'none',
  },
  {
    rule: 'a touched file outside plan and brief',
    change: { touchedFiles: ['notes.md'] },
    codes: ['touched_files_outside_plan', 'touchpoints_outside_brief'],
    strategy: 'full_replan',
    kinds: ['confirmed_touchpoint', 'confirmed_touchpoint'],
  },
  {
    rule: 'a touched file that the brief ruled out',
    change: {
      touchedFiles: ['notes.md'],
      brief: { text: `## Task Statement\n- ${task}\n## Non Goals\n- no changes to notes.md` },
    },
    codes: ['touched_files_outside_plan', 'touchpoints_outside_brief'],
    strategy: 'full_replan',
    kinds: ['confirmed_touchpoint', 'confirmed_touchpoint', 'contradicted_assumption'],
  },
  {
    rule: 'a touched file that the brief assumed to stay as it is',
    change: {
      touchedFiles: ['notes.md'],
      brief: { text: `## Task Statement\n- ${task}\n## Assumptions\n- notes.md stays out of scope` },
    },
    codes: ['touched_files_outside_plan', 'touchpoints_outside_brief'],
    strategy: 'full_replan',
    kinds: ['confirmed_touchpoint', 'confirmed_touchpoint', 'contradicted_assumption'],
  },
  {
    rule: 'a task that the brief does not cover',
    change: { task: 'Translate all farewells', criteria: [] },
    codes: ['task_drifted_beyond_brief'],
    strategy: 'clarify_reentry',
    kinds: ['task_boundary_change'],
  },
  {
    rule: 'a task that only the contract of the brief names',
    change: { brief: { text: `> Workflow contract (brief): …\n> Task: ${task}\n\n## Constraints\n- short` } },
    codes: ['task_drifted_beyond_brief'],
    strategy: 'clarify_reentry',
  },
  {
    rule: 'everything at once',
    change: {
      touchedFiles: ['notes.md'],
      criteria: ['The farewell stands'],
      task: 'Translate it all',
      lastVerification: 'failed',
    },
    codes: [
      'touched_files_outside_plan',
      'acceptance_criteria_outside_plan',
      'brief_missing_acceptance_scope',
      'touchpoints_outside_brief',
      'task_drifted_beyond_brief',
    ],
    strategy: 'full_replan',
  },
  {
    rule: 'a plan that is kept elsewhere proves nothing',
    change: {
      plan: { implementation: { blob: 'b', bytes: 70_000, excerpt: '' }, verification: '' },
      touchedFiles: ['notes.md'],
      brief: null,
    },
    codes: [],
    strategy: 'none',
  },
  {
    rule: 'a brief that is kept elsewhere proves nothing',
    change: { brief: { text: { blob: 'b', bytes: 70_000, excerpt: '' } }, task: 'Translate it all', criteria: [] },
    codes: [],
    strategy: 'none',
  },
]

export const mentionRows: readonly [rule: string, text: string, path: string, mentioned: boolean][] = [
  ['by path', 'change `src/a.ts` first', 'src/a.ts', true],
  ['by name', 'change a.ts first.', 'src/a.ts', true],
  ['by an absolute path', 'change /home/me/src/a.ts', 'src/a.ts', true],
  ['in other letters', 'change README.MD', 'readme.md', true],
  ['by a folder above it', 'everything in src/routing/, for short', 'src/routing/a.ts', true],
  ['by a folder with a star', 'all of src/routing/**', 'src/routing/deep/a.ts', true],
  ['with spaces', 'the user profile', 'src/user-profile.ts', true],
  ['with underscores', 'the user_profile', 'src/user-profile.ts', true],
  ['without separators', 'the userprofile', 'src/user_profile.ts', true],
  ['in one word with capitals', 'the user profile', 'src/UserProfile.tsx', true],
  ['with its ending as a word', 'notes txt', 'notes.txt', true],
  ['on Windows', 'change src\\a.ts', 'src/a.ts', true],
  ['another file of the folder', 'change src/routing/b.ts', 'src/routing/a.ts', false],
  ['a folder without its slash', 'the src of all', 'src/a.ts', false],
  ['a longer name', 'change data.ts', 'a.ts', false],
  ['a name with more behind it', 'change a.tsx and a.ts.bak', 'a.ts', false],
  ['another ending', 'change user-profile.js', 'src/user-profile.ts', false],
  ['one word of the name', 'the user', 'src/user-profile.ts', false],
  ['a plain stem', 'take notes', 'notes.txt', false],
  ['nothing', '', 'a.ts', false],
]

export const coverageRows: readonly [rule: string, text: string, statement: string, covered: boolean][] = [
  ['word for word', 'First write the greeting, then go', 'Write the greeting', true],
  ['two significant words', 'the greeting is what hello.txt holds', 'greeting of hello', true],
  ['the one that it has', 'a greeting', 'The greeting', true],
  ['one of two', 'a greeting', 'The greeting stands', false],
  ['two of three', 'a greeting stands', 'The greeting stands alone', true],
  ['a part of a word', 'the address', 'add it: addendum', false],
  ['no significant words', 'anything', 'it is so', true],
  ['nothing', '', 'The greeting', false],
]
