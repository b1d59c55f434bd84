import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Given } from '../arguments/given.ts'
import type { Places } from '../places/places.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

/** The file in which programs share the servers of a project. */
export function sharedServersFile({ root }: Pick<Places, 'root'>): string {
  return join(root, '.mcp.json')
}

/** Whether any MCP server is named anywhere. Most runs have none, and load nothing of what follows. */
export function namesServers({ origins }: LoadedSettings, given: Given, places: Pick<Places, 'root'>): boolean {
  if (origins.some(({ name }) => name.startsWith('mcpServers.'))) return true
  return given.has('mcp-config') || existsSync(sharedServersFile(places))
}
