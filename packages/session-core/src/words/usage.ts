import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

const count = /* @__PURE__ */ z.int().min(0)

/** Tokens of one request as the server reported them; what it did not report is absent, never guessed. */
export const Usage = /* @__PURE__ */ lazyObject(() => ({
  inputTokens: count.optional().describe('tokens of the request, cached ones included'),
  outputTokens: count.optional().describe('tokens of the answer, reasoning included'),
  reasoningTokens: count.optional().describe('the part of the answer that was reasoning'),
  cacheReadTokens: count.optional().describe('the part of the request that was read from a cache'),
  cacheWriteTokens: count.optional().describe('the part of the request that was written to a cache'),
}))
export type Usage = Immutable<z.infer<typeof Usage>>

/** What a turn, or a whole session, has used. */
export const Totals = /* @__PURE__ */ lazyObject(() => ({
  inputTokens: count.describe('sum over all requests'),
  outputTokens: count.describe('sum over all requests'),
  reasoningTokens: count.describe('sum over all requests'),
  cacheReadTokens: count.describe('sum over all requests'),
  cacheWriteTokens: count.describe('sum over all requests'),
  requests: count.describe('requests that reached the model, failed ones included'),
  toolCalls: count.describe('calls that were answered, whatever the outcome'),
  iterations: count.describe('answers that were asked for, not counting second attempts'),
  turns: count.describe('turns that ended'),
}))
export type Totals = Immutable<z.infer<typeof Totals>>

export const noTotals: Totals = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  requests: 0,
  toolCalls: 0,
  iterations: 0,
  turns: 0,
}

export function addTotals(totals: Totals, more: { readonly [Key in keyof Totals]?: Totals[Key] | undefined }): Totals {
  return {
    inputTokens: totals.inputTokens + (more.inputTokens ?? 0),
    outputTokens: totals.outputTokens + (more.outputTokens ?? 0),
    reasoningTokens: totals.reasoningTokens + (more.reasoningTokens ?? 0),
    cacheReadTokens: totals.cacheReadTokens + (more.cacheReadTokens ?? 0),
    cacheWriteTokens: totals.cacheWriteTokens + (more.cacheWriteTokens ?? 0),
    requests: totals.requests + (more.requests ?? 0),
    toolCalls: totals.toolCalls + (more.toolCalls ?? 0),
    iterations: totals.iterations + (more.iterations ?? 0),
    turns: totals.turns + (more.turns ?? 0),
  }
}
