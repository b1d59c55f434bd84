import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { McpServer } from '@loader/mcp/config'
import { McpServer as ServerSchema } from '@loader/mcp/config'
import * as z from 'zod'
import type { Places } from '../places/places.ts'
import { editFile } from '../settings/edit-file.ts'
import { readJsonFile } from '../settings/json-file.ts'

/** What the user lets a server of a project have, besides what trust in the project gives. */
const Grant = z.strictObject({
  /** The server as it was when it was approved. A changed server is not approved. */
  digest: z.string(),
  reach: ServerSchema.shape.reach,
  writable: ServerSchema.shape.writable,
  readOnly: ServerSchema.shape.readOnly,
})
type Grant = z.infer<typeof Grant>

const Approved = z.record(z.string(), z.record(z.string(), Grant))

/** The servers of this project that the user has approved, by name. Kept outside of the project. */
export function grantsIn({ config, root }: Pick<Places, 'config' | 'root'>): Readonly<Record<string, Grant>> {
  return readJsonFile(fileIn(config), Approved)?.[root] ?? {}
}

export function approve(
  name: string,
  server: McpServer,
  more: Omit<Grant, 'digest'>,
  { config, root }: Pick<Places, 'config' | 'root'>,
): void {
  change({ config, root }, (grants) => ({ ...grants, [name]: { digest: digestOf(server), ...more } }))
}

/** False if it was not approved. */
export function disapprove(name: string, places: Pick<Places, 'config' | 'root'>): boolean {
  if (!Object.hasOwn(grantsIn(places), name)) return false
  change(places, (grants) => Object.fromEntries(Object.entries(grants).filter(([other]) => other !== name)))
  return true
}

/** The server with what the user has granted it; undefined if that was another one, or none. */
export function granted(server: McpServer, grant: Grant | undefined): McpServer | undefined {
  if (grant === undefined || grant.digest !== digestOf(server)) return undefined
  const { digest: _digest, ...more } = grant
  const given = Object.entries(more).filter(([, value]) => value !== undefined)
  return { ...server, ...Object.fromEntries(given) }
}

function digestOf(server: McpServer): string {
  return createHash('sha256').update(JSON.stringify(server)).digest('hex')
}

function change(
  { config, root }: Pick<Places, 'config' | 'root'>,
  edit: (grants: Readonly<Record<string, Grant>>) => Readonly<Record<string, Grant>>,
): void {
  editFile(fileIn(config), () => {
    const all = readJsonFile(fileIn(config), Approved) ?? {}
    return `${JSON.stringify({ ...all, [root]: edit(all[root] ?? {}) }, null, 2)}\n`
  })
}

function fileIn(config: string): string {
  return join(config, 'mcp-approved.json')
}
