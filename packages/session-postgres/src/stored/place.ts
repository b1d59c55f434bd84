import { assertSessionId } from '@loader/session-core'

/** Where a session lies: ids that differ only in case are one session. */
export interface RowPlace {
  readonly tenant: string
  readonly key: string
}

export function placeOf(tenant: string, id: string): RowPlace {
  assertSessionId(id)
  return { tenant, key: id.toLowerCase() }
}
