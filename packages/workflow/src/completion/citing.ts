import type { SessionState } from '@loader/session-core'
import type { EndStatement } from '@loader/session-core/coding'

/**
 * A statement with the ids of the calls that it cites: models name a call by its id, by its command, or, where only one was
 * cut off, in words of their own. What names no call stays as it is, and counts for nothing.
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
