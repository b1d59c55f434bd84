import { Limits, type Policy } from '@loader/session-core/coding'
import type { Settings } from './settings.ts'

/** The settings that a session last used and continues with. */
export function settingsOfSession({ model, permission, limits, compaction, completionCheck }: Policy): Settings {
  return {
    ...(model !== undefined && { model: model.model }),
    permissionMode: permission.mode,
    // A newer version may have recorded limits that this one does not know.
    limits: Limits.parse(limits),
    ...(compaction !== undefined && { compaction }),
    ...(completionCheck !== undefined && { completionCheck }),
  }
}
