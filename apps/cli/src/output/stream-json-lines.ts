import { type AnswerPart, type EventOf, type SessionEvent, shownText } from '@loader/session-core'
import type { PermissionMode } from '@loader/session-core/coding'
import type { RunHead } from './printer.ts'
import type { RunRecord } from './run-record.ts'
import { noUsage, plainUsage, type PlainUsage } from './run-usage.ts'

export type StreamLine = { readonly type: string; readonly subtype?: string; readonly [key: string]: unknown }
type Block = StreamLine

export function initLine({ folder, model, tools, permissionMode }: RunHead, version: string): StreamLine {
  return {
    type: 'system',
    subtype: 'init',
    cwd: folder,
    model,
    tools,
    mcp_servers: [],
    permissionMode: theirModes[permissionMode],
    slash_commands: [],
    apiKeySource: 'none',
    agents: [],
    skills: [],
    plugins: [],
    output_style: 'default',
    loader_version: version,
    loader: { permissionMode },
  }
}

const theirModes: Readonly<Record<PermissionMode, string>> = {
  'read-only': 'plan',
  'workspace-write': 'acceptEdits',
  prompt: 'default',
  'danger-full-access': 'bypassPermissions',
  allow: 'bypassPermissions',
}

export interface LineOptions {
  /** The requested model, for answers that do not name theirs. */
  readonly model: string
  readonly replayed: boolean
}

/** The lines for an event in the protocol of wrappers; most events have none. */
export function jsonLinesOf(event: SessionEvent, record: RunRecord, { model, replayed }: LineOptions): StreamLine[] {
  switch (event.type) {
    case 'input.queued':
      // The message that started the run was already printed with its head.
      return replayed && event.source !== undefined ? [promptLine(shownText(event.text), event.at)] : []
    case 'model.answered':
      return record.isForUser(event.requestId) ? answerLines(event, model) : []
    case 'calls.recovered': {
      const blocks = event.calls.map((call) => callBlock(call))
      return assistantLines(blocks, { id: event.requestId, model, at: event.at, stop: 'tool_use', usage: noUsage })
    }
    case 'permission.decided':
      return event.permit === 'deny' ? [deniedLine(event, record)] : []
    case 'tool.finished':
      return [toolLine(event)]
    case 'wait.started':
      return event.requestId === undefined ? [] : [retryLine(event, event.requestId, record)]
    case 'context.compacted': {
      const { tokensBefore: pre_tokens, tokensAfter: post_tokens } = event
      return [
        { type: 'system', subtype: 'compact_boundary', compact_metadata: { trigger: 'auto', pre_tokens, post_tokens } },
      ]
    }
    default:
      return []
  }
}

/** A message of the user. */
export function promptLine(content: string, at: string = new Date().toISOString()): StreamLine {
  return { type: 'user', parent_tool_use_id: null, timestamp: at, message: { role: 'user', content }, isReplay: true }
}

function answerLines(event: EventOf<'model.answered'>, model: string): StreamLine[] {
  const blocks = event.content.flatMap((part) => blockOf(part) ?? [])
  const stop = stopReason(event.finishReason)
  const about = { id: event.requestId, model: event.model ?? model, at: event.at, stop, usage: plainUsage(event.usage) }
  return assistantLines(blocks, about)
}

export function stopReason(reason: EventOf<'model.answered'>['finishReason']): string {
  if (reason === 'tool-calls') return 'tool_use'
  if (reason === 'content-filter') return 'refusal'
  return reason === 'length' ? 'max_tokens' : 'end_turn'
}

interface Answer {
  readonly id: string
  readonly model: string
  readonly at: string
  readonly stop: string
  readonly usage: PlainUsage
}

/** One line for each block. Only the last one has stop reason and usage, so that sums are correct. */
function assistantLines(blocks: readonly Block[], { id, model, at, stop, usage }: Answer): StreamLine[] {
  return blocks.map((block, index) => {
    const last = index === blocks.length - 1
    return {
      type: 'assistant',
      parent_tool_use_id: null,
      timestamp: at,
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [block],
        stop_reason: last ? stop : null,
        stop_sequence: null,
        usage: last ? usage : { input_tokens: 0, output_tokens: 0 },
      },
    }
  })
}

function blockOf(part: AnswerPart): Block | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: shownText(part.text) }
    case 'reasoning':
      return { type: 'thinking', thinking: shownText(part.text), signature: '' }
    case 'call':
      return callBlock(part.call)
    case 'file':
      return undefined
    default:
      return part satisfies never
  }
}

function callBlock({
  id,
  name,
  input,
}: {
  readonly id: string
  readonly name: string
  readonly input: unknown
}): Block {
  return { type: 'tool_use', id, name, input: asObject(input) }
}

function toolLine({ callId, outcome, text, at }: EventOf<'tool.finished'>): StreamLine {
  const shown = shownText(text)
  const marked = outcome === 'ok' || outcome === 'failed' ? shown : `[${outcome}] ${shown}`
  const content = [{ type: 'tool_result', tool_use_id: callId, content: marked, is_error: outcome !== 'ok' }]
  return {
    type: 'user',
    parent_tool_use_id: null,
    timestamp: at,
    message: { role: 'user', content },
    tool_use_result: { outcome },
  }
}

function deniedLine({ callId, reason = 'denied' }: EventOf<'permission.decided'>, record: RunRecord): StreamLine {
  const tool_name = record.call(callId)?.name ?? ''
  return { type: 'system', subtype: 'permission_denied', tool_name, tool_use_id: callId, message: reason }
}

function retryLine({ until, at, why }: EventOf<'wait.started'>, requestId: string, record: RunRecord): StreamLine {
  const { lastFailure, maxRetries } = record
  return {
    type: 'system',
    subtype: 'api_retry',
    attempt: record.request(requestId)?.attempt ?? 1,
    max_retries: maxRetries,
    retry_delay_ms: Math.max(0, Date.parse(until) - Date.parse(at)),
    error_status: lastFailure?.status ?? null,
    error: lastFailure?.kind ?? 'other',
    loader: { until, why },
  }
}

export function asObject(input: unknown): object {
  return input !== null && typeof input === 'object' && !Array.isArray(input) ? input : { input }
}
