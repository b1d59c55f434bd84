import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptLogin, LoginStore } from '@loader/mcp'
import { LoaderError } from '@loader/session-core'
import * as z from 'zod'
import type { Places } from '../places/places.ts'
import { editFile } from '../settings/edit-file.ts'
import { readJsonText } from '../settings/json-text.ts'
import { textOfFile } from '../settings/text-of-file.ts'

const Logins = z.record(
  z.string(),
  z.looseObject({
    url: z.string(),
    tokens: z.unknown().optional(),
    client: z.unknown().optional(),
    discovery: z.unknown().optional(),
  }),
)

/** The file with the logins of MCP servers, which only the user can read. */
export function loginsFile({ config }: Pick<Places, 'config'>): string {
  return join(config, 'mcp-logins.json')
}

/** Logins, kept as keys of providers are: read for each use, since another process may have renewed one. */
export function keptLogins(places: Pick<Places, 'config'>): LoginStore {
  const file = loginsFile(places)
  return {
    read: (server) => (isPrivate(file) ? loginsIn(file)[server] : undefined),
    write(server, login) {
      // Before anything is written into it: the file may have been made by hand.
      if (existsSync(file)) chmodSync(file, 0o600)
      editFile(file, () => {
        const all: Record<string, KeptLogin> = { ...loginsIn(file) }
        if (login === undefined) delete all[server]
        else all[server] = login
        return `${JSON.stringify(all, null, 2)}\n`
      })
    },
  }
}

/** Every token: nothing that tools show may hold one. */
export function tokensIn(places: Pick<Places, 'config'>): readonly string[] {
  const text = textOfFile(loginsFile(places))
  const json = text === undefined ? undefined : readJsonText(text)
  return json?.ok === true ? longTexts(json.value) : []
}

/** Values under names of secrets, wherever they stand. */
function longTexts(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return /token$|secret$/i.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => longTexts(inner, key))
}

function isPrivate(file: string): boolean {
  return existsSync(file) && (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0)
}

function loginsIn(file: string): Readonly<Record<string, KeptLogin>> {
  const text = textOfFile(file)
  if (text === undefined) return {}
  const json = readJsonText(text)
  const logins = json.ok ? Logins.safeParse(json.value).data : undefined
  if (logins !== undefined) return logins
  // The message must not quote the content: it is made of tokens.
  throw new LoaderError('invalid_config', `${file} is not as loader wrote it. Remove it, and log in again.`)
}
