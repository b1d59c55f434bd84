import { Limits, PermissionMode, Policy } from '@loader/session-core/coding'
import * as z from 'zod'
import { WallsSetting } from './walls-settings.ts'

export const Provider = z.strictObject({
  api: z.enum(['ollama', 'openai-compatible', 'openai', 'anthropic', 'google']).describe('the protocol that it speaks'),
  baseUrl: z.string().optional().describe('where it is'),
  apiKeyVariable: z.string().optional().describe('the environment variable that holds its key'),
  contextWindow: z.int().min(1).optional().describe('tokens, where the server does not tell'),
})

/** Every setting, for files and --config. */
export const Settings = z.strictObject({
  model: z.string().min(1).optional().describe('provider/id, such as ollama/qwen3:8b'),
  permissionMode: z.optional(PermissionMode).describe('what tools may do without asking'),
  walls: WallsSetting.optional().describe('what commands run in: required, off, or an object'),
  limits: z.strictObject(Limits.shape).optional().describe('budgets of a turn'),
  compaction: z.enum(['local', 'model']).optional().describe('who writes summaries'),
  completionCheck: z.boolean().optional().describe('whether answers that changed nothing are looked at'),
  checks: Policy.shape.checks.check(z.describe('checks of your own, instead of those that the project declares')),
  protect: z.array(z.string().min(1)).optional().describe('patterns of paths that are part of the checks'),
  slowAfterMs: z.int().min(1).optional().describe('a check that takes longer is tried in two rooms only'),
  instructions: z.boolean().optional().describe('whether AGENTS.md and its like are read'),
  contextWindow: z
    .int()
    .min(1)
    .optional()
    .describe('tokens of the window of the model, where the server does not tell'),
  nativeTools: z.boolean().optional().describe('whether the model calls tools by itself'),
  sessions: z
    .enum(['state', 'project'])
    .optional()
    .describe('where new sessions go: the state folder of the user, or `.loader/sessions` of the project'),
  store: z.string().optional().describe('where sessions are kept: files, or a database: postgres://user@host/database'),
  providers: z.record(z.string(), Provider).optional().describe('more providers, by name'),
})
export type Settings = z.infer<typeof Settings>

/** The description of a setting. */
export function meaningOfSetting(setting: z.core.$ZodType): string {
  return z.globalRegistry.get(setting)?.description ?? ''
}

/** Settings that only apply to one model. */
const ofModel: ReadonlySet<string> = new Set(['compaction', 'contextWindow', 'nativeTools'])

/**
 * Whether a value of an untrusted project applies: only if it restricts. Any other could send code and keys elsewhere,
 * allow more, spend more, or accept less.
 */
export function holdsUntrusted(name: string, value: unknown): boolean {
  if (name === 'permissionMode') return value === 'read-only'
  if (name === 'instructions') return value === false
  return ofModel.has(name)
}
