import { ToolOutcome, Totals } from '@loader/session-core'
import { Beside, Judgement, PermissionMode, Verdict } from '@loader/session-core/coding'
import * as z from 'zod'

const count = z.int().min(0)
const exitCode = z.int().describe('docs/cli.md has the table')
const sessionId = z.string().describe('what -r takes; empty only when a run fails before there is a session')

const RunStarted = z
  .object({
    type: z.literal('run.started'),
    sessionId,
    model: z.string().describe('provider/id; empty when it is not known yet'),
    tools: z.array(z.string()),
    permissionMode: PermissionMode,
    folder: z.string().describe('the project'),
    seq: count.describe('the last event that the session had'),
    version: z.string().describe('of loader'),
  })
  .describe('Always the first line.')

const RunFinished = z
  .object({
    type: z.literal('run.finished'),
    sessionId,
    exitCode,
    resume: z.string().optional().describe('the command that goes on with the session'),
    error: z.object({ code: z.string(), message: z.string() }).optional().describe('why the run failed'),
    reason: z.string().optional().describe('why the turn ended'),
    why: z.string().nullable().optional().describe('the same in words'),
    verdict: z.nullable(Verdict).optional(),
    judgement: z.nullable(Judgement).optional().describe('where the turn stands, in more words than the verdict has'),
    changed: z
      .boolean()
      .nullable()
      .optional()
      .describe('whether the turn changed anything, or may have; null when that is not known'),
    beside: z.optional(Beside).describe('where no file of the project changed: what else did, or was not looked at'),
    text: z.string().optional().describe('the answer, and below it what the checks showed'),
    usage: z.optional(Totals).describe('of the turn'),
  })
  .describe('Always the last line. Either an error, or what came of the turn.')

const StoredEvent = z
  .looseObject({ type: z.string(), seq: z.int().min(1), at: z.string() })
  .describe('An event of the session: session-event.schema.json of @loader/session-core.')

export const EventsLine = z.union([RunStarted, RunFinished, StoredEvent]).describe('a line of --output-format events')

const everywhere = { session_id: sessionId, uuid: z.string().describe('of the line; the same when it is made again') }
const inMessages = { ...everywhere, parent_tool_use_id: z.null(), timestamp: z.string() }
const tokens = {
  input_tokens: count.describe('without those from a cache'),
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
}

const Init = z.object({
  type: z.literal('system'),
  subtype: z.literal('init'),
  ...everywhere,
  cwd: z.string(),
  model: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.never()),
  permissionMode: z.enum(['default', 'acceptEdits', 'plan', 'bypassPermissions']).describe('the nearest one'),
  slash_commands: z.array(z.never()),
  apiKeySource: z.literal('none'),
  agents: z.array(z.never()),
  skills: z.array(z.never()),
  plugins: z.array(z.never()),
  output_style: z.literal('default'),
  loader_version: z.string(),
  loader: z.object({ permissionMode: PermissionMode }),
})

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.literal('') }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.looseObject({}) }),
])

const Assistant = z.object({
  type: z.literal('assistant'),
  ...inMessages,
  message: z.object({
    id: z.string().describe('the same for all blocks of an answer'),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.tuple([Block]),
    stop_reason: z.string().nullable().describe('null but for the last block'),
    stop_sequence: z.null(),
    usage: z.union([z.object(tokens), z.object({ input_tokens: z.literal(0), output_tokens: z.literal(0) })]),
  }),
})

const ToolResult = z.object({
  type: z.literal('user'),
  ...inMessages,
  message: z.object({
    role: z.literal('user'),
    content: z.tuple([
      z.object({
        type: z.literal('tool_result'),
        tool_use_id: z.string(),
        content: z.string().describe('[denied], [interrupted] or [unknown] come first where that is the outcome'),
        is_error: z.boolean(),
      }),
    ]),
  }),
  tool_use_result: z.object({ outcome: ToolOutcome }),
})

const Replayed = z.object({
  type: z.literal('user'),
  ...inMessages,
  message: z.object({ role: z.literal('user'), content: z.string() }),
  isReplay: z.literal(true),
})

const Retry = z.object({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  ...everywhere,
  attempt: count,
  max_retries: count,
  retry_delay_ms: count,
  error_status: z.int().nullable(),
  error: z.string(),
  loader: z.object({ until: z.string().describe('when it is tried again'), why: z.string() }),
})

const Denied = z.object({
  type: z.literal('system'),
  subtype: z.literal('permission_denied'),
  ...everywhere,
  tool_name: z.string(),
  tool_use_id: z.string(),
  message: z.string(),
})

const Compacted = z.object({
  type: z.literal('system'),
  subtype: z.literal('compact_boundary'),
  ...everywhere,
  compact_metadata: z.object({ trigger: z.literal('auto'), pre_tokens: count, post_tokens: count }),
})

const StreamEvent = z.object({
  type: z.literal('stream_event'),
  ...everywhere,
  event: z.looseObject({ type: z.string() }),
  parent_tool_use_id: z.null(),
})

const usd = z
  .number()
  .min(0)
  .nullable()
  .describe('the sum of the costs that are known; null when none is. Local models cost 0')

const ModelTokens = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  webSearchRequests: z.literal(0),
  costUSD: usd,
  contextWindow: count.describe('0 when it is not known'),
})

export const ResultLine = z
  .object({
    type: z.literal('result'),
    subtype: z.enum(['success', 'error_during_execution', 'error_max_turns', 'error_max_budget_usd']),
    ...everywhere,
    is_error: z.boolean().describe('says the same as the exit code: true unless that is 0'),
    errors: z.array(z.string()).optional(),
    result: z.string().describe('the answer, and below it what the checks showed; empty when there is none'),
    num_turns: count.describe('answers of the model'),
    duration_ms: count,
    duration_api_ms: count,
    total_cost_usd: usd,
    usage: z.object(tokens).describe('of this run'),
    modelUsage: z.record(z.string(), ModelTokens),
    permission_denials: z.array(
      z.object({ tool_name: z.string(), tool_use_id: z.string(), tool_input: z.looseObject({}) }),
    ),
    stop_reason: z.literal('end_turn').nullable(),
    loader: z.object({
      turnFinished: z.string().nullable().describe('why the turn ended; null when there was none'),
      verdict: z.nullable(Verdict),
      judgement: z.nullable(Judgement).describe('where the turn stands, in more words than the verdict has'),
      changed: z
        .boolean()
        .nullable()
        .describe('whether the turn changed anything, or may have; null when that is not known'),
      beside: z.optional(Beside).describe('where no file of the project changed: what else did, or was not looked at'),
      criteria: z.array(z.object({ id: z.string(), text: z.string(), verdict: Verdict })),
      lastSeq: count,
      exitCode,
      outcomes: z.record(ToolOutcome, count).describe('how many calls ended how'),
      costKnown: z.boolean().describe('whether the sums are all of it; otherwise they are lower bounds'),
      usage: Totals.check(z.describe('of this run, with thinking and cached tokens')),
      session: z.nullable(Totals).describe('of the whole session'),
      resume: z.string().nullable().describe('the command that goes on with the session'),
    }),
  })
  .describe('the line of --output-format json, and the last one of stream-json')

export const StreamJsonLine = z
  .union([Init, Assistant, ToolResult, Replayed, Retry, Denied, Compacted, StreamEvent, ResultLine])
  .describe('a line of --output-format stream-json')
