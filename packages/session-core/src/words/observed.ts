import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

export const FileChange = /* @__PURE__ */ lazyObject(() => ({
  path: z.string().min(1).describe('relative to the project'),
  change: z.enum(['added', 'modified', 'deleted']),
  onlyDependencies: z
    .literal(true)
    .optional()
    .describe('of a manifest: nothing in it that steers checks, only what the project needs or says of itself'),
}))
export type FileChange = Immutable<z.infer<typeof FileChange>>

export const SeenPath = /* @__PURE__ */ lazyObject(() => ({
  path: z.string().min(1).describe('as it was asked about'),
  exists: z.boolean(),
}))
export type SeenPath = Immutable<z.infer<typeof SeenPath>>

/** What a short look around a workspace showed about a task. Every list is bounded. */
export const Grounding = /* @__PURE__ */ lazyObject(() => ({
  entries: z.array(z.string()).describe('what lies at the top'),
  referenced: z.array(z.string()).describe('paths that the task names and that are there'),
  missing: z.array(z.string()).describe('paths that the task names and that are not there'),
  candidates: z.array(z.string()).describe('files that the words of the task point to, best first'),
  facts: z.array(z.object({ path: z.string(), line: z.string() })).describe('one telling line of each such file'),
}))
export type Grounding = Immutable<z.infer<typeof Grounding>>

export const LeftOut = /* @__PURE__ */ lazyObject(() => ({
  kind: z.string().min(1).describe('ignored, large, nested, empty, special, unreadable, unstorable, unlisted, …'),
  count: z.int().min(1),
  names: z.array(z.string()).describe('some of them, relative to the project'),
}))
export type LeftOut = Immutable<z.infer<typeof LeftOut>>

/** The files of a workspace at one moment, as a git tree in a repository of our own. */
export const WorkspaceTree = /* @__PURE__ */ lazyObject(() => ({
  id: z.string().min(1).describe('of the git tree: path, content and executable bit of every file in it'),
  rest: z.string().min(1).describe('of the list of what the tree leaves out, but for ignored files'),
  leftOut: z.array(LeftOut).describe('what is there and not in the tree, by kind'),
  inventory: z.string().optional().describe('id of the inventory of installed packages and nested repositories'),
  ignored: z.string().optional().describe('id of what was kept of ignored files'),
  caches: z.string().optional().describe('id of the list of folders in which programs keep what saves time'),
  since: z.number().optional().describe('when this look began, by the clock of the machine, in milliseconds'),
}))
export type WorkspaceTree = Immutable<z.infer<typeof WorkspaceTree>>
