import type { EventOf, SessionEvent, SessionState } from '@loader/session-core'
import { backgroundEndWords } from '@loader/session-core/coding'
import type { ShownBackground } from './schemas/show.ts'
import type { StatusOutput } from './schemas/status.ts'

/** What an event says about a background command; undefined if it is about none. */
export function backgroundEntry(event: SessionEvent): ShownBackground | undefined {
  const shown = (what: ShownBackground['what'], id: string, text: string): ShownBackground => {
    return { kind: 'background', seq: event.seq, at: event.at, standing: 'live', id, what, text: `${id} ${text}` }
  }
  switch (event.type) {
    case 'background.started':
      return shown('started', event.id, `${event.found ? 'was found' : 'goes on'}: ${event.command}`)
    case 'background.listened':
      return shown('listened', event.id, listensWords(event))
    case 'background.ended':
      return shown('ended', event.id, backgroundEndWords(event))
    case 'port.published':
      return shown('published', event.id, `can be reached: port ${event.port} at http://127.0.0.1:${event.hostPort}`)
    default:
      return undefined
  }
}

/** Where a background command listens, after its name. */
export function listensWords({ ports }: Pick<EventOf<'background.listened'>, 'ports'>): string {
  if (ports.length === 0) return 'listens on no port any more'
  return `listens on port ${ports.map(({ port, on }) => (on === 'machine' ? `${port} of this machine` : port)).join(', ')}`
}

/** The background commands that go on. */
export function backgroundOf({ background = [] }: SessionState): NonNullable<StatusOutput['session']>['background'] {
  return background.flatMap(({ id, command, ended, ports, published }) =>
    ended === undefined ? [{ id, command, ports, published }] : [],
  )
}
