import { errorText } from '../console/error-text.ts'
import { exitNumber } from '../console/exit-codes.ts'
import type { RunEnd } from './printer.ts'
import type { RunRecord } from './run-record.ts'
import type { PlainUsage, RunUsage } from './run-usage.ts'
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
  return {
    type: 'result',
    subtype: subtypeOf(end),
    is_error: isError,
    ...(isError && { errors: [whyOf(end)] }),
    result: result?.text ?? '',
    num_turns: usage.answers,
    duration_ms: durationMs,
    duration_api_ms: record.askedMs,
    total_cost_usd: 0,
    usage: usage.total,
    modelUsage: Object.fromEntries(
      [...usage.byModel].map(([model, used]) => [model, camel(used, record.windowOf(model))]),
    ),
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
      costKnown: false,
      session: result?.cumulativeUsage ?? null,
      resume: end.resume ?? null,
    },
  }
}

function subtypeOf({ code }: RunEnd): string {
  if (exitNumber(code) === 0) return 'success'
  return code === 'limit' ? 'error_max_turns' : 'error_during_execution'
}

function whyOf(end: RunEnd): string {
  return end.kind === 'failed' ? errorText(end.error) : (end.why ?? end.result.reason)
}

function camel(used: PlainUsage, contextWindow: number) {
  return {
    inputTokens: used.input_tokens,
    outputTokens: used.output_tokens,
    cacheReadInputTokens: used.cache_read_input_tokens,
    cacheCreationInputTokens: used.cache_creation_input_tokens,
    webSearchRequests: 0,
    costUSD: 0,
    contextWindow,
  }
}
