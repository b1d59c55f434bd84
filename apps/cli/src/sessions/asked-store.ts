import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { settingsFiles } from '../settings/settings-files.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { textOfFile } from '../settings/text-of-file.ts'

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
  if (text === undefined || text === inFiles) return undefined
  const { parseStoreAddress } = await import('../settings/store-address.ts')
  return parseStoreAddress(text)
}

/** A key of JSON can also be written with escapes. */
const mayNameStore = /"store"|\\u/

/** Most have none: then nothing of the settings is loaded. */
async function storeSetting({ given, console: { environment }, places }: Asked): Promise<string | undefined> {
  const flags = given.command.name === '' ? given.values('config') : []
  const isNamed =
    (environment['LOADER_STORE'] ?? '') !== '' ||
    flags.some((flag) => flag.startsWith('store')) ||
    settingsFiles(places).some(({ file }) => mayNameStore.test(textOfFile(file) ?? ''))
  if (!isNamed) return undefined
  const { loadSettings } = await import('../settings/load-settings.ts')
  return loadSettings(places, { flags, environment }).settings.store
}
