import { existsSync, statSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import { sharedServersFile } from '../mcp/configured.ts'
import { loginsFile } from '../mcp/kept-logins.ts'
import { serversOfRun, withVariables } from '../mcp/servers-of-run.ts'
import type { Places } from '../places/places.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** The MCP servers: what starts, what waits for whom, and what is wrong in their files. No server is started. */
export function mcpChecks(places: Places, console: Pick<Console, 'environment'>): DoctorCheck[] {
  return [...serversCheck(places, console), ...loginsCheck(places)]
}

function serversCheck(places: Places, console: Pick<Console, 'environment'>): DoctorCheck[] {
  try {
    const loaded = loadSettings(places, { environment: console.environment })
    const { servers, notes } = serversOfRun({ places, loaded, files: [] })
    const faults = notes.filter((note) => !note.startsWith('MCP server'))
    if (servers.length === 0 && faults.length === 0 && !existsSync(sharedServersFile(places))) return []
    const all = withVariables(servers, console).servers
    const texts = all.map(({ name, inert, server: { url, reach = 'work' } }) =>
      inert === undefined
        ? `${name} (${url === undefined ? `in walls, reach ${reach}` : 'elsewhere'})`
        : `${name} waits: ${inert}`,
    )
    const isOpen = all.some(({ inert, server: { reach } }) => inert === undefined && reach === 'open')
    const state = faults.length > 0 ? 'warning' : all.some(({ inert }) => inert !== undefined) || isOpen ? 'note' : 'ok'
    const shown = texts.join('; ').replaceAll('in walls, reach open', 'without walls')
    return [{ name: 'mcp', state, message: [...faults, shown || 'no servers'].join('; ') }]
  } catch (error) {
    // Settings that cannot be read are reported by another check.
    if (LoaderError.is(error)) return [{ name: 'mcp', state: 'failure', message: error.message }]
    throw error
  }
}

function loginsCheck(places: Places): DoctorCheck[] {
  const file = loginsFile(places)
  if (process.platform === 'win32' || !existsSync(file) || (statSync(file).mode & 0o077) === 0) return []
  const message = `others can read ${file}, so its logins are not used: chmod 600 ${file}`
  return [{ name: 'mcp logins', state: 'warning', message }]
}
