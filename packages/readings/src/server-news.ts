import type { EventOf } from '@loader/session-core'
import { counted } from './words/amounts.ts'

type Servers = NonNullable<NonNullable<EventOf<'policy.applied'>['tools']>['servers']>
type Server = Servers[number]

/** Something about a server of tools that a user wants to know. */
export interface ServerNews {
  readonly text: string
  readonly isTrouble: boolean
}

/** What has changed about the servers: connected, ended, restarted, other tools. */
export function serverNews({ tools }: EventOf<'policy.applied'>, before: Servers = []): readonly ServerNews[] {
  return (tools?.servers ?? []).flatMap((server) => {
    const last = before.find(({ name }) => name === server.name)
    return last !== undefined && JSON.stringify(last) === JSON.stringify(server) ? [] : newsOf(server, last)
  })
}

function newsOf(server: Server, last: Server | undefined): readonly ServerNews[] {
  const { name, state, why, tools = 0, starts = 1 } = server
  const because = why === undefined ? '' : `: ${why}`
  switch (state) {
    case 'connected': {
      const again = last?.state === 'connected' && last.starts === server.starts
      const how = again ? 'has other tools now' : starts > 1 ? 'was started again' : 'is connected'
      return [
        { text: `MCP server ${name} ${how}, ${counted(tools, 'tool')}${because}`, isTrouble: starts > 1 && !again },
      ]
    }
    case 'failed':
      return [{ text: `MCP server ${name} failed${because}`, isTrouble: true }]
    case 'ended':
      return [{ text: `MCP server ${name} has ended${because}`, isTrouble: true }]
    case 'inert':
      return []
    default:
      return state satisfies never
  }
}
