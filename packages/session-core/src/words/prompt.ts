import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { PermissionMode } from './policy.ts'
import { StoredText } from './stored-text.ts'
import { Timestamp } from './time.ts'
import { WorkflowMode } from './workflow-mode.ts'
import { lazyObject } from './schema.ts'

export const PromptFormat = /* @__PURE__ */ z.enum(['native', 'react'])
export type PromptFormat = z.infer<typeof PromptFormat>

export const PromptSection = /* @__PURE__ */ lazyObject(() => ({ name: z.string().min(1), digest: z.string() }))
export type PromptSection = Immutable<z.infer<typeof PromptSection>>

/** A system prompt as it was used, and what it was made for. */
export const PromptSnapshot = /* @__PURE__ */ lazyObject(() => ({
  seq: z.int().min(1),
  at: Timestamp,
  format: PromptFormat,
  sections: z.array(PromptSection),
  toolsDigest: z.string().optional(),
  workflowMode: WorkflowMode,
  permissionMode: PermissionMode.nullable(),
  task: StoredText.nullable(),
  text: StoredText.optional().describe('absent in older snapshots of a state; the recording has it'),
}))
export type PromptSnapshot = Immutable<z.infer<typeof PromptSnapshot>>
