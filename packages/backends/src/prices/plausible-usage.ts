import { type BackendDone, JsonObject, type Usage } from '@loader/session-core'

/** Usage that can be priced: both counts are there, something was asked, and parts are not larger than their whole. */
export interface PlausibleUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of what was written that is kept for an hour, which costs more. */
  readonly cacheWriteHour: number
  readonly reasoning: number
}

type Reported = Pick<BackendDone, 'providerMetadata'> & { readonly usage?: Usage | undefined }

/** More tokens than any model takes in one request. */
const most = 100_000_000

/**
 * Undefined if a count is missing, or if the counts contradict each other: servers differ in what they count as input,
 * so a guess would be a wrong price. A request of no tokens does not exist; servers that do not count report it.
 */
export function plausibleUsage({ usage = {}, providerMetadata }: Reported): PlausibleUsage | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const counts = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens]
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0 && count <= most)) return undefined
  if (inputTokens === 0) return undefined
  if (cacheReadTokens + cacheWriteTokens > inputTokens || reasoningTokens > outputTokens) return undefined
  return {
    input: inputTokens,
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    cacheWriteHour: Math.min(cacheWriteTokens, writtenForAnHour(providerMetadata)),
    reasoning: reasoningTokens,
  }
}

/** Anthropic says apart what it keeps for longer than five minutes. */
function writtenForAnHour(metadata: BackendDone['providerMetadata']): number {
  const path = ['anthropic', 'usage', 'cache_creation', 'ephemeral_1h_input_tokens']
  const count = path.reduce<unknown>((value, name) => JsonObject.safeParse(value).data?.[name], metadata)
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0
}
