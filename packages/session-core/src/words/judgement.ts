import * as z from 'zod/mini'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { described, lazyObject, nonEmpty, object, positive } from './schema.ts'

/** A count with the first names, where the whole list may be long. */
export const NameList = /* @__PURE__ */ lazyObject(() => ({
  count: positive,
  names: described(z.array(z.string()), 'the first of them'),
}))
export type NameList = Immutable<z.infer<typeof NameList>>

/** What has changed in a turn where no tree looks, by where it lies. Looked for where the tree is as it was. */
export const Beside = /* @__PURE__ */ lazyObject(() => ({
  ignored: described(z.optional(NameList), 'ignored files, and folders of what programs keep to save time'),
  packages: described(z.optional(NameList), 'installed packages'),
  session: described(
    z.optional(NameList),
    'files among installed packages, as only the commands of this session see them',
  ),
  notLooked: described(
    z.optional(z.array(z.enum(['ignored', 'packages', 'outside']))),
    'what calls could change and was not looked at; outside: what lies outside of the project',
  ),
}))
export type Beside = Immutable<z.infer<typeof Beside>>

/** Words are open, so that a reader goes on when a later version writes one that it does not know. */
export const Judgement = /* @__PURE__ */ lazyObject(() => ({
  word: described(
    nonEmpty,
    'verified, accepted, held, present, unchecked, rests_on, unverified, unknown, stale or failed',
  ),
  why: described(z.optional(z.string()), 'of verified: fixed or covered; of the others, what keeps them from more'),
  cause: described(z.optional(z.string()), 'why a run showed nothing: limit, reach, program_missing, …'),
  by: described(z.optional(z.string()), 'who accepted'),
  at: described(z.optional(z.string()), 'when it was accepted'),
  tests: described(z.optional(NameList), 'the tests that decided; an empty name is the check as a whole'),
  files: described(z.optional(NameList), 'the files that it rests on, or that were accepted'),
  packages: described(z.optional(NameList), 'installed packages that are not what they were'),
  calls: described(z.optional(NameList), 'calls whose effect is unknown'),
  flaky: described(z.optional(NameList), 'tests that gave different results on the same files'),
  oldFailures: described(z.optional(NameList), 'tests that failed before the work as well'),
  unaccepted: described(z.optional(NameList), 'files that an earlier judgement rests on, still not accepted'),
  leftOut: described(z.optional(NameList), 'rooms that showed nothing, each with the cause'),
}))
export type Judgement = Immutable<z.infer<typeof Judgement>>

/** Where one check stands, and on what that was seen. */
export const CheckStanding = /* @__PURE__ */ lazyObject(() => ({
  checkId: Id,
  tree: described(z.optional(z.string()), 'id of the tree that it is about'),
  environment: described(z.optional(z.string()), 'digest of what else the check could see'),
  judgement: Judgement,
}))
export type CheckStanding = Immutable<z.infer<typeof CheckStanding>>

/** What the model says about the end of a turn. Facts decide; this is shown, and asked for what no fact tells. */
export const EndStatement = /* @__PURE__ */ lazyObject(() => ({
  how: z.enum(['answered', 'done', 'blocked']),
  summary: z.string(),
  left: described(z.optional(z.string()), 'what is left to do'),
  found: described(
    z.optional(
      z.array(
        object({
          call: described(Id, 'a call whose outcome is unknown'),
          shownBy: described(Id, 'the later call that showed it'),
          what: z.string(),
        }),
      ),
    ),
    'what became known about calls that were cut off',
  ),
}))
export type EndStatement = Immutable<z.infer<typeof EndStatement>>

/** How a turn ended, by facts and by what the model said. */
export const TurnEnd = /* @__PURE__ */ lazyObject(() => ({
  how: described(
    z.enum(['answered', 'judged', 'blocked']),
    'judged: a file of the project changed, or a check objects',
  ),
  changed: described(
    z.boolean(),
    'something is not as it was when the turn began, or may be, in the project or beside it',
  ),
  beside: described(z.optional(Beside), 'where no file of the project changed: what else did, or was not looked at'),
  summary: described(z.optional(z.string()), 'what the model said, where it said how the turn ends'),
  left: described(z.optional(z.string()), 'what the model says is left to do'),
  unknown: described(
    z.optional(z.array(object({ call: Id, what: z.string() }))),
    'calls that were cut off, and of which nothing is known',
  ),
  found: described(
    z.optional(
      z.array(
        object({
          call: described(Id, 'the call that was cut off'),
          callWhat: described(z.optional(z.string()), 'what it was to do'),
          shownBy: described(Id, 'the later call that showed what became of it'),
          shownByWhat: described(z.optional(z.string()), 'what that call did'),
          what: z.string(),
        }),
      ),
    ),
    'what the model says of calls that were cut off, with the call that showed it',
  ),
}))
export type TurnEnd = Immutable<z.infer<typeof TurnEnd>>

/** What the user accepted although no check shows it. No call and no answer of a model makes one. */
export const Acceptance = /* @__PURE__ */ lazyObject(() => ({
  by: described(nonEmpty, 'who accepted'),
  tree: described(z.optional(z.string()), 'id of the tree in which the files were as they were accepted'),
  files: described(z.optional(z.array(z.string())), 'relative to the project'),
  packages: described(z.optional(z.array(z.string())), 'installed packages, as they are'),
  tests: described(z.optional(z.array(z.string())), 'tests that may be missing or skipped'),
}))
export type Acceptance = Immutable<z.infer<typeof Acceptance>>
