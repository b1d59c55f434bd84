import * as z from 'zod/mini'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { Judgement } from './judgement.ts'
import { StoredText } from './stored-text.ts'
import { Timestamp } from './time.ts'
import { Experiment, TrialFacts } from './trial.ts'
import { count, described, lazyObject, nonEmpty, object, positive } from './schema.ts'

/** A command that can show whether a criterion holds. */
export const Check = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  command: nonEmpty,
  cwd: described(z.optional(z.string()), 'relative to the project; absent means its root'),
  kind: described(z.string(), 'test, typecheck, lint, build, smoke, runtime, …'),
  source: described(z.string(), 'who asked for it: user, plan, project, derived, …'),
  paths: described(z.optional(z.array(z.string())), 'files that the check consists of'),
  timeoutMs: described(z.optional(positive), 'how long it may run'),
  reach: described(z.optional(z.enum(['work', 'network'])), 'what it may touch; absent means work'),
}))
export type Check = Immutable<z.infer<typeof Check>>

/** One condition of the definition of done. It is verified when the checks that it names pass. */
export const Criterion = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  text: described(nonEmpty, 'what must hold'),
  checkIds: described(z.array(Id), 'the checks that must pass for it'),
  source: described(z.optional(z.string()), 'task, brief, plan, user, …'),
  waived: described(
    z.optional(object({ by: described(z.string(), 'who waived it'), reason: z.optional(z.string()) })),
    'it need not be shown',
  ),
}))
export type Criterion = Immutable<z.infer<typeof Criterion>>

/** The definition of done: a task and how to know that it is done. */
export const Goal = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  task: StoredText,
  criteria: described(z.array(Criterion), 'all of them must be verified or waived'),
  checks: z.array(Check),
  size: described(z.optional(z.enum(['small', 'standard', 'large'])), 'how much work it seems to be'),
  retryBudget: described(z.optional(count), 'how often failed verification may send the work back'),
}))
export type Goal = Immutable<z.infer<typeof Goal>>

/** What one run of a check showed. Only the runtime writes it. */
export const Evidence = /* @__PURE__ */ lazyObject(() => ({
  checkId: Id,
  runId: Id,
  criterionIds: described(z.array(Id), 'criteria that the check stands for'),
  command: described(z.string(), 'the command as it ran'),
  cwd: described(z.optional(z.string()), 'relative to the project; absent means its root'),
  outcome: z.enum(['passed', 'failed', 'skipped', 'interrupted']),
  exitCode: described(z.nullable(z.int()), 'null when the process ended otherwise'),
  signal: described(z.optional(z.string()), 'the signal that ended the process'),
  counts: described(
    z.optional(object({ passed: count, failed: count, skipped: count })),
    'read from the output of a known runner',
  ),
  output: described(StoredText, 'what the check printed'),
  outputDigest: described(z.optional(z.string()), 'digest of the whole output'),
  startedAt: Timestamp,
  finishedAt: Timestamp,
  fingerprintBefore: described(
    z.optional(z.string()),
    'for versions that know no trees: the workspace before the check',
  ),
  fingerprintAfter: described(z.optional(z.string()), 'for versions that know no trees: the workspace after the check'),
  baseline: described(
    z.optional(z.literal(true)),
    'not the run of the check itself: before the work, or in any other room than `now`',
  ),
  room: described(z.optional(nonEmpty), 'now, as_is, before, canary, strict, unsuppressed, reversed or emptied'),
  asNow: described(
    z.optional(z.array(z.string())),
    'of the room `strict`: paths that were nevertheless as they are now',
  ),
  tree: described(z.optional(z.string()), 'id of the tree that the check ran on'),
  treeAfter: described(
    z.optional(z.string()),
    'id of the tree that the check left behind, where it ran in the workspace itself and changed it',
  ),
  again: described(
    z.optional(z.array(z.string())),
    'what was tried once more, as two runs of a room have to agree on it',
  ),
  before: described(z.optional(z.string()), 'id of the tree before the work, which the check compares with'),
  environment: described(z.optional(z.string()), 'digest of what else the check could see'),
  place: described(
    z.optional(object({ id: nonEmpty, machine: nonEmpty })),
    'the folder and the machine, where the session can go on in others',
  ),
  notShown: described(
    z.optional(z.string()),
    'why the room showed nothing: limit, reach, program_missing, impossible, …',
  ),
  kept: described(z.optional(z.literal(true)), 'it ran before on the same tree and environment, and was not run again'),
  results: described(z.optional(StoredText), 'what it showed by name of test, and what its runners told of themselves'),
  trial: described(z.optional(TrialFacts), 'of the room `now`: what the check is made of, and what has changed'),
  next: described(z.optional(Experiment), 'the room that comes next'),
  judgement: described(z.optional(Judgement), 'where the check stands, once nothing more is tried'),
}))
export type Evidence = Immutable<z.infer<typeof Evidence>>

/** One line of the model's task list. */
export const Todo = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  text: nonEmpty,
  activeText: described(z.optional(z.string()), 'how it reads while it is being done'),
  status: z.enum(['pending', 'in_progress', 'completed']),
}))
export type Todo = Immutable<z.infer<typeof Todo>>

/** What the user wants, as the model understood it after clarifying questions. */
export const Brief = /* @__PURE__ */ lazyObject(() => ({
  text: described(StoredText, 'the whole brief'),
  sections: described(z.optional(z.record(z.string(), z.array(z.string()))), 'the explicit sections, by name'),
}))
export type Brief = Immutable<z.infer<typeof Brief>>

/** How the model intends to do the work, and how it will be verified. */
export const Plan = /* @__PURE__ */ lazyObject(() => ({
  implementation: described(StoredText, 'how it will be done'),
  verification: described(z.optional(StoredText), 'how it will be checked'),
  steps: described(z.optional(z.array(z.string())), 'the steps, in order'),
}))
export type Plan = Immutable<z.infer<typeof Plan>>

/** What is known about the workspace. */
export const ProjectFacts = /* @__PURE__ */ lazyObject(() => ({
  kind: described(z.optional(z.string()), 'node, python, rust, go, make, …'),
  packageManager: described(z.optional(z.string()), 'npm, pnpm, uv, cargo, …'),
  commands: described(
    z.optional(z.record(z.string(), z.string())),
    'test, lint, build, …, as the project declares them',
  ),
  instructions: described(z.optional(z.array(z.string())), 'paths of the instruction files that apply'),
}))
export type ProjectFacts = Immutable<z.infer<typeof ProjectFacts>>
