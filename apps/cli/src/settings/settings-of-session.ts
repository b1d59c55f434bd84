import { Limits, type Policy } from '@loader/session-core/coding'
import type { Settings } from './settings.ts'

/** The settings that a session last used and continues with. */
export function settingsOfSession({
  model,
  thinking,
  permission,
  limits,
  compaction,
  completionCheck,
  ...rest
}: Policy): Settings {
  const { budget, fallback, saves } = rest
  return {
    // A model that had taken over for a turn is not that of the session.
    ...(model !== undefined && { model: model.model === fallback?.model ? fallback.of : model.model }),
    ...(thinking !== undefined && { thinking }),
    ...(fallback && { fallbackModel: fallback.model, fallbackAfterMs: fallback.afterMs }),
    ...(budget && { maxBudgetUsd: budget.usd, unknownPrices: budget.price === undefined ? 'allow' : 'refuse' }),
    permissionMode: permission.mode,
    // A newer version may have recorded limits that this one does not know.
    limits: Limits.parse(limits),
    ...(compaction !== undefined && { compaction }),
    ...(completionCheck !== undefined && { completionCheck }),
    ...(saves !== undefined && saves.carry.length > 0 && { carry: saves.carry.slice() }),
  }
}
