import { LoaderError } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { projectRulesFile, removeRule, userRulesFile } from '../permissions/rules-files.ts'
import { writtenPermission } from '../permissions/written-rule.ts'
import { placesOf } from '../places/places.ts'

/** Removes a rule from the project's file or from the user's. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const [first = '', text = ''] = given.words
  const places = placesOf(given, console)
  const permit = writtenPermission(first, given.command.name)
  const file = given.has('user') ? userRulesFile(places) : projectRulesFile(places)
  if (!removeRule(file, permit, text)) {
    throw new LoaderError('invalid_config', `${file} has no rule "${permit} ${text}". See all: loader permissions list`)
  }
  printLines(console, [inOneLine(`Removed from ${file}: ${permit} ${text}`)])
  return 'ok'
}
