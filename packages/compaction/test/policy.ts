import type { EventInput, ModelCapabilities } from '@loader/session-core'
import type { Limits } from '@loader/session-core/coding'

type PolicyApplied = Extract<EventInput, { type: 'policy.applied' }>

/** A policy of which only limits and model matter. */
export function policyWith({ limits = {}, model }: { limits?: Limits; model?: ModelCapabilities } = {}): PolicyApplied {
  return {
    type: 'policy.applied',
    permission: {
      mode: 'prompt',
      promptingEnabled: true,
      ruleCounts: { allow: 0, deny: 0, ask: 0 },
      rules: [],
      rulesSource: null,
    },
    limits,
    audience: 'nobody',
    ...(model && { model }),
  }
}
