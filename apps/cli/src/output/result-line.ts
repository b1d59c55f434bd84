import { isCostKnown, type Totals } from '@loader/session-core'
import { errorText } from '../console/error-text.ts'
import { exitNumber } from '../console/exit-codes.ts'
import type { RunEnd } from './printer.ts'
import type { RunRecord } from './run-record.ts'
import { plainUsage, type RunUsage } from './run-usage.ts'
import { asObject, type StreamLine } from './stream-json-lines.ts'

export interface ResultFacts {
  readonly usage: RunUsage
  readonly record: RunRecord
  readonly durationMs: number
}

/** The final result of a run as the protocol of wrappers defines it; facts without a field there go into `loader`. */
export function resultLine(end: RunEnd, { usage, record, durationMs }: ResultFacts): StreamLine {
  const exitCode = exitNumber(end.code)
  const isError = exitCode !== 0
  const result = end.kind === 'finished' ? end.result : undefined
  const { total, byModel } = usage
  return {
    type: 'result',
    subtype: subtypeOf(end),
    is_error: isError,
    ...(isError && { errors: [whyOf(end)] }),
    result: result?.text ?? '',
    num_turns: usage.answers,
    duration_ms: durationMs,
    duration_api_ms: record.askedMs,
    total_cost_usd: costOf(total),
    usage: plainUsage(total),
    modelUsage: Object.fromEntries([...byModel].map(([model, used]) => [model, camel(used, record.windowOf(model))])),
    permission_denials: record.denials.map(({ callId, call }) => ({
      tool_name: call?.name ?? '',
      tool_use_id: callId,
      tool_input: asObject(call?.input),
    })),
    stop_reason: isError ? null : 'end_turn',
    loader: {
      turnFinished: result?.reason ?? null,
      verdict: result?.verdict ?? null,
      judgement: result?.judgement ?? null,
      changed: result?.end?.changed ?? null,
      ...(result?.end?.beside !== undefined && { beside: result.end.beside }),
      criteria: end.kind === 'finished' ? end.criteria : [],
      lastSeq: record.lastSeq,
      exitCode,
      outcomes: record.outcomes,
      costKnown: isCostKnown(total),
      usage: total,
      session: result?.cumulativeUsage ?? null,
      resume: end.resume ?? null,
    },
  }
}

function subtypeOf(end: RunEnd): string {
  const { code } = end
  if (exitNumber(code) === 0) return 'success'
  if (end.kind === 'finished' && end.result.reason === 'cost_budget_exhausted') return 'error_max_budget_usd'
  return code === 'limit' ? 'error_max_turns' : 'error_during_execution'
}

function whyOf(end: RunEnd): string {
  return end.kind === 'failed' ? errorText(end.error) : (end.why ?? end.result.reason)
}

/** The sum of the known costs; null when none is known. */
function costOf({ cost, requests }: Totals): number | null {
  return requests > 0 && (cost?.known ?? 0) === 0 ? null : (cost?.usd ?? 0)
}

function camel(totals: Totals, contextWindow: number) {
  const used = plainUsage(totals)
  return {
    inputTokens: used.input_tokens,
    outputTokens: used.output_tokens,
    cacheReadInputTokens: used.cache_read_input_tokens,
    cacheCreationInputTokens: used.cache_creation_input_tokens,
    webSearchRequests: 0,
    costUSD: costOf(totals),
    contextWindow,
  }
}
