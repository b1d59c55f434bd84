import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { type Places, placesOf } from '../places/places.ts'
import { requireSetting, setSetting, unsetSetting } from '../settings/change-settings.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { settingsFile } from '../settings/settings-files.ts'
import { shownSettings } from '../settings/shown-settings.ts'

/** Prints the value of one setting, as a script wants it: a text without quotes, everything else as JSON. */
export async function get(given: Given, console: Console): Promise<ExitCode> {
  const [name = ''] = given.words
  requireSetting(name, 'config get')
  const found = settingNamed(name, placesOf(given, console), console)
  if (given.has('json')) printJson(console, { name, value: found?.value ?? null, source: found?.source ?? 'default' })
  else if (found?.value != null) printLines(console, [shown(found.value)])
  return found?.value == null ? 'failure' : 'ok'
}

/** Sets a setting, and says in which file, and whether something stronger hides it. */
export async function set(given: Given, console: Console): Promise<ExitCode> {
  const [name = '', value = ''] = given.words
  requireSetting(name, 'config set')
  const places = placesOf(given, console)
  const file = fileOf(given, places)
  const written = setSetting(file, name, value)
  const lines = [`${name} is ${inOneLine(shown(written))} now, in ${inOneLine(file)}`]
  printLines(console, [...lines, ...hiddenBy(name, file, places, console)])
  return 'ok'
}

/** Takes a setting out of a file, so that a weaker one or the default holds. */
export async function unset(given: Given, console: Console): Promise<ExitCode> {
  const [name = ''] = given.words
  requireSetting(name, 'config unset')
  const places = placesOf(given, console)
  const file = fileOf(given, places)
  if (!unsetSetting(file, name)) {
    throw new UsageError(`${name} is not set in ${file}. Where it comes from: loader config`, 'config unset')
  }
  const now = settingNamed(name, places, console)
  const left = now?.value == null ? 'nothing is set now' : `${inOneLine(shown(now.value))} holds now (${now.source})`
  printLines(console, [`${name} was taken out of ${inOneLine(file)}; ${left}`])
  return 'ok'
}

function fileOf(given: Given, places: Places): string {
  if (given.has('project') && given.has('local')) {
    throw new UsageError(
      '--project is the file of the project, --local your own one in it: give one of them.',
      'config set',
    )
  }
  return settingsFile(places, given.has('local') ? 'local' : given.has('project') ? 'project' : 'user')
}

function settingNamed(name: string, places: Places, { environment }: Console) {
  return shownSettings(loadSettings(places, { environment })).find((one) => one.name === name)
}

/** Why the value of this file does not hold, if it does not. */
function hiddenBy(name: string, file: string, places: Places, console: Console): readonly string[] {
  const setting = settingNamed(name, places, console)
  const own = setting?.others.find(({ source }) => source === file)
  if (setting === undefined || own === undefined) return []
  return own.ignored === null
    ? [`It does not hold here: ${setting.source} says otherwise.`]
    : [`It does not hold here: ${own.ignored}`]
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
