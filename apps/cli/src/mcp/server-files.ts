import type { McpServer } from '@loader/mcp/config'
import { JsonValue, LoaderError } from '@loader/session-core'
import type { Places } from '../places/places.ts'
import { setSetting, unsetSetting } from '../settings/change-settings.ts'
import { editFile } from '../settings/edit-file.ts'
import { setInJson, unsetInJson } from '../settings/json-edit.ts'
import { readJsonText } from '../settings/json-text.ts'
import { settingsFile } from '../settings/settings-files.ts'
import { sharedServersFile } from './configured.ts'

/** Where a server is configured: for the user in every project, or for all who work on this project. */
export type Whose = 'user' | 'project'

export function fileOfServers(whose: Whose, places: Pick<Places, 'root' | 'config'>): string {
  return whose === 'user' ? settingsFile(places, 'user') : sharedServersFile(places)
}

export function writeServer(
  name: string,
  server: McpServer,
  whose: Whose,
  places: Pick<Places, 'root' | 'config'>,
): void {
  const file = fileOfServers(whose, places)
  if (whose === 'user') setSetting(file, `mcpServers.${name}`, JSON.stringify(server))
  else editFile(file, (text) => setInJson(objectIn(text, file), ['mcpServers', name], JsonValue.parse(server)))
}

/** False if it is not there. */
export function removeServer(name: string, whose: Whose, places: Pick<Places, 'root' | 'config'>): boolean {
  const file = fileOfServers(whose, places)
  if (whose === 'user') return unsetSetting(file, `mcpServers.${name}`)
  let isChanged = false
  editFile(file, (text) => {
    if (text === undefined) return undefined
    const before = objectIn(text, file)
    const after = unsetInJson(before, ['mcpServers', name])
    isChanged = after !== before
    return isChanged ? after : undefined
  })
  return isChanged
}

/** The text of a file that is to be changed: an object of JSON. */
function objectIn(text: string | undefined, file: string): string {
  if (text === undefined || text.trim() === '') return '{}\n'
  const json = readJsonText(text)
  if (json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)) return text
  const why = json.ok ? 'it is no object' : `line ${json.line} is not JSON: ${json.reason}`
  throw new LoaderError('invalid_config', `${file}: ${why}. Mend the file first; it was left as it is.`)
}
