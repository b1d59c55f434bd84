import { join } from 'node:path'
import { backendFor } from '@loader/backends'
import type { Backend } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import { cacheFolder } from '../places/cache-folder.ts'
import type { Places } from '../places/places.ts'
import type { Settings } from '../settings/settings.ts'
import { connectionOf } from './connection-of.ts'

/** The model of a run, by its name. */
export function backendOf(
  name: string,
  settings: Settings,
  { console, places }: { readonly console: Console; readonly places: Places },
): Backend {
  const { nativeTools, contextWindow, prices, promptCache } = settings
  const { firstByteMs, betweenChunksMs } = settings.timeOuts ?? {}
  const caches = cacheFolder(console.environment)
  return backendFor(name, {
    ...connectionOf(settings, console, places),
    ...(prices && { prices }),
    ...(promptCache && { promptCache }),
    timeOuts: { ...(firstByteMs && { firstByteMs }), ...(betweenChunksMs && { betweenChunksMs }) },
    ...(caches !== undefined && { knownModelsFile: join(caches, 'models.json') }),
    // If the settings describe the model completely, the backend is not asked.
    ...(contextWindow !== undefined && { contextWindow }),
    ...(nativeTools !== undefined && { capabilities: { nativeTools } }),
  })
}
