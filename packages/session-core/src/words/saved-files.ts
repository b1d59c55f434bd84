import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { LeftOut } from './observed.ts'
import { count, described, lazyObject, nonEmpty } from './schema.ts'
import { StoredText } from './stored-text.ts'

/** A folder on a machine, as a session tells it from others. */
export const FolderPlace = /* @__PURE__ */ lazyObject(() => ({
  id: described(nonEmpty, 'made once for this folder on this machine'),
  root: described(nonEmpty, 'its path there'),
  machine: described(nonEmpty, 'platform, processor and version of Node: linux x64, node 26'),
}))
export type FolderPlace = Immutable<z.infer<typeof FolderPlace>>

/** A commit of the project itself, which a remote has: what it holds is not stored again. */
export const SavedBase = /* @__PURE__ */ lazyObject(() => ({
  commit: nonEmpty,
  remote: described(nonEmpty, 'the address of the remote, without credentials'),
}))
export type SavedBase = Immutable<z.infer<typeof SavedBase>>

/** Where the branch of the project stands. */
export const SavedHead = /* @__PURE__ */ lazyObject(() => ({
  commit: nonEmpty,
  branch: described(z.optional(nonEmpty), 'absent where none is checked out'),
}))
export type SavedHead = Immutable<z.infer<typeof SavedHead>>

/** Ignored files that the settings name, which go along nevertheless. */
export const CarriedFiles = /* @__PURE__ */ lazyObject(() => ({
  tree: described(nonEmpty, 'id of a git tree of these files alone'),
  count,
  bytes: count,
}))
export type CarriedFiles = Immutable<z.infer<typeof CarriedFiles>>

/** What was stored of a workspace, so that its files can be made again elsewhere. */
export const SavedFiles = /* @__PURE__ */ lazyObject(() => ({
  tree: described(nonEmpty, 'id of the git tree'),
  rest: described(nonEmpty, 'id of the list of what it leaves out'),
  commit: described(nonEmpty, 'id of a commit of our own that holds the tree'),
  parent: described(z.optional(nonEmpty), 'the commit before; what it holds is not stored again'),
  base: described(z.optional(SavedBase), 'where there is no parent: what the remote of the project has already'),
  head: z.optional(SavedHead),
  folder: described(z.optional(nonEmpty), 'where the project lies in its repository; absent means at its top'),
  carried: z.optional(CarriedFiles),
  leftOut: described(z.array(LeftOut), 'what is there and was not stored, by kind'),
  bytes: described(count, 'size of the pack'),
}))
export type SavedFiles = Immutable<z.infer<typeof SavedFiles>>

/** Commits of the project that no remote has, as a pack of git. */
export const SavedHistory = /* @__PURE__ */ lazyObject(() => ({
  since: described(z.array(z.string()), 'commits that are there already: of the remote, or stored before'),
  bytes: count,
  pack: z.array(StoredText),
}))
export type SavedHistory = Immutable<z.infer<typeof SavedHistory>>
