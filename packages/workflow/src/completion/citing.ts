import type { SessionState } from '@loader/session-core'
import type { EndStatement } from '@loader/session-core/coding'

/**
 * Replaces the calls that a statement cites by their ids. Models cite a call by id, by its command or, if only one call
 * was interrupted, by any description. A citation that matches no call is kept and ignored.
 */
export function citing({ unknownCalls, goodCalls }: SessionState, statement: EndStatement): EndStatement {
  if (statement.found === undefined) return statement
  const found = statement.found.map(({ call, shownBy, what }) => {
    const unknown = unknownCalls.find((it) => it.call === call || it.what === call) ?? sole(unknownCalls)
    const shown = goodCalls.findLast((it) => it.call === shownBy || it.what === shownBy)
    return { call: unknown?.call ?? call, shownBy: shown?.call ?? shownBy, what }
  })
  return { ...statement, found }
}

function sole<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined
}
