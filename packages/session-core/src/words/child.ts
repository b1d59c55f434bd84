import * as z from 'zod/mini'
import { Id, SessionId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { PermissionMode, Reach } from './policy.ts'
import { count, described, lazyObject, nonEmpty, object, positive } from './schema.ts'
import { Totals } from './usage.ts'
import { Verdict } from './verdict.ts'

/** The session that began a session for a part of its task. */
export const ParentSession = /* @__PURE__ */ lazyObject(() => ({
  id: SessionId,
  callId: described(Id, 'the call of the parent whose result is the answer of this session'),
  depth: described(positive, 'how many parents it has'),
}))
export type ParentSession = Immutable<z.infer<typeof ParentSession>>

/** What a child session may do and use. It is never more than its parent has. */
export const ChildGrant = /* @__PURE__ */ lazyObject(() => ({
  mode: described(PermissionMode, 'what happens to calls that no permission rule covers'),
  within: described(Reach, 'the most that any call can touch, whatever else allows it'),
  tools: described(z.array(z.string()), 'names of the tools that it has'),
  turns: described(positive, 'answers that it may ask for'),
  tokens: described(z.optional(count), 'tokens that it may use; absent where its parent has no such limit'),
  usd: described(
    z.optional(z.number().check(z.gte(0))),
    'US dollars that its requests may cost; absent where its parent has no such limit',
  ),
}))
export type ChildGrant = Immutable<z.infer<typeof ChildGrant>>

/** Where a child works: in the folder of its parent, which it only looks at, or in a copy of it. */
export const ChildPlace = /* @__PURE__ */ z.enum(['look', 'copy'])
export type ChildPlace = z.infer<typeof ChildPlace>

/** How the task of a child ended. */
export const ChildOutcome = /* @__PURE__ */ z.enum(['ok', 'failed', 'interrupted', 'unknown'])
export type ChildOutcome = z.infer<typeof ChildOutcome>

/** The files of a copy at one moment. */
export const CopiedTree = /* @__PURE__ */ lazyObject(() => ({
  id: described(nonEmpty, 'the tree'),
  rest: described(z.string(), 'id of the list of what it leaves out'),
}))
export type CopiedTree = Immutable<z.infer<typeof CopiedTree>>

/** What became of a file that a child has changed in its copy. */
export const MergedFile = /* @__PURE__ */ lazyObject(() => ({
  path: nonEmpty,
  outcome: described(
    z.enum(['merged', 'conflict']),
    'conflict: the folder of the parent holds another version, which stays; that of the child is in its tree',
  ),
  reason: described(z.optional(z.string()), 'why it was not taken over'),
}))
export type MergedFile = Immutable<z.infer<typeof MergedFile>>

/** A child session as the state of its parent knows it. */
export const ChildSession = /* @__PURE__ */ lazyObject(() => ({
  id: SessionId,
  callId: Id,
  title: described(z.string(), 'its task in a few words'),
  agent: described(z.optional(z.string()), 'the kind of agent, by its name'),
  depth: positive,
  place: ChildPlace,
  tree: described(z.optional(CopiedTree), 'the files that its copy began with'),
  grant: ChildGrant,
  seq: described(positive, 'the event that assigned its task'),
  opened: described(z.optional(z.literal(true)), 'its session exists; it may have done something'),
  finished: described(
    z.optional(
      object({
        seq: positive,
        outcome: ChildOutcome,
        verdict: z.optional(Verdict),
        usage: described(Totals, 'what it and its own children have used'),
        tree: described(z.optional(CopiedTree), 'the files that its copy ended with'),
      }),
    ),
    'absent until its result was taken over',
  ),
  merged: described(
    z.optional(object({ files: count, conflicts: z.array(z.string()) })),
    'how many of its files were taken over, and the paths that were not',
  ),
}))
export type ChildSession = Immutable<z.infer<typeof ChildSession>>
