import * as z from 'zod'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { Judgement } from './judgement.ts'
import { StoredText } from './stored-text.ts'
import { Timestamp } from './time.ts'
import { Experiment, TrialFacts } from './trial.ts'
import { lazyObject } from './schema.ts'

/** A command that can show whether a criterion holds. */
export const Check = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  command: z.string().min(1),
  cwd: z.string().optional().describe('relative to the project; absent means its root'),
  kind: z.string().describe('test, typecheck, lint, build, smoke, runtime, …'),
  source: z.string().describe('who asked for it: user, plan, project, derived, …'),
  paths: z.array(z.string()).optional().describe('files that the check consists of'),
  timeoutMs: z.int().min(1).optional().describe('how long it may run'),
  reach: z.enum(['work', 'network']).optional().describe('what it may touch; absent means work'),
}))
export type Check = Immutable<z.infer<typeof Check>>

export const Criterion = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  text: z.string().min(1).describe('what must hold'),
  checkIds: z.array(Id).describe('the checks that must pass for it'),
  source: z.string().optional().describe('task, brief, plan, user, …'),
  waived: z
    .object({ by: z.string().describe('who waived it'), reason: z.string().optional() })
    .optional()
    .describe('it need not be shown'),
}))
export type Criterion = Immutable<z.infer<typeof Criterion>>

/** The definition of done: a task and how to know that it is done. */
export const Goal = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  task: StoredText,
  criteria: z.array(Criterion).describe('all of them must be verified or waived'),
  checks: z.array(Check),
  size: z.enum(['small', 'standard', 'large']).optional().describe('how much work it seems to be'),
  retryBudget: z.int().min(0).optional().describe('how often failed verification may send the work back'),
}))
export type Goal = Immutable<z.infer<typeof Goal>>

/** What one run of a check showed. Only the runtime writes it. */
export const Evidence = /* @__PURE__ */ lazyObject(() => ({
  checkId: Id,
  runId: Id,
  criterionIds: z.array(Id).describe('criteria that the check stands for'),
  command: z.string().describe('the command as it ran'),
  cwd: z.string().optional().describe('relative to the project; absent means its root'),
  outcome: z.enum(['passed', 'failed', 'skipped', 'interrupted']),
  exitCode: z.int().nullable().describe('null when the process ended otherwise'),
  signal: z.string().optional().describe('the signal that ended the process'),
  counts: z
    .object({ passed: z.int().min(0), failed: z.int().min(0), skipped: z.int().min(0) })
    .optional()
    .describe('read from the output of a known runner'),
  output: StoredText.describe('what the check printed'),
  outputDigest: z.string().optional().describe('digest of the whole output'),
  startedAt: Timestamp,
  finishedAt: Timestamp,
  fingerprintBefore: z.string().optional().describe('for versions that know no trees: the workspace before the check'),
  fingerprintAfter: z.string().optional().describe('for versions that know no trees: the workspace after the check'),
  baseline: z
    .literal(true)
    .optional()
    .describe('not the run of the check itself: before the work, or in any other room than `now`'),
  room: z.string().min(1).optional().describe('now, as_is, before, canary, strict, unsuppressed, reversed or emptied'),
  asNow: z.array(z.string()).optional().describe('of the room `strict`: paths that were nevertheless as they are now'),
  tree: z.string().optional().describe('id of the tree that the check ran on'),
  treeAfter: z
    .string()
    .optional()
    .describe('id of the tree that the check left behind, where it ran in the workspace itself and changed it'),
  again: z.array(z.string()).optional().describe('what was tried once more, as two runs of a room have to agree on it'),
  before: z.string().optional().describe('id of the tree before the work, which the check compares with'),
  environment: z.string().optional().describe('digest of what else the check could see'),
  notShown: z.string().optional().describe('why the room showed nothing: limit, reach, program_missing, impossible, …'),
  kept: z.literal(true).optional().describe('it ran before on the same tree and environment, and was not run again'),
  results: StoredText.optional().describe('what it showed by name of test, and what its runners told of themselves'),
  trial: TrialFacts.optional().describe('of the room `now`: what the check is made of, and what has changed'),
  next: Experiment.optional().describe('the room that comes next'),
  judgement: Judgement.optional().describe('where the check stands, once nothing more is tried'),
}))
export type Evidence = Immutable<z.infer<typeof Evidence>>

export const Todo = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  text: z.string().min(1),
  activeText: z.string().optional().describe('how it reads while it is being done'),
  status: z.enum(['pending', 'in_progress', 'completed']),
}))
export type Todo = Immutable<z.infer<typeof Todo>>

export const Brief = /* @__PURE__ */ lazyObject(() => ({
  text: StoredText.describe('the whole brief'),
  sections: z.record(z.string(), z.array(z.string())).optional().describe('the explicit sections, by name'),
}))
export type Brief = Immutable<z.infer<typeof Brief>>

export const Plan = /* @__PURE__ */ lazyObject(() => ({
  implementation: StoredText.describe('how it will be done'),
  verification: StoredText.optional().describe('how it will be checked'),
  steps: z.array(z.string()).optional().describe('the steps, in order'),
}))
export type Plan = Immutable<z.infer<typeof Plan>>

/** What is known about the workspace. */
export const ProjectFacts = /* @__PURE__ */ lazyObject(() => ({
  kind: z.string().optional().describe('node, python, rust, go, make, …'),
  packageManager: z.string().optional().describe('npm, pnpm, uv, cargo, …'),
  commands: z.record(z.string(), z.string()).optional().describe('test, lint, build, …, as the project declares them'),
  instructions: z.array(z.string()).optional().describe('paths of the instruction files that apply'),
}))
export type ProjectFacts = Immutable<z.infer<typeof ProjectFacts>>
