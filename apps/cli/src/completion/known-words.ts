import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import { storeOf } from '../sessions/store-of.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** How many sessions a shell offers at most. */
const mostSessions = 50

/** Prints the ids of the latest sessions with their titles, a tab between them: what shells offer for a session. */
export async function printSessions(given: Given, console: Console): Promise<void> {
  const places = placesOf(given, console)
  const store = await storeOf({ given, console, places })
  const { rows } = await store.list({ limit: mostSessions })
  printLines(
    console,
    rows.map(({ id, title }) => `${inOneLine(id)}\t${inOneLine(title)}`),
  )
}

/** Prints the names of models: the one of the settings, and those that servers on this machine have. */
export async function printModels(given: Given, console: Console): Promise<void> {
  const { environment } = console
  const { model } = loadSettings(placesOf(given, console), { environment }).settings
  const { discover } = await import('@loader/backends')
  const servers = await discover({ variables: environment })
  const names = servers.flatMap(({ models }) => models.map(({ name }) => name))
  const all = new Set([...(model === undefined ? [] : [model]), ...names])
  printLines(console, [...all].map(inOneLine))
}
