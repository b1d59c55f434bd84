import { LoaderError } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { settingsFiles } from '../settings/settings-files.ts'
import { textOfFile } from '../settings/text-of-file.ts'

/** A database that keeps sessions. */
export interface StoreAddress {
  /** What the driver is told, with everything that is secret about it. */
  readonly connection: string
  readonly tenant?: string
  readonly schema?: string
  /** The same for people: without passwords and parameters. */
  readonly shown: string
  /** What must not be seen anywhere. */
  readonly secrets: readonly string[]
}

/** Where a command was told to look. */
export interface Asked {
  readonly given: Given
  readonly console: Console
  readonly places: Pick<Places, 'root' | 'config'>
}

/** The word for the files of this machine, where the environment or the settings say otherwise. */
const inFiles = 'files'

/** The database that holds the sessions; undefined when they are kept in files. */
export async function storeAddress(asked: Asked): Promise<StoreAddress | undefined> {
  const text = asked.given.value('store') ?? (await storeSetting(asked))
  return text === undefined || text === inFiles ? undefined : parseStoreAddress(text)
}

/** Most have none: then nothing of the settings is loaded. */
async function storeSetting({ given, console: { environment }, places }: Asked): Promise<string | undefined> {
  const flags = given.command.name === '' ? given.values('config') : []
  const isNamed =
    (environment['LOADER_STORE'] ?? '') !== '' ||
    flags.some((flag) => flag.startsWith('store')) ||
    settingsFiles(places).some(({ file }) => textOfFile(file)?.includes('"store"'))
  if (!isNamed) return undefined
  const { loadSettings } = await import('../settings/load-settings.ts')
  return loadSettings(places, { flags, environment }).settings.store
}

/** The parameters `tenant` and `schema` are ours, all others are for the driver. An error repeats nothing of the address. */
export function parseStoreAddress(text: string): StoreAddress {
  const url = parsed(text)
  const [tenant, schema] = ['tenant', 'schema'].map((name) => url.searchParams.get(name) ?? undefined)
  for (const name of ['tenant', 'schema']) url.searchParams.delete(name)
  const parameters = ['password', 'sslpassword'].flatMap((name) => url.searchParams.get(name) ?? [])
  const shown = `postgres://${url.username && `${url.username}@`}${url.host}${url.pathname}`
  return {
    connection: url.href,
    ...(tenant !== undefined && { tenant }),
    ...(schema !== undefined && { schema }),
    shown,
    secrets: [...passwordsOf(url), ...parameters].filter((secret) => secret !== ''),
  }
}

/** A store as an option, a setting or the environment names it, without what is secret. */
export function shownStore(text: string): string {
  if (text === inFiles) return text
  return addressIn(text) === undefined ? '***' : parseStoreAddress(text).shown
}

function parsed(text: string): URL {
  const url = addressIn(text)
  if (url !== undefined) return url
  throw new LoaderError(
    'invalid_config',
    'The store must be "files", or the address of a PostgreSQL database: postgres://user@host:5432/database. ' +
      'In a password, write / as %2F, @ as %40, # as %23, ? as %3F and : as %3A.',
  )
}

function addressIn(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^postgres(ql)?:$/.test(url.protocol) ? url : undefined
}

/** As it is written, and as it is meant. */
function passwordsOf({ password }: URL): readonly string[] {
  try {
    return [password, decodeURIComponent(password)]
  } catch (error) {
    if (error instanceof URIError) return [password]
    throw error
  }
}
