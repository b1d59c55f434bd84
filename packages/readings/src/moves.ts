import { isSessionEvent, type History } from '@loader/session-core'
import type { ShownMove } from './schemas/show.ts'
import { leftOutText } from './words/left-out.ts'

/** Where the session went on in another folder, in order. */
export function movesOf(history: History): ShownMove[] {
  return history.flatMap((event) => {
    if (!isSessionEvent(event) || event.type !== 'workspace.prepared') return []
    const { seq, at, place, from, missing } = event
    const [to, before] = [placeOf(place), placeOf(from)]
    return [{ kind: 'moved' as const, seq, at, standing: 'live' as const, to, from: before, missing }]
  })
}

function placeOf({ root, machine }: { readonly root: string; readonly machine: string }) {
  return { root, machine }
}

/** One line about it. */
export function moveText({ to, from, missing }: Pick<ShownMove, 'to' | 'from' | 'missing'>): string {
  const lacks = missing.length === 0 ? '' : ` Left out on the way: ${leftOutText(missing)}.`
  return `The session went on in ${to.root} (${to.machine}), with the files that it had stored in ${from.root} (${from.machine}).${lacks}`
}
