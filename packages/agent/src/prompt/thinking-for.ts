import type { SessionState, ThinkingLevel } from '@loader/session-core'
import type { RequestPurpose } from '@loader/session-core/coding'
import type * as z from 'zod'

/**
 * How much the model thinks for this request. Texts for the runtime, such as summaries, are short and capped, so that
 * thinking would leave no room for them.
 */
export function thinkingFor(
  { policy }: SessionState,
  purpose: z.infer<typeof RequestPurpose>,
): { readonly thinking?: ThinkingLevel } {
  const level = policy?.thinking
  if (level === undefined) return {}
  return { thinking: purpose === 'answer' ? level : 'off' }
}
