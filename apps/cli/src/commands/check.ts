import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { exitCodeOf, judgementRecord, judgementWords } from '@loader/workflow'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { placesOfSession } from '../places/places.ts'
import { requireProject } from '../run/places-of-run.ts'
import type { CheckOutput } from '../schemas/check.ts'
import { wrap } from '../screen/width.ts'
import { allRows, requireSession } from '../sessions/find-session.ts'
import { storeOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { wallsOptions } from '../settings/walls-settings.ts'
import { noBackend } from '../run/no-backend.ts'

/** Runs the checks in rooms, compared with the state before the work of a session. The workspace is not changed. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = requireProject(placesOfSession(given, console, given.words[0]), given.words[0])
  const store = await storeOf({ given, console, places })
  const { settings } = loadSettings(places, { environment: console.environment })
  const named = given.words[0]
  const id = named === undefined ? (await allRows(store))[0]?.id : (await requireSession(store, named)).id
  if (id !== undefined) await freeSession(store, id, given, (note) => printNotes(console, [note]))
  const { checks, protect } = settings
  const options = localOptions({
    backend: noBackend,
    projectRoot: places.root,
    project: places.project(),
    store,
    walls: wallsOptions(settings.walls),
    config: { ...(checks && { checks }), ...(protect && { protect }) },
  })
  await using agent = new RuntimeHandle(options)
  if (id !== undefined) await agent.resumeSession(id)
  const counts = { ran: 0, kept: 0 }
  const result = await agent.check({
    onRoom(check, room, kept) {
      counts[kept ? 'kept' : 'ran'] += 1
      if (given.has('verbose')) printNotes(console, [`${check.command}: ${room}${kept ? ', kept' : ''}`])
    },
  })
  const { judgement } = result
  const output: CheckOutput = {
    session: id ?? null,
    judgement: judgement === undefined ? null : judgementRecord(judgement),
    checks: result.checks.map((one) => ({ check: one.check, judgement: judgementRecord(one.judgement) })),
    ...counts,
  }
  if (given.has('json')) printJson(console, output)
  else printLines(console, judgedLines(result, columnsOf(console)))
  return judgement === undefined || exitCodeOf(judgement, { strict: given.has('strict') }) === 0 ? 'ok' : 'unverified'
}

function judgedLines({ checks, judgement }: Awaited<ReturnType<RuntimeHandle['check']>>, width: number): string[] {
  if (judgement === undefined) return wrap('This project has no checks that are known.', width)
  return checks.flatMap((one) => {
    const { said, next, notes } = judgementWords(one.judgement)
    const lines = [said, ...notes, ...(next === undefined ? [] : [next])]
    return [...wrap(one.check.command, width), ...lines.flatMap((line) => wrap(`  ${line}`, width))]
  })
}
