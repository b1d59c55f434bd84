import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { PermissionMode } from './policy.ts'
import { StoredText } from './stored-text.ts'
import { Timestamp } from './time.ts'
import { WorkflowMode } from './workflow-mode.ts'
import { described, lazyObject, nonEmpty, positive } from './schema.ts'

/** How the model is told to use tools: by its own interface, or in text. */
export const PromptFormat = /* @__PURE__ */ z.enum(['native', 'react'])
export type PromptFormat = z.infer<typeof PromptFormat>

/** One section of the system prompt, by name and hash. Two prompts are compared by these. */
export const PromptSection = /* @__PURE__ */ lazyObject(() => ({ name: nonEmpty, digest: z.string() }))
export type PromptSection = Immutable<z.infer<typeof PromptSection>>

/** A system prompt as it was used, and what it was made for. */
export const PromptSnapshot = /* @__PURE__ */ lazyObject(() => ({
  seq: positive,
  at: Timestamp,
  format: PromptFormat,
  sections: z.array(PromptSection),
  toolsDigest: z.optional(z.string()),
  workflowMode: WorkflowMode,
  permissionMode: z.nullable(PermissionMode),
  task: z.nullable(StoredText),
  text: described(z.optional(StoredText), 'absent in older snapshots of a state; the history has it'),
}))
export type PromptSnapshot = Immutable<z.infer<typeof PromptSnapshot>>
