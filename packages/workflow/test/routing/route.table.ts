import type { WorkflowMode } from '@loader/session-core/coding'
import type { RouteInput } from '../../src/routing/route-task.ts'
import type { ModeScores } from '../../src/routing/score-modes.ts'
import type { RoutingContext } from '../../src/routing/signals.ts'

const vague = 'Improve Loader so it feels more like claw-code.'
const complex =
  'Implement a persistent workflow mode router with clarify artifacts, planning artifacts, and verification-plan wiring in the runtime.'
const concrete = 'Create hello.txt in the workspace root.'

export interface RouteRow {
  readonly condition: string
  readonly task: string
  readonly context?: RoutingContext
  readonly clarification?: RouteInput['clarification']
  readonly route: {
    readonly mode: WorkflowMode
    readonly code: string
    readonly kind: 'requested' | 'reentry' | 'artifact_reuse' | 'initial_route'
    readonly score: number
    readonly runnerUp?: readonly [WorkflowMode, number]
    readonly next?: WorkflowMode
  }
}

/** Which route is taken, in the order of deciding. */
export const routeRows: readonly RouteRow[] = [
  {
    condition: 'plan was asked for',
    task: concrete,
    context: { requestedMode: 'plan' },
    route: { mode: 'plan', code: 'explicit_request', kind: 'requested', score: 1, next: 'execute' },
  },
  {
    condition: 'clarify was asked for',
    task: concrete,
    context: { requestedMode: 'clarify' },
    route: { mode: 'clarify', code: 'explicit_request', kind: 'requested', score: 1, next: 'execute' },
  },
  {
    condition: 'execute was asked for, whatever artifacts there are',
    task: vague,
    context: { requestedMode: 'execute', plan: 'stale' },
    route: { mode: 'execute', code: 'explicit_request', kind: 'requested', score: 1 },
  },
  {
    condition: 'verify was asked for',
    task: vague,
    context: { requestedMode: 'verify' },
    route: { mode: 'verify', code: 'explicit_request', kind: 'requested', score: 1 },
  },
  {
    condition: 'clarify was asked for, and is over',
    task: vague,
    context: { requestedMode: 'clarify', brief: 'available' },
    clarification: 'over',
    route: { mode: 'execute', code: 'task_is_concrete', kind: 'initial_route', score: 0.66, runnerUp: ['plan', 0.16] },
  },
  {
    condition: 'the plan is stale',
    task: concrete,
    context: { plan: 'stale' },
    route: {
      mode: 'plan',
      code: 'stale_plan_artifacts',
      kind: 'reentry',
      score: 0.95,
      runnerUp: ['execute', 0.6],
      next: 'execute',
    },
  },
  {
    condition: 'there is a plan',
    task: complex,
    context: { plan: 'available' },
    route: {
      mode: 'execute',
      code: 'existing_plan_artifacts',
      kind: 'artifact_reuse',
      score: 0.9,
      runnerUp: ['plan', 0.45],
    },
  },
  {
    condition: 'clarify wins with exactly 0.55',
    task: vague,
    route: {
      mode: 'clarify',
      code: 'task_is_ambiguous',
      kind: 'initial_route',
      score: 0.55,
      runnerUp: ['execute', 0.52],
      next: 'execute',
    },
  },
  {
    condition: 'clarify would win, but is over',
    task: vague,
    clarification: 'over',
    route: { mode: 'execute', code: 'task_is_concrete', kind: 'initial_route', score: 0.52, runnerUp: ['plan', 0.1] },
  },
  {
    condition: 'plan wins with at least 0.45',
    task: complex,
    route: {
      mode: 'plan',
      code: 'task_is_complex',
      kind: 'initial_route',
      score: 0.75,
      runnerUp: ['execute', 0.56],
      next: 'execute',
    },
  },
  {
    condition: 'plan wins while verification presses',
    task: complex,
    context: { pressure: ['verification'] },
    route: {
      mode: 'plan',
      code: 'verification_pressure_requires_plan',
      kind: 'initial_route',
      score: 0.93,
      runnerUp: ['execute', 0.56],
      next: 'execute',
    },
  },
  {
    condition: 'execute wins',
    task: concrete,
    route: {
      mode: 'execute',
      code: 'task_is_concrete',
      kind: 'initial_route',
      score: 0.68,
      runnerUp: ['clarify', 0.2],
    },
  },
]

/** Which route scores lead to, whatever they were made of. */
export const thresholdRows: readonly [
  condition: string,
  scores: ModeScores,
  mode: WorkflowMode,
  runnerUp: WorkflowMode,
][] = [
  ['clarify wins just below its threshold', { clarify: 0.549, plan: 0.1, execute: 0.5 }, 'execute', 'clarify'],
  ['clarify wins at its threshold', { clarify: 0.55, plan: 0.1, execute: 0.5 }, 'clarify', 'execute'],
  [
    'clarify reaches its threshold once it is rounded',
    { clarify: 0.5496, plan: 0, execute: 0.5 },
    'clarify',
    'execute',
  ],
  ['plan wins just below its threshold', { clarify: 0.1, plan: 0.449, execute: 0.4 }, 'execute', 'plan'],
  ['plan wins at its threshold', { clarify: 0.1, plan: 0.45, execute: 0.4 }, 'plan', 'execute'],
  ['clarify and plan are equal', { clarify: 0.6, plan: 0.6, execute: 0.2 }, 'clarify', 'plan'],
  ['plan and execute are equal', { clarify: 0, plan: 0.6, execute: 0.6 }, 'plan', 'execute'],
  ['all are equal', { clarify: 0.7, plan: 0.7, execute: 0.7 }, 'clarify', 'plan'],
  ['all are nothing', { clarify: 0, plan: 0, execute: 0 }, 'execute', 'clarify'],
  ['scores above one are equal to one', { clarify: 1.2, plan: 3, execute: 0 }, 'clarify', 'plan'],
  ['what is no number is nothing', { clarify: Number.NaN, plan: Number.NaN, execute: 0.1 }, 'execute', 'clarify'],
]

/** What each part of a score adds. The task weighs nothing by itself. */
export const scoreRows: readonly [part: string, mode: keyof ModeScores, RoutingContext, added: number][] = [
  ['a brief is there', 'clarify', { brief: 'available' }, -0.15],
  ['one question is open', 'clarify', { openQuestions: ['One?'] }, 0.04],
  ['three questions are open', 'clarify', { openQuestions: ['1?', '2?', '3?'] }, 0.12],
  ['more questions are open', 'clarify', { openQuestions: ['1?', '2?', '3?', '4?'] }, 0.12],
  [
    'clarified lately, nothing open',
    'clarify',
    { recent: { clarify: 1, reentry: 0, planRefresh: 0, verifySkip: 0 } },
    0,
  ],
  [
    'clarified lately, one question open',
    'clarify',
    { openQuestions: ['One?'], recent: { clarify: 1, reentry: 0, planRefresh: 0, verifySkip: 0 } },
    0.08,
  ],
  ['verification presses', 'plan', { pressure: ['verification'] }, 0.18],
  ['changes press', 'plan', { pressure: ['mutation'] }, 0.12],
  ['a brief is there', 'plan', { brief: 'available' }, 0.06],
  ['questions are open', 'plan', { openQuestions: ['1?', '2?'] }, 0.06],
  [
    'a mode was entered again lately',
    'plan',
    { recent: { clarify: 0, reentry: 2, planRefresh: 0, verifySkip: 0 } },
    0.06,
  ],
  ['a plan was refreshed lately', 'plan', { recent: { clarify: 0, reentry: 0, planRefresh: 1, verifySkip: 0 } }, 0.04],
  ['a brief is there', 'execute', { brief: 'available' }, 0.14],
  ['a question is open', 'execute', { openQuestions: ['One?'] }, -0.05],
  [
    'verification was skipped lately',
    'execute',
    { recent: { clarify: 0, reentry: 0, planRefresh: 0, verifySkip: 1 } },
    0.03,
  ],
  [
    'verification was skipped lately, and presses',
    'execute',
    { pressure: ['verification'], recent: { clarify: 0, reentry: 0, planRefresh: 0, verifySkip: 1 } },
    0,
  ],
]
