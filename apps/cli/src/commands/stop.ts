import { LoaderError } from '@loader/session-core'
import { type LivingCommand, stopLiving } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import type { StopOutput } from '../schemas/background.ts'
import { livingIn, nameOf } from '../sessions/background-of.ts'

/** Ends background commands, whichever process owns them. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const here = livingIn(places, console, 'here')
  const everywhere = livingIn(places, console, 'all')
  // All are found before one is ended.
  const wanted = given.words.map((word) => meant(word, here) ?? meant(word, everywhere) ?? unknown(word, here))
  const stopped: string[] = []
  const failed: string[] = []
  for (const command of wanted) ((await stopLiving(command)) ? stopped : failed).push(nameOf(command, here))
  if (given.has('json')) printJson(console, { stopped, failed } satisfies StopOutput)
  else {
    printLines(console, [
      ...stopped.map((id) => `${id} was stopped.`),
      ...failed.map((id) => `${id} could not be stopped; it goes on.`),
    ])
  }
  return failed.length === 0 ? 'ok' : 'failure'
}

function meant(word: string, all: readonly LivingCommand[]): LivingCommand | undefined {
  const found = all.filter(({ id, session }) => word === id || word === `${session}/${id}`)
  const [first, ...others] = found
  if (others.length === 0) return first
  const names = found.map((each) => nameOf(each, all)).join(', ')
  throw new LoaderError('invalid_config', `${word} is more than one background command. Say which: ${names}.`)
}

function unknown(word: string, here: readonly LivingCommand[]): never {
  const known = here.map((each) => nameOf(each, here)).join(', ')
  const rest = known === '' ? 'None goes on in this project. See those of all: loader ps --all' : `There are: ${known}.`
  throw new LoaderError('invalid_config', `There is no background command ${word}. ${rest}`)
}
