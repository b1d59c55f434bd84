import { join } from 'node:path'
import type { Policy } from '@loader/session-core/coding'
import { stateFolder } from '@loader/workspace'
import * as z from 'zod'
import type { Given } from '../arguments/given.ts'
import type { Settings } from '../settings/settings.ts'
import { wallsOptions } from '../settings/walls-settings.ts'
import type { Beginning } from './beginning.ts'

/** The flag overrides the setting's `use`; the rest of the setting still applies. */
export function wallsOf(
  { walls }: Settings,
  given: Given,
  added: readonly string[],
  readable: readonly string[] = [],
): ReturnType<typeof wallsOptions> {
  const use = z.enum(['required', 'off']).optional().parse(given.value('walls'))
  const { settings, ...options } = wallsOptions(walls)
  const opened = {
    ...settings,
    ...(added.length > 0 && { writable: [...(settings?.writable ?? []), ...added] }),
    ...(readable.length > 0 && { readable: [...(settings?.readable ?? []), ...readable] }),
  }
  const more = added.length + readable.length > 0
  return { ...options, ...(use !== undefined && { use }), settings: more ? opened : settings }
}

/** Folders of walls are kept with the session. A session in memory leaves no files behind. */
export function wallsFolders({ given, places, console }: Beginning) {
  const hidden = [stateFolder(console.environment), places.config]
  if (given.has('ephemeral')) return { hidden }
  const { folder, caches } = places.project().folders
  return { scratch: join(folder, 'scratch'), caches, hidden }
}

/** What is said where this machine has no walls. */
export function missingWalls(why: string, audience: Policy['audience']): readonly string[] {
  const then = audience === 'nobody' ? 'Commands are refused.' : 'You are asked about each command.'
  return [`No walls here: ${why}. ${then}`, 'Where this machine is a wall itself (a container, CI): --walls off']
}
