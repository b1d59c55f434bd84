import { Limits, type Policy } from '@loader/session-core/coding'
import type { Settings } from './settings.ts'

/** What a session was worked on with last, as settings. It goes on with these. */
export function settingsOfSession({ model, permission, limits, compaction, completionCheck }: Policy): Settings {
  return {
    ...(model !== undefined && { model: model.model }),
    permissionMode: permission.mode,
    // A newer version may have written limits that this one does not know.
    limits: Limits.parse(limits),
    ...(compaction !== undefined && { compaction }),
    ...(completionCheck !== undefined && { completionCheck }),
  }
}
