import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

export const Permit = /* @__PURE__ */ z.enum(['allow', 'deny', 'ask'])
export type Permit = z.infer<typeof Permit>

export const PermissionMode = /* @__PURE__ */ z.enum([
  'read-only',
  'workspace-write',
  'danger-full-access',
  'prompt',
  'allow',
])
export type PermissionMode = z.infer<typeof PermissionMode>

/**
 * What a call can touch, enforced by the walls around it: look at files; work in the workspace; use the network as well;
 * or everything that the user can.
 */
export const Reach = /* @__PURE__ */ z.enum(['look', 'work', 'network', 'open'])
export type Reach = z.infer<typeof Reach>

/** Which walls a command ran in, and what they held. */
export const WallsRecord = /* @__PURE__ */ lazyObject(() => ({
  kind: z.string().min(1).describe('bubblewrap, none, …'),
  guarantees: z.array(z.string()).describe('what they held: network-none, guarded-paths, …'),
  why: z.string().optional().describe('why there were none, or why they held less than they can'),
  writable: z.array(z.string()).optional().describe('what lies outside of the workspace and could be changed'),
}))
export type WallsRecord = Immutable<z.infer<typeof WallsRecord>>

export const PermissionRule = /* @__PURE__ */ lazyObject(() => ({
  permit: Permit,
  tool: z.string().optional().describe('exact name of the tool'),
  contains: z.string().optional().describe('text within the summary of the input'),
  pathContains: z.string().optional().describe('text within the path'),
  pattern: z.string().optional().describe('the rule as the user wrote it, such as Bash(git log:*)'),
  reach: Reach.optional().describe('how far commands that it allows may reach; absent means work'),
  source: z.string().optional().describe('where the rule comes from: a file, the session, a flag'),
}))
export type PermissionRule = Immutable<z.infer<typeof PermissionRule>>

/** What a call can do: nothing, look, change files it names, or anything. */
export const Effect = /* @__PURE__ */ z.enum(['none', 'probe', 'write', 'unknown'])
export type Effect = z.infer<typeof Effect>

/** How permission rules know a tool. */
export const ToolRule = /* @__PURE__ */ lazyObject(() => ({
  names: z.array(z.string()).describe('names besides its own: a rule for Edit is about edit, write and patch'),
  takes: z.enum(['path', 'command']).describe('what a pattern in parentheses is held against'),
}))
export type ToolRule = Immutable<z.infer<typeof ToolRule>>

/** What a tool says of itself, as far as decisions depend on it. */
export const KnownTool = /* @__PURE__ */ lazyObject(() => ({
  name: z.string(),
  title: z.string().optional().describe('what people read: Run a command'),
  effect: Effect.optional().describe('the most that a call can do, whatever its arguments'),
  rule: ToolRule.optional().describe('how permission rules know it'),
}))
export type KnownTool = Immutable<z.infer<typeof KnownTool>>

const count = /* @__PURE__ */ z.int().min(0)

/** Budgets of a turn. An absent one has the default of whoever decides. */
export const Limits = /* @__PURE__ */ lazyObject(() => ({
  maxIterations: count.optional().describe('answers in one turn'),
  maxNudges: count.optional().describe('times a turn is told to go on'),
  maxEmptyAnswers: count.optional().describe('repeats after an empty answer'),
  maxRecoveredCalls: count.optional().describe('answers of one turn whose calls are read out of text'),
  maxToolErrors: count.optional().describe('failed calls in a row'),
  maxAttempts: count.optional().describe('attempts at one request'),
  maxCrashes: count.optional().describe('crashes while one input is being worked on'),
  maxCompactions: count.optional().describe('compactions in one turn'),
  verificationRetries: count.optional().describe('times failed verification sends the work back'),
  clarifyRounds: count.optional().describe('rounds of clarifying questions in one turn'),
  maxOutputTokens: count.optional().describe('tokens of one answer'),
  maxTurnTokens: count.optional().describe('tokens of one turn'),
  compactAtTokens: count.optional().describe('size of the request that leads to compaction'),
  keepLastMessages: count.optional().describe('messages that compaction leaves alone'),
  temperature: z.number().min(0).optional().describe('how freely the model chooses its words'),
}))
export type Limits = Immutable<z.infer<typeof Limits>>

export const ModelCapabilities = /* @__PURE__ */ lazyObject(() => ({
  model: z.string().describe('provider/id'),
  nativeTools: z.boolean().describe('whether it calls tools by itself, not only in text'),
  streaming: z.boolean().optional().describe('whether answers arrive bit by bit'),
  contextWindow: z.int().min(1).optional().describe('in tokens'),
  callFormat: z.enum(['native', 'json_tag', 'bracket']).optional().describe('how it writes calls'),
  verificationStrictness: z
    .enum(['lax', 'standard', 'strict'])
    .optional()
    .describe('how much evidence it has to bring'),
  notes: z.array(z.string()).optional().describe('what else is known about it, in words'),
}))
export type ModelCapabilities = Immutable<z.infer<typeof ModelCapabilities>>

/** Everything that decisions depend on and that does not come from the conversation. */
export const Policy = /* @__PURE__ */ lazyObject(() => ({
  permission: z.object({
    mode: PermissionMode,
    promptingEnabled: z.boolean().describe('whether any call can lead to a question'),
    ruleCounts: z.object({ allow: count, deny: count, ask: count }).describe('how many rules of each kind there are'),
    rules: z.array(PermissionRule),
    rulesSource: z.string().nullable().describe('the file that the rules were read from'),
  }),
  limits: Limits,
  tools: z
    .object({
      names: z.array(z.string()),
      digest: z.string().describe('of their names, descriptions and inputs'),
      tokens: z.int().min(0).optional().describe('their size in a request, estimated'),
      known: z.array(KnownTool).optional().describe('those that say something of themselves'),
    })
    .optional()
    .describe('what the model may call'),
  model: ModelCapabilities.optional(),
  hooks: z.array(z.string()).optional().describe('moments at which hooks run: pre_tool, stop, …'),
  compaction: z.enum(['local', 'model']).optional().describe('who writes summaries; absent means the runtime itself'),
  completionCheck: z.literal(false).optional().describe('answers that claim no change are accepted as they are'),
  checks: z
    .array(
      z.object({
        command: z.string().min(1),
        text: z.string().optional().describe('what it shows'),
        cwd: z.string().optional().describe('relative to the project; absent means its root'),
        kind: z.string().optional(),
        timeoutMs: z.int().min(1).optional(),
        reach: z.enum(['work', 'network']).optional().describe('what it may touch; absent means work'),
        when: z.enum(['turn', 'end']).optional().describe('end: only when it is asked for; absent means each turn'),
      }),
    )
    .optional()
    .describe('checks of the settings of the user; absent means those that the project declares'),
  protect: z.array(z.string()).optional().describe('patterns of paths that are part of the checks, whatever they hold'),
  accept: z.array(z.string()).optional().describe('patterns of paths whose changes the user has accepted beforehand'),
  slowAfterMs: z.int().min(1).optional().describe('a check that takes longer is tried in two rooms only'),
  walls: z
    .object({
      state: z.enum(['held', 'missing', 'off']).describe('missing: wanted, and not to be had; off: not wanted'),
      ...WallsRecord.shape,
    })
    .optional()
    .describe('what commands run in; absent in older recordings'),
  decisions: z
    .int()
    .min(1)
    .optional()
    .describe('which decisions it stands for: absent, the effect of a command is read off its words'),
  audience: z.enum(['user', 'nobody']).describe('whether there is anybody to ask'),
}))
export type Policy = Immutable<z.infer<typeof Policy>>
