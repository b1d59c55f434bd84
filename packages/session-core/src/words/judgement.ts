import * as z from 'zod'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

export const NameList = /* @__PURE__ */ lazyObject(() => ({
  count: z.int().min(1),
  names: z.array(z.string()).describe('the first of them'),
}))
export type NameList = Immutable<z.infer<typeof NameList>>

/** What has changed in a turn where no tree looks, by where it lies. Looked for where the tree is as it was. */
export const Beside = /* @__PURE__ */ lazyObject(() => ({
  ignored: NameList.optional().describe('ignored files, and folders of what programs keep to save time'),
  packages: NameList.optional().describe('installed packages'),
  session: NameList.optional().describe(
    'files among installed packages, as only the commands of this session see them',
  ),
  notLooked: z
    .array(z.enum(['ignored', 'packages', 'outside']))
    .optional()
    .describe('what calls could change and was not looked at; outside: what lies outside of the project'),
}))
export type Beside = Immutable<z.infer<typeof Beside>>

/** Words are open, so that a reader goes on when a later version writes one that it does not know. */
export const Judgement = /* @__PURE__ */ lazyObject(() => ({
  word: z
    .string()
    .min(1)
    .describe('verified, accepted, held, present, unchecked, rests_on, unverified, unknown, stale or failed'),
  why: z.string().optional().describe('of verified: fixed or covered; of the others, what keeps them from more'),
  cause: z.string().optional().describe('why a run showed nothing: limit, reach, program_missing, …'),
  by: z.string().optional().describe('who accepted'),
  at: z.string().optional().describe('when it was accepted'),
  tests: NameList.optional().describe('the tests that decided; an empty name is the check as a whole'),
  files: NameList.optional().describe('the files that it rests on, or that were accepted'),
  packages: NameList.optional().describe('installed packages that are not what they were'),
  calls: NameList.optional().describe('calls of which nobody knows what they did'),
  flaky: NameList.optional().describe('tests that gave different results on the same files'),
  oldFailures: NameList.optional().describe('tests that failed before the work as well'),
  unaccepted: NameList.optional().describe('files that an earlier judgement rests on, still not accepted'),
  leftOut: NameList.optional().describe('rooms that showed nothing, each with the cause'),
}))
export type Judgement = Immutable<z.infer<typeof Judgement>>

/** Where one check stands, and on what that was seen. */
export const CheckStanding = /* @__PURE__ */ lazyObject(() => ({
  checkId: Id,
  tree: z.string().optional().describe('id of the tree that it is about'),
  environment: z.string().optional().describe('digest of what else the check could see'),
  judgement: Judgement,
}))
export type CheckStanding = Immutable<z.infer<typeof CheckStanding>>

/** What the model says about the end of a turn. Facts decide; this is shown, and asked for what no fact tells. */
export const EndStatement = /* @__PURE__ */ lazyObject(() => ({
  how: z.enum(['answered', 'done', 'blocked']),
  summary: z.string(),
  left: z.string().optional().describe('what is left to do'),
  found: z
    .array(
      z.object({
        call: Id.describe('a call whose outcome is unknown'),
        shownBy: Id.describe('the later call that showed it'),
        what: z.string(),
      }),
    )
    .optional()
    .describe('what became known about calls that were cut off'),
}))
export type EndStatement = Immutable<z.infer<typeof EndStatement>>

/** How a turn ended, by facts and by what the model said. */
export const TurnEnd = /* @__PURE__ */ lazyObject(() => ({
  how: z.enum(['answered', 'judged', 'blocked']).describe('judged: a file of the project changed, or a check objects'),
  changed: z
    .boolean()
    .describe('something is not as it was when the turn began, or may be, in the project or beside it'),
  beside: Beside.optional().describe('where no file of the project changed: what else did, or was not looked at'),
  summary: z.string().optional().describe('what the model said, where it said how the turn ends'),
  left: z.string().optional().describe('what the model says is left to do'),
  unknown: z
    .array(z.object({ call: Id, what: z.string() }))
    .optional()
    .describe('calls that were cut off, and of which nothing is known'),
  found: z
    .array(
      z.object({
        call: Id.describe('the call that was cut off'),
        callWhat: z.string().optional().describe('what it was to do'),
        shownBy: Id.describe('the later call that showed what became of it'),
        shownByWhat: z.string().optional().describe('what that call did'),
        what: z.string(),
      }),
    )
    .optional()
    .describe('what the model says of calls that were cut off, with the call that showed it'),
}))
export type TurnEnd = Immutable<z.infer<typeof TurnEnd>>

/** What the user accepted although no check shows it. No call and no answer of a model makes one. */
export const Acceptance = /* @__PURE__ */ lazyObject(() => ({
  by: z.string().min(1).describe('who accepted'),
  tree: z.string().optional().describe('id of the tree in which the files were as they were accepted'),
  files: z.array(z.string()).optional().describe('relative to the project'),
  packages: z.array(z.string()).optional().describe('installed packages, as they are'),
  tests: z.array(z.string()).optional().describe('tests that may be missing or skipped'),
}))
export type Acceptance = Immutable<z.infer<typeof Acceptance>>
