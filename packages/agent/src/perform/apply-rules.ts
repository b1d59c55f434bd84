import type { Stage } from '../stage/stage.ts'
import { samePolicy } from '../stage/same-policy.ts'

/** Takes up rules that were added to files meanwhile, so that the next decision knows them. */
export function applyRules({ session, permission }: Stage): void {
  const { policy } = session.state
  if (permission === undefined || policy === null) return
  const applied = { ...policy, permission: permission() }
  if (!samePolicy(policy, applied)) session.record({ type: 'policy.applied', ...applied })
}
