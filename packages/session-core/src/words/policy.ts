import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { ThinkingLevel } from './thinking.ts'
import { PriceCeiling } from './cost.ts'
import { count, described, lazyObject, nonEmpty, object, positive } from './schema.ts'

/** What the permission policy says about a call. */
export const Permission = /* @__PURE__ */ z.enum(['allow', 'deny', 'ask'])
export type Permission = z.infer<typeof Permission>

/** What happens to calls that no permission rule covers. */
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
  kind: described(nonEmpty, 'bubblewrap, none, …'),
  guarantees: described(z.array(z.string()), 'what they held: network-none, guarded-paths, …'),
  why: described(z.optional(z.string()), 'why there were none, or why they held less than they can'),
  writable: described(z.optional(z.array(z.string())), 'what lies outside of the workspace and could be changed'),
}))
export type WallsRecord = Immutable<z.infer<typeof WallsRecord>>

/** One rule of the permission policy, parsed. `pattern` keeps it as the user wrote it. */
export const PermissionRule = /* @__PURE__ */ lazyObject(() => ({
  permit: Permission,
  tool: described(z.optional(z.string()), 'exact name of the tool'),
  contains: described(z.optional(z.string()), 'text within the summary of the input'),
  pathContains: described(z.optional(z.string()), 'text within the path'),
  pattern: described(z.optional(z.string()), 'the rule as the user wrote it, such as Bash(git log:*)'),
  reach: described(z.optional(Reach), 'how far commands that it allows may reach; absent means work'),
  definition: described(
    z.optional(z.string()),
    'digest of the tool that it was given for; of another one it allows nothing',
  ),
  source: described(z.optional(z.string()), 'where the rule comes from: a file, the session, a flag'),
}))
export type PermissionRule = Immutable<z.infer<typeof PermissionRule>>

/** What a call can do: nothing, only read (`probe`), change the files it names, or anything. */
export const Effect = /* @__PURE__ */ z.enum(['none', 'probe', 'write', 'unknown'])
export type Effect = z.infer<typeof Effect>

/** How permission rules know a tool. */
export const ToolRule = /* @__PURE__ */ lazyObject(() => ({
  names: described(z.array(z.string()), 'names besides its own: a rule for Edit is about edit, write and patch'),
  takes: described(z.enum(['path', 'command', 'host']), 'what a pattern in parentheses is held against'),
}))
export type ToolRule = Immutable<z.infer<typeof ToolRule>>

/** What a tool says of itself, as far as decisions depend on it. */
export const KnownTool = /* @__PURE__ */ lazyObject(() => ({
  name: z.string(),
  title: described(z.optional(z.string()), 'what people read: Run a command'),
  effect: described(z.optional(Effect), 'the most that a call can do, whatever its arguments'),
  rule: described(z.optional(ToolRule), 'how permission rules know it'),
  definition: described(z.optional(z.string()), 'digest of what a permission that lasts is given for'),
}))
export type KnownTool = Immutable<z.infer<typeof KnownTool>>

/** Who provides tools that are not of the program itself, and in which state that is. */
export const ToolServer = /* @__PURE__ */ lazyObject(() => ({
  name: nonEmpty,
  state: described(
    z.enum(['connected', 'failed', 'ended', 'inert']),
    'ended: it was connected; inert: it waits for a word of the user',
  ),
  transport: described(z.string(), 'stdio, http'),
  version: described(z.optional(z.string()), 'what it calls itself, and its version'),
  tools: described(z.optional(count), 'how many tools it offers'),
  starts: described(z.optional(count), 'how often it was started'),
  reach: described(z.optional(Reach), 'what it can touch; absent where it runs elsewhere'),
  walls: described(z.optional(z.string()), 'the walls that it runs in: bubblewrap, none'),
  why: described(z.optional(z.string()), 'why it is not connected, or what it offers and is left out'),
}))
export type ToolServer = Immutable<z.infer<typeof ToolServer>>

/** The limits of a turn. An absent one has the default of the program that runs the turn. */
export const Limits = /* @__PURE__ */ lazyObject(() => ({
  maxIterations: described(z.optional(count), 'answers in one turn'),
  maxNudges: described(z.optional(count), 'times a turn is told to go on'),
  maxEmptyAnswers: described(z.optional(count), 'repeats after an empty answer'),
  maxRecoveredCalls: described(z.optional(count), 'answers of one turn whose calls are read out of text'),
  maxToolErrors: described(z.optional(count), 'failed calls in a row'),
  maxAttempts: described(z.optional(count), 'attempts at one request'),
  maxCrashes: described(z.optional(count), 'crashes while one input is being worked on'),
  maxCompactions: described(z.optional(count), 'compactions in one turn'),
  verificationRetries: described(z.optional(count), 'times failed verification sends the work back'),
  clarifyRounds: described(z.optional(count), 'rounds of clarifying questions in one turn'),
  maxOutputTokens: described(z.optional(count), 'tokens of one answer'),
  maxTurnTokens: described(z.optional(count), 'tokens of one turn'),
  maxWaitMs: described(z.optional(count), 'time that one request waits for a model that is overloaded'),
  compactAtTokens: described(z.optional(count), 'size of the request that leads to compaction'),
  keepLastMessages: described(z.optional(count), 'messages that compaction leaves alone'),
  temperature: described(z.optional(z.number().check(z.gte(0))), 'how freely the model chooses its words'),
}))
export type Limits = Immutable<z.infer<typeof Limits>>

/** What a model can do. A backend's `describe` returns it, and the runtime adapts prompts and limits to it. */
export const ModelCapabilities = /* @__PURE__ */ lazyObject(() => ({
  model: described(z.string(), 'provider/id'),
  nativeTools: described(z.boolean(), 'whether it calls tools by itself, not only in text'),
  streaming: described(z.optional(z.boolean()), 'whether answers arrive bit by bit'),
  contextWindow: described(z.optional(positive), 'in tokens'),
  images: described(z.optional(z.boolean()), 'whether it sees images; absent: not known'),
  documents: described(z.optional(z.boolean()), 'whether it reads PDF files; absent: not known'),
  local: described(z.optional(z.boolean()), 'whether it runs on a machine of the user, where requests cost nothing'),
  callFormat: described(z.optional(z.enum(['native', 'json_tag', 'bracket'])), 'how it writes calls'),
  verificationStrictness: described(
    z.optional(z.enum(['lax', 'standard', 'strict'])),
    'how much evidence it has to bring',
  ),
  notes: described(z.optional(z.array(z.string())), 'what else is known about it, in words'),
}))
export type ModelCapabilities = Immutable<z.infer<typeof ModelCapabilities>>

/** Everything that decisions depend on and that does not come from the conversation. */
export const Policy = /* @__PURE__ */ lazyObject(() => ({
  permission: object({
    mode: PermissionMode,
    within: described(z.optional(Reach), 'the most that any call can touch, whatever allows it; absent: anything'),
    copyOf: described(
      z.optional(z.array(nonEmpty)),
      'folders that the workspace is a copy of: rules that deny or ask there do so here',
    ),
    promptingEnabled: described(z.boolean(), 'whether any call can lead to a question'),
    ruleCounts: described(object({ allow: count, deny: count, ask: count }), 'how many rules of each kind there are'),
    rules: z.array(PermissionRule),
    rulesSource: described(z.nullable(z.string()), 'the file that the rules were read from'),
  }),
  limits: Limits,
  tools: described(
    z.optional(
      object({
        names: z.array(z.string()),
        digest: described(z.string(), 'of their names, descriptions and inputs'),
        tokens: described(z.optional(count), 'their size in a request, estimated'),
        known: described(z.optional(z.array(KnownTool)), 'those that say something of themselves'),
        servers: described(
          z.optional(z.array(ToolServer)),
          'who provides the tools that are not of the program itself',
        ),
      }),
    ),
    'what the model may call',
  ),
  model: z.optional(ModelCapabilities),
  thinking: described(z.optional(ThinkingLevel), 'how much the model thinks; absent, as its provider decides'),
  hooks: described(
    z.optional(z.array(z.string())),
    'moments at which hooks run: pre_tool, stop, …; pre_tool:bash where they are for calls of one tool',
  ),
  compaction: described(
    z.optional(z.enum(['local', 'model'])),
    'who writes summaries; absent means the runtime itself',
  ),
  completionCheck: described(z.optional(z.literal(false)), 'answers that claim no change are accepted as they are'),
  checks: described(
    z.optional(
      z.array(
        object({
          command: nonEmpty,
          text: described(z.optional(z.string()), 'what it shows'),
          cwd: described(z.optional(z.string()), 'relative to the project; absent means its root'),
          kind: z.optional(z.string()),
          timeoutMs: z.optional(positive),
          reach: described(z.optional(z.enum(['work', 'network'])), 'what it may touch; absent means work'),
          when: described(
            z.optional(z.enum(['turn', 'end'])),
            'end: only when it is asked for; absent means each turn',
          ),
        }),
      ),
    ),
    'checks of the settings of the user; absent means those that the project declares',
  ),
  protect: described(
    z.optional(z.array(z.string())),
    'patterns of paths that are part of the checks, whatever they hold',
  ),
  accept: described(
    z.optional(z.array(z.string())),
    'patterns of paths whose changes the user has accepted beforehand',
  ),
  slowAfterMs: described(z.optional(positive), 'a check that takes longer is tried in two rooms only'),
  budget: described(
    z.optional(
      object({
        usd: described(z.number().check(z.gte(0)), 'US dollars that the requests of the session may cost'),
        price: described(z.optional(PriceCeiling), 'absent: not known, and the user goes on nevertheless'),
      }),
    ),
    'what the session may cost',
  ),
  fallback: described(
    z.optional(
      object({
        model: described(nonEmpty, 'provider/id that takes over'),
        of: described(nonEmpty, 'provider/id that it stands in for'),
        afterMs: described(count, 'time that the other is waited for'),
      }),
    ),
    'a model for when the first one is overloaded',
  ),
  walls: described(
    z.optional(
      object({
        state: described(z.enum(['held', 'missing', 'off']), 'missing: wanted, and not to be had; off: not wanted'),
        ...WallsRecord.shape,
      }),
    ),
    'what commands run in; absent in older histories',
  ),
  saves: described(
    z.optional(object({ carry: described(z.array(z.string()), 'patterns of ignored files that go along') })),
    'whatever calls change is stored with the session, so that another machine can go on; absent: it is not',
  ),
  decisions: described(
    z.optional(positive),
    'which decisions it stands for: absent, the effect of a command is read off its words',
  ),
  audience: described(z.enum(['user', 'nobody']), 'whether there is someone to ask'),
}))
export type Policy = Immutable<z.infer<typeof Policy>>
