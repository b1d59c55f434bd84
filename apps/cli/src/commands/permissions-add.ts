import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { hanging } from '../screen/hanging.ts'
import { printNotes } from '../screen/notes.ts'
import { addRule, projectRulesFile, userRulesFile } from '../permissions/rules-files.ts'
import { writtenPermission, writtenRule } from '../permissions/written-rule.ts'
import { placesOf } from '../places/places.ts'
import { isTrusted } from '../settings/trust.ts'

/** Adds a rule to the project's file or to the user's. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { command, words } = given
  const places = placesOf(given, console)
  const permit = writtenPermission(words[0] ?? '', command.name)
  const rule = writtenRule(permit, words[1] ?? '', command.name)
  const file = given.has('user') ? userRulesFile(places) : projectRulesFile(places)
  const added = addRule(file, permit, rule)
  const text = added ? `Added to ${file}: ${permit} ${words[1]}` : `It is there already, in ${file}.`
  const { stdout } = console
  printLines(console, stdout.isTTY === true ? hanging('', 0, text, { columns: columnsOf(console) }) : [inOneLine(text)])
  if (permit === 'allow' && !given.has('user') && !isTrusted(places.config, places.root)) {
    printNotes(console, ['This project is not trusted, so its allow rules do not count yet: loader permissions trust'])
  }
  return 'ok'
}
