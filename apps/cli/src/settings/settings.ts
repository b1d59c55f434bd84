import { ThinkingLevel } from '@loader/session-core'
import { Limits, PermissionMode, Policy } from '@loader/session-core/coding'
import * as z from 'zod'
import { ModelPrice } from '@loader/backends'
import { themes } from '../screen/theme-names.ts'
import { HooksSetting } from '@loader/extensions/config'
import { McpServer, McpServerName } from '@loader/mcp/config'
import { WallsSetting } from './walls-settings.ts'

export const Provider = z.strictObject({
  api: z
    .enum(['ollama', 'openai-compatible', 'openai', 'anthropic', 'google', 'mistral', 'azure', 'bedrock', 'vertex'])
    .describe('the interface that it has'),
  baseUrl: z.string().optional().describe('where it is'),
  apiKeyVariable: z.string().optional().describe('the environment variable that holds its key'),
  contextWindow: z.int().min(1).optional().describe('tokens, where the server does not tell'),
})

/** Tools that are offered to the model only when they are wanted. */
const OfferedTools = z.strictObject({
  background: z
    .union([z.boolean(), z.literal('keep')])
    .optional()
    .describe('commands that go on while others run; keep: also when loader ends, until loader stop'),
  fetch: z.boolean().optional().describe('pages of the network as text; each host is asked about'),
  agent: z
    .union([
      z.boolean(),
      z.strictObject({
        depth: z.int().min(1).max(8).optional().describe('how deep agents can begin agents; 2'),
        number: z.int().min(1).max(100).optional().describe('how many one turn can begin; 16'),
      }),
    ])
    .optional()
    .describe('agents that get a part of the task, each in a session of its own'),
})

/** Every setting, for files and --config. */
export const Settings = z.strictObject({
  model: z.string().min(1).optional().describe('provider/id, such as ollama/qwen3:8b'),
  thinking: z.optional(ThinkingLevel).describe('how much the model thinks: off, low, medium, high'),
  permissionMode: z.optional(PermissionMode).describe('what tools may do without asking'),
  walls: WallsSetting.optional().describe('what commands run in: required, off, or an object'),
  tools: OfferedTools.optional().describe('tools besides the usual: background, fetch, agent'),
  limits: z.strictObject(Limits.shape).optional().describe('budgets of a turn'),
  compaction: z.enum(['local', 'model']).optional().describe('who writes summaries'),
  completionCheck: z.boolean().optional().describe('whether answers that changed nothing are looked at'),
  checks: Policy.shape.checks.check(z.describe('checks of your own, instead of those that the project declares')),
  protect: z.array(z.string().min(1)).optional().describe('patterns of paths that are part of the checks'),
  carry: z
    .array(z.string().min(1))
    .optional()
    .describe('patterns of ignored files that go along where sessions are in a database, such as .env'),
  slowAfterMs: z.int().min(1).optional().describe('a check that takes longer is tried in two rooms only'),
  instructions: z.boolean().optional().describe('whether AGENTS.md and its like are read'),
  contextWindow: z
    .int()
    .min(1)
    .optional()
    .describe('tokens of the window of the model, where the server does not tell'),
  nativeTools: z.boolean().optional().describe('whether the model calls tools by itself'),
  images: z.boolean().optional().describe('whether the model sees images'),
  documents: z.boolean().optional().describe('whether the model reads PDF files'),
  sessions: z
    .enum(['state', 'project'])
    .optional()
    .describe('where new sessions go: the state folder of the user, or `.loader/sessions` of the project'),
  store: z.string().optional().describe('where sessions are kept: files, or a database: postgres://user@host/database'),
  keys: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('keys of the conversation, by what they do'),
  theme: z
    .enum(themes)
    .optional()
    .describe('colours of the conversation: auto follows the terminal; dark, light, terminal (its own sixteen), none'),
  notify: z.boolean().optional().describe('whether a bell tells that an answer is awaited or a long turn has ended'),
  providers: z.record(z.string(), Provider).optional().describe('more providers, by name'),
  timeOuts: z
    .strictObject({ firstByteMs: z.int().min(1).optional(), betweenChunksMs: z.int().min(1).optional() })
    .optional()
    .describe('milliseconds a server of models may be silent: firstByteMs at first, betweenChunksMs within an answer'),
  promptCache: z
    .enum(['automatic', '1h', 'off'])
    .optional()
    .describe('how long Anthropic keeps what requests have in common: five minutes, an hour at a higher price, or not'),
  mcpServers: z.record(McpServerName, McpServer).optional().describe('MCP servers, by name'),
  skills: z.boolean().optional().describe('whether skills are offered to the model; absent: those that are found'),
  hooks: HooksSetting.optional().describe('commands that run at certain moments, by moment; those of all files run'),
  maxBudgetUsd: z.number().min(0).optional().describe('US dollars that the requests of a session may cost'),
  unknownPrices: z
    .enum(['refuse', 'allow'])
    .optional()
    .describe('with a budget: what happens with a model whose price is not known'),
  prices: z
    .record(z.string(), ModelPrice)
    .optional()
    .describe('prices by model (`provider/id`, or `provider/*`), before those that are known: local, or an object'),
  fallbackModel: z.string().min(1).optional().describe('the model that takes over when the first one is overloaded'),
  fallbackAfterMs: z.int().min(0).optional().describe('time that the first one is waited for before that'),
})
export type Settings = z.infer<typeof Settings>

/** The description of a setting. */
export function meaningOfSetting(setting: z.core.$ZodType): string {
  return z.globalRegistry.get(setting)?.description ?? ''
}

/** Settings that only apply to one model. */
const ofModel: ReadonlySet<string> = new Set(['compaction', 'contextWindow', 'nativeTools', 'images', 'documents'])

/**
 * Whether a value of an untrusted project applies: only if it restricts. Any other could send code and keys elsewhere,
 * allow more, spend more, or accept less.
 */
export function holdsUntrusted(name: string, value: unknown): boolean {
  if (name === 'permissionMode') return value === 'read-only'
  if (name === 'instructions' || name === 'skills') return value === false
  return ofModel.has(name)
}
