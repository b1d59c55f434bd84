import { assertSessionId } from '@loader/session-core'

/** Where a session lies: ids that differ only in case are one session. */
export interface Place {
  readonly tenant: string
  readonly key: string
}

export function placeOf(tenant: string, id: string): Place {
  assertSessionId(id)
  return { tenant, key: id.toLowerCase() }
}
