import { JsonObject, type ModelRequest } from '@loader/session-core'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'

/**
 * Whether a Claude thinks by a budget of tokens: all up to 4.5. Later ones think adaptively, as much as they find
 * right. Names that are none of Claude's belong to servers with Anthropic's interface, which know budgets.
 */
export function thinksByBudget(model: string): boolean {
  return !model.includes('claude-') || byBudget.test(model)
}

/** With the dates of snapshots, such as claude-sonnet-4-20250514. */
const byBudget = /claude-(?:instant|v?2|3|(?:opus|sonnet|haiku)-4(?:[-@](?:[015](?!\d)|\d{8})|$))/

/** What thoughts may take of an answer, as the AI SDK has it. */
const shares = { low: 0.1, medium: 0.3, high: 0.6 } as const
const leastBudget = 1024

/** The smallest limit of an answer that leaves as much room for words as for thoughts. */
export const leastLimitByBudget = 2 * leastBudget

/**
 * The call with thoughts inside of its limit. The AI SDK adds the budget to the limit: an answer would take, and cost,
 * more than it may.
 */
export function withBudgetInLimit(call: LanguageModelV4CallOptions, model: string): LanguageModelV4CallOptions {
  const { maxOutputTokens: limit, providerOptions = {} } = call
  const { anthropic = {} } = providerOptions
  if (limit === undefined) return call
  const budgetTokens = ownBudget(providerOptions) ?? budgetOfLevel(call, limit, model)
  if (budgetTokens === undefined) return call
  const thinking = { ...fieldsOf(anthropic['thinking']), type: 'enabled', budgetTokens }
  return {
    ...call,
    maxOutputTokens: limit - budgetTokens,
    providerOptions: { ...providerOptions, anthropic: { ...anthropic, thinking } },
  }
}

function budgetOfLevel(
  { reasoning, providerOptions }: LanguageModelV4CallOptions,
  limit: number,
  model: string,
): number | undefined {
  const level = reasoning === 'low' || reasoning === 'medium' || reasoning === 'high' ? reasoning : undefined
  const isOwn = providerOptions?.['anthropic']?.['thinking'] !== undefined
  if (level === undefined || isOwn || !thinksByBudget(model)) return undefined
  return Math.max(leastBudget, Math.floor(limit * shares[level]))
}

/** The budget that the caller gives in the options of the provider. */
export function ownBudget({ anthropic = {} }: LanguageModelV4CallOptions['providerOptions'] & {}): number | undefined {
  const { type, budgetTokens } = fieldsOf(anthropic['thinking'])
  return type === 'enabled' && typeof budgetTokens === 'number' ? budgetTokens : undefined
}

/** A budget of the caller as far as there is room for it besides words; without room, no thoughts. */
export function withPossibleBudget(
  options: ProviderOptions,
  { maxOutputTokens: limit }: Pick<ModelRequest, 'maxOutputTokens'>,
): ProviderOptions {
  const budget = ownBudget(options)
  if (budget === undefined || limit === undefined || budget <= limit - leastBudget) return options
  const { anthropic = {} } = options
  const thinking =
    limit < leastLimitByBudget
      ? { type: 'disabled' }
      : { ...fieldsOf(anthropic['thinking']), budgetTokens: limit - leastBudget }
  return { ...options, anthropic: { ...anthropic, thinking } }
}

function fieldsOf(thinking: unknown): JsonObject {
  return JsonObject.safeParse(thinking).data ?? {}
}
