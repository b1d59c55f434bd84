import { createHash } from 'node:crypto'
import { namesVariables } from './expand.ts'
import type { McpServer } from './server-settings.ts'

/** A server that is to be started, or is not and why. */
export interface ServerDefinition {
  readonly name: string
  /** The file, or the flag, that names it. */
  readonly source: string
  readonly server: McpServer
  /** Why it is not started. */
  readonly inert?: string
}

/** What a lasting permission or an approval depends on: which program it is, not what it may do. Variables count by name. */
export function digestOfServer({ command, args, cwd, url, env = {} }: McpServer): string {
  return shortDigest({
    command,
    args,
    cwd,
    url,
    env: Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  })
}

export function shortDigest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('hex')
    .slice(0, 16)
}

/** What a server of a project asks for that trust in the project alone does not give; undefined if that is nothing. */
export function asksForMore(server: McpServer): string | undefined {
  const { url, reach = 'work', writable = [], readable = [], readOnly = [] } = server
  if (url !== undefined) return `it is at ${shownUrl(url)}`
  if (reach !== 'work') return `it wants the reach ${reach}`
  if (writable.length + readable.length > 0) return `it wants ${[...writable, ...readable].join(', ')}`
  if (readOnly.length > 0) return 'it says which of its tools need no question'
  return namesVariables(server) ? 'it wants variables of yours' : undefined
}

/** An address for people, without a password and without parameters. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 100)
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
