import { compareRows } from '@loader/session-core'
import { type ListAnswer, type ListRequest, type ListStream, paths } from '../../protocol.ts'
import { type Open } from './keep-connected.ts'
import { eachServerEvent } from './follow-session.ts'
import { askJson } from './login.ts'

const pollMs = 5_000

/** Follows the first page of a list. Each connection begins with all of it, so nothing has to be remembered. */
export function listWire(query: ListRequest, deliver: (list: ListAnswer) => void): Open {
  let list: ListAnswer | undefined
  const shown = (next: ListAnswer) => {
    list = next
    deliver(next)
  }
  return async ({ way }, tell, signal) => {
    const opened = { kind: 'opened', instance: '', build: '' } as const
    if (way === 'poll') {
      const answer = await askJson<ListAnswer>(paths.sessions, query)
      tell(opened)
      shown(answer)
      tell({ kind: 'live' })
      return waited(pollMs, signal)
    }
    await eachServerEvent(paths.sessionsStream, query, tell, signal, ({ name, data }) => {
      const value = JSON.parse(data) as unknown
      if (name === 'rows') {
        tell(opened)
        shown(value as ListStream['rows'])
        tell({ kind: 'live' })
      } else if (name === 'changed' && list !== undefined) {
        shown(withChange(list, value as ListStream['changed']))
        tell({ kind: 'alive' })
      } else if (name === 'trouble') {
        tell({ kind: 'refused', ...(value as ListStream['trouble']) })
      } else tell({ kind: 'alive' })
    })
  }
}

/** The list after a change. */
function withChange(list: ListAnswer, { changed, gone, total, waiting }: ListStream['changed']): ListAnswer {
  const out = new Set([...gone, ...changed.map(({ id }) => id)])
  const kept = list.sessions.filter(({ id }) => !out.has(id))
  const projects = [...new Set([...list.projects, ...changed.map(({ root }) => root)])]
  return {
    ...list,
    projects,
    sessions: [...kept, ...changed].toSorted(compareRows),
    ...(total !== undefined && { total }),
    ...(waiting !== undefined && { waiting }),
  }
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
