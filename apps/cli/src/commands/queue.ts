import { readSession, type SessionStore } from '@loader/session-core'
import { Dispatch } from '@loader/session-postgres/dispatch'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { type ExitCode, exitNumber } from '../console/exit-codes.ts'
import { follow, type Followed } from '../fleet/follow.ts'
import { type QueuedTask, type QueueParts, queueTask } from '../fleet/queue-task.ts'
import { requiredStore } from '../fleet/required-store.ts'
import { formatOf } from '../output/format-of.ts'
import { printerOf } from '../output/output-format.ts'
import { OncePrinter, type RunEnd } from '../output/printer.ts'
import { nothingKnown } from '../output/nothing-known.ts'
import { placesOf } from '../places/places.ts'
import { Interruption } from '../run/interruption.ts'
import { modeOfRun } from '../run/mode-of-run.ts'
import { codeOfCause } from '../run/run-exit.ts'
import { quoted } from '../run/way-back.ts'
import { readStandardInput } from '../run/standard-input.ts'
import { printNotes } from '../screen/notes.ts'
import { databaseStore } from '../sessions/database-store.ts'
import { requireSession } from '../sessions/find-session.ts'
import { titleGiven } from '../sessions/title-given.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { StoreAddress } from '../settings/store-address.ts'

/** Queues a task for a worker, and follows the work. Without a task it only follows. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const address = await requiredStore(given, console)
  const places = placesOf(given, console)
  const task = await taskOf(given, console)
  const { carry } = loadSettings(places, { environment: console.environment }).settings
  const store = databaseStore(address, { root: places.root })
  const dispatch = new Dispatch(store)
  try {
    const followed = await begun(given, console, task, { store, dispatch, places, carry })
    if (given.has('detach')) {
      console.stdout.write(`${followed.id}\n`)
      return 'ok'
    }
    return await toItsEnd(followed, { given, console, store, dispatch, address })
  } finally {
    await store.close()
  }
}

async function begun(given: Given, console: Console, task: QueuedTask, parts: QueueParts): Promise<Followed> {
  const title = titleGiven(given)
  const { text } = task
  const row = given.has('resume') ? await requireSession(parts.store, given.value('resume')) : undefined
  if (row !== undefined && text === '')
    return { id: row.id, fromSeq: await whereToBegin(parts.store, row.id), task: '' }
  const queued = await queueTask(task, row === undefined ? { title } : { id: row.id }, parts)
  if (queued.notSaved !== undefined) {
    const where = 'A worker needs the project under --projects.'
    printNotes(console, [`The files of this folder do not go along: ${queued.notSaved}. ${where}`])
  }
  return { ...queued, task: text }
}

/** Where the open turn begins, or the last one. */
async function whereToBegin(store: SessionStore, id: string): Promise<number> {
  const { history } = await readSession(store, id, { gaps: 'mark' })
  const last = (type: string) => history.findLast((event) => event.type === type)
  const first = last('turn.started') ?? last('input.queued')
  if (first !== undefined) return first.seq
  throw new UsageError(`Nothing was asked for in session ${id} yet: give a task.`, 'run')
}

async function taskOf(given: Given, console: Console): Promise<QueuedTask> {
  const words = given.words.filter((word) => word !== '-' && word !== '').join(' ')
  const isNeeded = given.words.includes('-') || (words === '' && !given.has('resume'))
  const piped = await readStandardInput(console, { expected: isNeeded ? 'needed' : 'welcome', verbose: false })
  const text = [words, piped.trim()].filter((part) => part !== '').join('\n\n')
  if (text === '' && !given.has('resume')) {
    throw new UsageError('There is nothing to do: give a task, as words or through standard input.', 'run')
  }
  const mode = modeOfRun(given)
  const doneWhen = given.values('check').map((command) => ({ command }))
  return { text, wishes: { ...(mode && { mode }), ...(doneWhen.length > 0 && { doneWhen }) } }
}

interface Following {
  readonly given: Given
  readonly console: Console
  readonly store: SessionStore
  readonly dispatch: Dispatch
  readonly address: StoreAddress
}

async function toItsEnd(followed: Followed, following: Following): Promise<ExitCode> {
  const { given, console, store, dispatch } = following
  const printer = new OncePrinter(
    printerOf(console, { format: formatOf(given), partial: false, replayed: false, verbose: given.has('verbose') }),
  )
  const interruption = new Interruption(console, (cause) => process.exit(exitNumber(codeOfCause(cause))))
  const note = (text: string) => printNotes(console, [text])
  try {
    if (followed.inputId !== undefined) note(`Session ${followed.id} is in line.`)
    const end = await follow(followed, { store, dispatch, given, printer, interruption, note })
    printer.begin({ ...nothingKnown, sessionId: followed.id, task: followed.task })
    printer.end({ ...end, ...nextCommand(end, followed.id, following) })
    return end.code
  } finally {
    interruption.stop()
  }
}

/** What to type next, where this end is not that of the work. */
function nextCommand({ code, kind }: RunEnd, id: string, { given, address }: Following): Pick<RunEnd, 'resume'> {
  if (kind === 'finished') return {}
  const store = given.has('store') ? ` --store ${quoted(address.typed)}` : ''
  if (code === 'needsDecision') return { resume: `loader answer ${id}${store}` }
  return code === 'failure' ? { resume: `loader fleet${store}` } : { resume: `loader run -r ${id}${store}` }
}
