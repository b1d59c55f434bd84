import { type History, isSessionEvent, type SessionEvent } from '@loader/session-core'
import type { ShownChild } from './schemas/show.ts'
import type { TimelineOutput } from './schemas/timeline.ts'
import { shortCount } from './words/amounts.ts'

/** What an event says about a child session; undefined if it is about none. */
export function childEntry(event: SessionEvent, titles: ReadonlyMap<string, string>): ShownChild | undefined {
  const shown = (what: ShownChild['what'], id: string, text: string): ShownChild => {
    const title = titles.get(id) ?? id
    return {
      kind: 'child',
      seq: event.seq,
      at: event.at,
      standing: 'live',
      id,
      title,
      what,
      text: `agent "${title}"${text}`,
    }
  }
  switch (event.type) {
    case 'child.assigned':
      return shown(
        'assigned',
        event.childId,
        ` ${event.place === 'copy' ? 'works in a copy' : 'looks'}: session ${event.childId}`,
      )
    case 'child.finished': {
      const { outcome, verdict, usage } = event
      const tokens = shortCount(usage.inputTokens + usage.outputTokens)
      const ended =
        outcome === 'ok'
          ? 'is done'
          : outcome === 'unknown'
            ? 'is unknown'
            : outcome === 'failed'
              ? 'has failed'
              : 'was stopped'
      return shown(
        'finished',
        event.childId,
        ` ${ended}${verdict === undefined ? '' : `, ${verdict}`}; ${tokens} tokens`,
      )
    }
    case 'child.merged': {
      const conflicts = event.files.filter((file) => file.outcome === 'conflict').map(({ path }) => path)
      const taken = event.files.length - conflicts.length
      if (event.files.length === 0) return undefined
      const left = conflicts.length === 0 ? '' : `; conflicts, left as they are here: ${conflicts.join(', ')}`
      return shown('merged', event.childId, `: ${taken} ${taken === 1 ? 'file' : 'files'} taken over${left}`)
    }
    default:
      return undefined
  }
}

/** Each step of each child session: it got a task, began, ended, and what it changed was taken over. */
export function agentNews(history: History): TimelineOutput['agents'] {
  const titles = childTitles(history)
  return history.flatMap((event) => {
    if (!isSessionEvent(event)) return []
    if (event.type === 'child.opened') {
      const { seq, at, childId } = event
      return [{ seq, at, id: childId, text: `agent "${titles.get(childId) ?? childId}" has begun` }]
    }
    const entry = childEntry(event, titles)
    return entry === undefined ? [] : [{ seq: entry.seq, at: entry.at, id: entry.id, text: entry.text }]
  })
}

/** The tasks of children, by session. */
export function childTitles(history: readonly { readonly type: string }[]): ReadonlyMap<string, string> {
  return new Map(
    history.flatMap((event) =>
      event.type === 'child.assigned' && 'childId' in event && 'title' in event
        ? [[String(event.childId), String(event.title)] as const]
        : [],
    ),
  )
}
