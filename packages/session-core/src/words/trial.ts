import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

/**
 * The worlds in which a check is run. B is the tree before the work, N the tree now.
 * - `now`: N, with ignored files as they were with B, without what the session itself installed. It is the check's run.
 * - `as_is`: N, with ignored files and installed packages as they are now.
 * - `before`: B.
 * - `canary`: N and a test of ours that must fail, run alone.
 * - `strict`: N with what lies aside as in B, new tests left out.
 * - `unsuppressed`: N without the suppressions that the turn added to product files.
 * - `reversed`: B with what lies aside as in N.
 * - `emptied`: N, where every changed or new function returns nothing.
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

export const Experiment = /* @__PURE__ */ lazyObject(() => ({
  room: Room,
  asNow: z
    .array(z.string())
    .optional()
    .describe('of `strict`: paths aside that are nevertheless as they are now, sorted; absent means none'),
  again: z
    .array(z.string())
    .optional()
    .describe(
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

export const TestResult = /* @__PURE__ */ lazyObject(() => ({
  name: z.string(),
  file: z
    .string()
    .optional()
    .describe('relative to the project; without it, a test of a file that could not be loaded counts as missing'),
  outcome: TestOutcome,
}))
export type TestResult = Immutable<z.infer<typeof TestResult>>

/** What one run of a check showed. A file that could not be loaded at all is one result, with the file as its name. */
export const Shown = /* @__PURE__ */ lazyObject(() => ({
  exit: z.enum(['green', 'red']),
  tests: z
    .array(TestResult)
    .optional()
    .describe('from a report that names tests; an empty list says that no test was run, absent that nothing is known'),
  counts: z
    .object({ green: z.int().min(0), red: z.int().min(0), skipped: z.int().min(0) })
    .optional()
    .describe('from a report that only counts; not looked at where there are tests'),
  rewritten: z
    .array(z.string())
    .optional()
    .describe('files of the tree that the run itself has changed or taken away; of many, some'),
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

export const RoomOutcome = /* @__PURE__ */ z.discriminatedUnion('kind', [
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('shown'), shown: Shown })),
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('not_shown'), why: NotShown })),
])
export type RoomOutcome = Immutable<z.infer<typeof RoomOutcome>>

/** A package that is not as it was. */
export const PackageChange = /* @__PURE__ */ lazyObject(() => ({
  name: z.string(),
  change: z.enum(['edited', 'added', 'removed', 'version']).describe('edited: a file differs, name and version do not'),
  byInstall: z.boolean().describe('a call that was allowed to install did it'),
}))
export type PackageChange = Immutable<z.infer<typeof PackageChange>>

const paths = /* @__PURE__ */ z.array(/* @__PURE__ */ z.string())

/** What differs between B and N, and beside them. Paths, sorted. */
export const TrialChanges = /* @__PURE__ */ lazyObject(() => ({
  product: paths,
  aside: paths.describe('what checks are made of'),
  byKey: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('of files that have keys and lie on both sides: the keys that lie aside'),
  fresh: paths.optional().describe('those among what lies aside that are new'),
  mixed: paths.describe('those among the product files that hold tests as well'),
  ignored: paths.describe('ignored files, and folders of installed packages, that are not as they were with B'),
  suppressed: paths.describe('product files to which a suppression was added'),
}))
export type TrialChanges = Immutable<z.infer<typeof TrialChanges>>

/** What a trial of a check is about, once the check has run and it is known what it is made of. */
export const TrialFacts = /* @__PURE__ */ lazyObject(() => ({
  isInBefore: z.boolean().describe('whether the check and its tests are in B at all'),
  isSlow: z.boolean().describe('one run takes longer than the limit: only `now` and `strict` are run'),
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
  base: z.string().min(1).describe('id of a tree'),
  layers: z.array(z.object({ tree: z.string().min(1), paths })),
}))
export type BeforeTree = Immutable<z.infer<typeof BeforeTree>>

/** The state before the work, with which checks compare. */
export const BeforeWork = /* @__PURE__ */ lazyObject(() => ({
  tree: BeforeTree,
  packages: z.string().optional().describe('id of the inventory of installed packages'),
  ignored: z.string().optional().describe('id of what was kept of ignored files'),
  ignoredSeen: z.string().optional().describe('of older versions: the same for the latest look'),
  unaccepted: z
    .array(z.string())
    .optional()
    .describe('paths aside on which an earlier judgement rested and which the user has not accepted'),
}))
export type BeforeWork = Immutable<z.infer<typeof BeforeWork>>

/** What the checks of one verification are run on, and what they are compared with. */
export const VerificationGround = /* @__PURE__ */ lazyObject(() => ({
  tree: z.string().optional().describe('id of the tree now; absent where there are no rooms'),
  before: z.string().optional().describe('id of B as one tree'),
  environment: z.string().optional().describe('digest of what else a check can see'),
  packages: z.string().optional().describe('id of the inventory of installed packages now'),
  ignored: z.string().optional().describe('id of what was kept of ignored files now'),
  noRooms: z.string().optional().describe('why checks run in the workspace itself, and are compared with nothing'),
}))
export type VerificationGround = Immutable<z.infer<typeof VerificationGround>>
