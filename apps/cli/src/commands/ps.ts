import { inOneLine, relativeTime } from '@loader/readings'
import { keepHere } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import type { PsOutput } from '../schemas/background.ts'
import { hanging } from '../screen/hanging.ts'
import { cut, padEnd } from '../screen/width.ts'
import { livingIn, nameOf } from '../sessions/background-of.ts'
import { ownerVariable } from '../settings/owner-variable.ts'

/** Lists background commands that go on. As the owner of one, it runs that one instead. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  if (console.environment[ownerVariable] !== undefined) {
    await keepHere()
    return 'ok'
  }
  const places = placesOf(given, console)
  const all = livingIn(places, console, given.has('all') ? 'all' : 'here')
  const commands: PsOutput['commands'] = all.map((each) => {
    const { session, root: project, command, reach, keeps, startedAt, ports } = each
    return { id: nameOf(each, all), session, project, command, reach, keeps, startedAt, ports }
  })
  if (given.has('json')) {
    printJson(console, { commands } satisfies PsOutput)
    return 'ok'
  }
  const lines = commands.flatMap((each) => linesOf(each, columnsOf(console)))
  printLines(console, lines.length === 0 ? ['No background command goes on.'] : lines)
  return 'ok'
}

const idWidth = 6

function linesOf(
  { id, command, ports, keeps, startedAt, session }: PsOutput['commands'][number],
  width: number,
): string[] {
  const at = ports.map(({ port, on }) => (on === 'machine' ? `127.0.0.1:${port}` : `${port} of its session`)).join(', ')
  const about = [
    `since ${relativeTime(startedAt, Date.now())}`,
    ...(at === '' ? [] : [`port ${at}`]),
    ...(keeps ? ['goes on without loader'] : []),
    `session ${session}`,
  ]
  return [
    cut(`${padEnd(id, idWidth)}  ${inOneLine(command)}`, width),
    ...hanging(' '.repeat(idWidth + 2), idWidth + 2, about.join(', '), { columns: width }),
  ]
}
