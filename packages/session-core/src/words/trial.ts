import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { count, described, lazyObject, nonEmpty, object } from './schema.ts'

/**
 * The worlds in which a check is run. B is the tree before the work, N the tree now.
 * - `now`: N, with ignored files as they were with B, without what the session itself installed. It is the check's run.
 * - `as_is`: N, with ignored files and installed packages as they are now.
 * - `before`: B.
 * - `canary`: N and a test of ours that must fail, run alone.
 * - `strict`: N with what lies aside as in B, new tests left out.
 * - `unsuppressed`: N without the suppressions that the turn added to product files.
 * - `reversed`: B with what lies aside as in N.
 * - `emptied`: N, where every changed or new function returns nothing, and new files that the check runs are empty.
 */
export const Room = /* @__PURE__ */ z.enum([
  'now',
  'as_is',
  'before',
  'canary',
  'strict',
  'unsuppressed',
  'reversed',
  'emptied',
])
export type Room = z.infer<typeof Room>

/** One run of a check that a trial asks for: which room, and which paths differ in it. */
export const Experiment = /* @__PURE__ */ lazyObject(() => ({
  room: Room,
  asNow: described(
    z.optional(z.array(z.string())),
    'changed paths that are nevertheless as they are now, sorted; absent means none',
  ),
  again: described(
    z.optional(z.array(z.string())),
    'the room was tried before; these decide, and are tried once more. An empty name is the check as a whole',
  ),
}))
export type Experiment = Immutable<z.infer<typeof Experiment>>

/**
 * How a test ended. `red`: an assertion did not hold. `errored`: it died of another error while it ran. `unloaded`: it, or
 * the file that it lies in, could not be loaded or set up. A runner that cannot tell the first two apart says `errored`.
 */
export const TestOutcome = /* @__PURE__ */ z.enum(['green', 'red', 'errored', 'unloaded', 'skipped'])
export type TestOutcome = z.infer<typeof TestOutcome>

/** One test of a run, by name. */
export const TestResult = /* @__PURE__ */ lazyObject(() => ({
  name: z.string(),
  file: described(
    z.optional(z.string()),
    'relative to the project; without it, a test of a file that could not be loaded counts as missing',
  ),
  outcome: TestOutcome,
}))
export type TestResult = Immutable<z.infer<typeof TestResult>>

/** What one run of a check showed. A file that could not be loaded at all is one result, with the file as its name. */
export const Shown = /* @__PURE__ */ lazyObject(() => ({
  exit: z.enum(['green', 'red']),
  tests: described(
    z.optional(z.array(TestResult)),
    'from a report that names tests; an empty list says that no test was run, absent that nothing is known',
  ),
  counts: described(
    z.optional(object({ green: count, red: count, skipped: count })),
    'from a report that only counts; not looked at where there are tests',
  ),
  rewritten: described(
    z.optional(z.array(z.string())),
    'files of the tree that the run itself has changed or taken away; of many, some',
  ),
  undone: described(
    z.optional(z.array(z.string())),
    'those among them that it has made what they were in B, which they are not in the tree',
  ),
}))
export type Shown = Immutable<z.infer<typeof Shown>>

/**
 * Why a room showed nothing. `program_missing`: a program from outside of the workspace; one that has to lie in the
 * workspace and does not is a red check. `impossible`: there is no such room for this runner, language or machine.
 */
export const NotShown = /* @__PURE__ */ z.enum([
  'program_missing',
  'limit',
  'reach',
  'cut_off',
  'impossible',
  'not_tried',
])
export type NotShown = z.infer<typeof NotShown>

/** What one run of a check in a room came to. */
export const RoomOutcome = /* @__PURE__ */ z.discriminatedUnion('kind', [
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('shown'), shown: Shown })),
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('not_shown'), why: NotShown })),
])
export type RoomOutcome = Immutable<z.infer<typeof RoomOutcome>>

/** A package that is not as it was. */
export const PackageChange = /* @__PURE__ */ lazyObject(() => ({
  name: z.string(),
  change: described(
    z.enum(['edited', 'added', 'removed', 'version']),
    'edited: a file differs, name and version do not',
  ),
  byInstall: described(z.boolean(), 'a call that was allowed to install did it'),
}))
export type PackageChange = Immutable<z.infer<typeof PackageChange>>

const paths = /* @__PURE__ */ z.array(/* @__PURE__ */ z.string())

/** What differs between B and N, and beside them. Paths, sorted. */
export const TrialChanges = /* @__PURE__ */ lazyObject(() => ({
  product: paths,
  aside: described(paths, 'what checks are made of'),
  byKey: described(
    z.optional(z.record(z.string(), z.array(z.string()))),
    'of files that have keys and lie on both sides: the keys that lie aside',
  ),
  fresh: described(z.optional(paths), 'those among what lies aside that are new'),
  running: described(z.optional(paths), 'those among the product files that are new, and that the check itself runs'),
  mixed: described(paths, 'those among the product files that hold tests as well'),
  ignored: described(paths, 'ignored files, and folders of installed packages, that are not as they were with B'),
  suppressed: described(paths, 'product files to which a suppression was added'),
}))
export type TrialChanges = Immutable<z.infer<typeof TrialChanges>>

/** What a trial of a check is about, once the check has run and it is known what it is made of. */
export const TrialFacts = /* @__PURE__ */ lazyObject(() => ({
  isInBefore: described(z.boolean(), 'whether the check and its tests are in B at all'),
  isSlow: described(z.boolean(), 'one run takes longer than the limit: only `now` and `strict` are run'),
  shows: z.enum(['behaviour', 'presence']),
  changed: TrialChanges,
  packages: z.array(PackageChange),
}))
export type TrialFacts = Immutable<z.infer<typeof TrialFacts>>

/**
 * B, the tree before the work, as a mix of trees: `base`, and over it single paths of others. A path that is not in the
 * tree of its layer is not in B. Every path is in one layer at most.
 */
export const BeforeTree = /* @__PURE__ */ lazyObject(() => ({
  base: described(nonEmpty, 'id of a tree'),
  layers: z.array(object({ tree: nonEmpty, paths })),
}))
export type BeforeTree = Immutable<z.infer<typeof BeforeTree>>

/** The state before the work, with which checks compare. */
export const BeforeWork = /* @__PURE__ */ lazyObject(() => ({
  tree: BeforeTree,
  packages: described(z.optional(z.string()), 'id of the inventory of installed packages'),
  ignored: described(z.optional(z.string()), 'id of what was kept of ignored files'),
  ignoredSeen: described(z.optional(z.string()), 'of older versions: the same for the latest look'),
  unaccepted: described(
    z.optional(z.array(z.string())),
    'paths aside on which an earlier judgement rested and which the user has not accepted',
  ),
}))
export type BeforeWork = Immutable<z.infer<typeof BeforeWork>>

/** What the checks of one verification are run on, and what they are compared with. */
export const VerificationGround = /* @__PURE__ */ lazyObject(() => ({
  tree: described(z.optional(z.string()), 'id of the tree now; absent where there are no rooms'),
  before: described(z.optional(z.string()), 'id of B as one tree'),
  environment: described(z.optional(z.string()), 'digest of what else a check can see'),
  packages: described(z.optional(z.string()), 'id of the inventory of installed packages now'),
  ignored: described(z.optional(z.string()), 'id of what was kept of ignored files now'),
  noRooms: described(z.optional(z.string()), 'why checks run in the workspace itself, and are compared with nothing'),
}))
export type VerificationGround = Immutable<z.infer<typeof VerificationGround>>
