import { Usage } from '@loader/session-core'
import type { LanguageModelV3Usage, LanguageModelV4Usage } from '@ai-sdk/provider'

/** The usage that the server reported, if any. */
export function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage | LanguageModelV4Usage): Usage | undefined {
  return told({
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    reasoningTokens: outputTokens.reasoning,
    cacheReadTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
  })
}

/** The valid counts only. */
export function told(counts: { readonly [Name in keyof Usage]: number | null | undefined }): Usage | undefined {
  const known = Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count) && Number(count) >= 0)
  return known.length === 0 ? undefined : Usage.parse(Object.fromEntries(known))
}

export function toModelUsage(usage: Usage = {}): LanguageModelV4Usage {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage
  const noCache = inputTokens === undefined ? undefined : inputTokens - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0)
  const text = outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0)
  return {
    inputTokens: { total: inputTokens, noCache, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens },
    outputTokens: { total: outputTokens, text, reasoning: reasoningTokens },
  }
}
