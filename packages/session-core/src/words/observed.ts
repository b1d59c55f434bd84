import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { described, lazyObject, nonEmpty, object, positive } from './schema.ts'

/** A file that differs from how it was before the work. */
export const FileChange = /* @__PURE__ */ lazyObject(() => ({
  path: described(nonEmpty, 'relative to the project'),
  change: z.enum(['added', 'modified', 'deleted']),
  onlyDependencies: described(
    z.optional(z.literal(true)),
    'of a manifest: nothing in it that steers checks, only what the project needs or says of itself',
  ),
}))
export type FileChange = Immutable<z.infer<typeof FileChange>>

/** Whether a path that the task mentions exists. */
export const SeenPath = /* @__PURE__ */ lazyObject(() => ({
  path: described(nonEmpty, 'as it was asked about'),
  exists: z.boolean(),
}))
export type SeenPath = Immutable<z.infer<typeof SeenPath>>

/** What a short look around a workspace showed about a task. Every list is bounded. */
export const Grounding = /* @__PURE__ */ lazyObject(() => ({
  entries: described(z.array(z.string()), 'what lies at the top'),
  referenced: described(z.array(z.string()), 'paths that the task names and that are there'),
  missing: described(z.array(z.string()), 'paths that the task names and that are not there'),
  candidates: described(z.array(z.string()), 'files that the words of the task point to, best first'),
  facts: described(z.array(object({ path: z.string(), line: z.string() })), 'one telling line of each such file'),
}))
export type Grounding = Immutable<z.infer<typeof Grounding>>

/** Files that no tree contains, grouped by the reason. */
export const LeftOut = /* @__PURE__ */ lazyObject(() => ({
  kind: described(nonEmpty, 'ignored, large, nested, empty, special, unreadable, unstorable, unlisted, …'),
  count: positive,
  names: described(z.array(z.string()), 'some of them, relative to the project'),
}))
export type LeftOut = Immutable<z.infer<typeof LeftOut>>

/** The files of a workspace at one moment, as a git tree in a repository of our own. */
export const WorkspaceTree = /* @__PURE__ */ lazyObject(() => ({
  id: described(nonEmpty, 'of the git tree: path, content and executable bit of every file in it'),
  rest: described(nonEmpty, 'of the list of what the tree leaves out, but for ignored files'),
  leftOut: described(z.array(LeftOut), 'what is there and not in the tree, by kind'),
  inventory: described(z.optional(z.string()), 'id of the inventory of installed packages and nested repositories'),
  ignored: described(z.optional(z.string()), 'id of what was kept of ignored files'),
  caches: described(z.optional(z.string()), 'id of the list of folders in which programs keep what saves time'),
  since: described(z.optional(z.number()), 'when this look began, by the clock of the machine, in milliseconds'),
}))
export type WorkspaceTree = Immutable<z.infer<typeof WorkspaceTree>>
