import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AgentEvent } from '@loader/agent'
import { inText } from '@loader/readings'
import { isPlanHeld } from '@loader/workflow'
import { permissionModeOf } from '../permissions/permission-settings.ts'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import { type ExitCode, exitNumber } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import { exitCodeOfError } from '../output/failed.ts'
import { nothingKnown } from '../output/nothing-known.ts'
import { printerFor } from '../output/output-format.ts'
import type { OncePrinter, RunEnd } from '../output/printer.ts'
import { placesOfRun } from './places-of-run.ts'
import type { Places } from '../places/places.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { begin } from './begin.ts'
import type { Begun } from './beginning.ts'
import { onCrash } from './crash.ts'
import { Interruption } from './interruption.ts'
import { inputLines } from './input-lines.ts'
import { noModel } from './no-model.ts'
import { notify } from './notify.ts'
import { wayBack } from './way-back.ts'
import { codeOfCause } from './run-exit.ts'
import { readStandardInput } from './standard-input.ts'
import { workOn } from './work-on.ts'

/** Runs one task non-interactively: a first event, the work, exactly one last event, an exit code. */
export async function runHeadless(given: Given, console: Console): Promise<ExitCode> {
  const run = new HeadlessRun(given, console)
  const crash = onCrash((error) => run.crash(error))
  try {
    const end = await run.end()
    run.finish(end)
    await run.notify(end)
    return end.code
  } finally {
    crash.stop()
    run.interruption.stop()
  }
}

class HeadlessRun {
  readonly interruption: Interruption
  readonly #given: Given
  readonly #console: Console
  readonly #printer: OncePrinter
  /** The session's id, once known. */
  #sessionId = ''
  #places: Places | undefined
  #address: StoreAddress | undefined
  /** The messages that are still to come, with --input-format stream-json. */
  #messages: ReturnType<typeof inputLines> | undefined
  /** Whether there is something to go on with. */
  #isStored = false

  constructor(given: Given, console: Console) {
    this.#given = given
    this.#console = console
    this.#printer = printerFor(given, console)
    this.interruption = new Interruption(console, (cause) => {
      const code = codeOfCause(cause)
      this.finish({ kind: 'failed', error: new Error(`${cause} arrived twice.`), code })
      process.exit(exitNumber(code))
    })
  }

  /** Prints the end, and the beginning if that is missing. Only the first call has an effect. */
  finish(end: RunEnd): void {
    const told = this.#withResume(end)
    this.#printer.begin({ ...nothingKnown, sessionId: this.#sessionId, folder: this.#console.folder })
    this.#printer.end(told)
  }

  #withResume(end: RunEnd): RunEnd {
    const resume = exitNumber(end.code) === 0 ? undefined : this.#resume()
    return { ...end, ...(resume !== undefined && { resume }) }
  }

  /** The command that resumes the session. */
  #resume(): string | undefined {
    if (!this.#isStored || this.#places === undefined) return undefined
    const back = wayBack(this.#given, this.#places, this.#sessionId, this.#address)
    if (back.kind === 'resume') return back.command
    printNotes(this.#console, [back.why])
    return undefined
  }

  /** Runs the task and returns its end. An error becomes an end too. */
  async end(): Promise<RunEnd> {
    return keepAnswer(await this.#ended(), this.#given, this.#console)
  }

  /** Runs the command of `--notify`, after the end was printed. */
  async notify(end: RunEnd): Promise<void> {
    const command = this.#given.value('notify')
    if (command === undefined) return
    const text = end.kind === 'finished' ? end.result.text || (end.why ?? '') : errorText(end.error)
    const notice = { sessionId: this.#sessionId, exitCode: exitNumber(end.code), text }
    const failed = await notify(command, notice, this.#console)
    if (failed !== undefined) printNotes(this.#console, [failed])
  }

  /** Prints the end after an uncaught error. */
  crash(error: unknown): void {
    this.finish({ ...this.#failed(error), code: 'failure' })
  }

  #failed(error: unknown): RunEnd {
    if (this.#given.has('debug') && error instanceof Error) this.#console.stderr.write(`${inText(error.stack ?? '')}\n`)
    return { kind: 'failed', error, code: exitCodeOfError(error) }
  }

  async #ended(): Promise<RunEnd> {
    try {
      return await this.#run()
    } catch (error) {
      return this.#failed(error)
    }
  }

  async #run(): Promise<RunEnd> {
    const [given, console] = [this.#given, this.#console]
    const places = placesOfRun(given, console)
    this.#places = places
    const piped = await this.#pipedIn()
    if (piped === undefined) return this.#stoppedBefore()
    const onNote = (note: string) => printNotes(console, [note])
    const onSession = (id: string) => void (this.#sessionId = id)
    const begun = await begin({ given, console, places, piped, audience: 'nobody', onSession, onNote })
    if (begun.kind === 'no_model') return { kind: 'failed', error: await noModel(console, places), code: 'usage' }
    this.#begin(begun, onNote)
    const end = await this.#workOnAll(begun)
    const { state } = begun.agent.session
    if (end.code === 'ok' && state !== null && isPlanHeld(state)) onNote(planWaits(state.id))
    try {
      // The session is released first, because the reader of the last event may continue it at once.
      await begun.agent.close()
    } catch (error) {
      onNote(errorText(error))
      return end.code === 'ok' ? { ...end, code: 'failure' } : end
    }
    return end
  }

  /** With a stream of messages, each is a task of its own, with a result of its own. */
  async #workOnAll(begun: Begun): Promise<RunEnd> {
    let end = await this.#work(begun)
    try {
      for (;;) {
        const task = this.interruption.cause === undefined ? await this.#nextMessage(end) : undefined
        if (task === undefined) return end
        end = await this.#work({ ...begun, task })
      }
    } catch (error) {
      return this.#failed(error)
    }
  }

  async #nextMessage(end: RunEnd): Promise<string | undefined> {
    if (this.#messages === undefined) return undefined
    this.#printer.turn(this.#withResume(end))
    const next = await this.interruption.unless(this.#messages.next())
    return next === undefined || next.done === true ? undefined : next.value
  }

  async #work(begun: Begun): Promise<RunEnd> {
    if (this.interruption.cause !== undefined) return this.#stoppedBefore()
    try {
      return await workOn(begun, this.interruption, (event) => this.#see(event))
    } catch (error) {
      return this.#failed(error)
    }
  }

  #begin({ agent, backend, places, address, resumed, task }: Begun, onNote: (note: string) => void): void {
    this.#address = address
    const permissionMode = permissionModeOf(agent)
    const { id: sessionId, state, recovery } = agent.session
    this.#isStored = resumed
    const about = { sessionId, model: backend.id, tools: agent.toolNames, permissionMode }
    this.#printer.begin({ ...about, folder: places.root, seq: state?.seq ?? 0, task })
    for (const { message } of recovery?.findings ?? []) onNote(message)
  }

  #see(event: AgentEvent): void {
    if ('seq' in event) this.#isStored = !this.#given.has('ephemeral')
    this.#printer.event(event)
  }

  /** Undefined if the run was stopped meanwhile. */
  async #pipedIn(): Promise<string | undefined> {
    const given = this.#given
    if (given.value('input-format') === 'stream-json') return this.#firstMessage()
    const hasWords = given.words.some((word) => word !== '' && word !== '-')
    const resumes = given.has('continue') || given.has('resume')
    const expected = given.words.includes('-') || (!hasWords && !resumes) ? 'needed' : 'welcome'
    const reading = readStandardInput(this.#console, { expected, verbose: given.has('verbose') })
    const piped = await this.interruption.unless(reading)
    // An open input would keep the process alive.
    if (piped === undefined) this.#console.stdin.destroy()
    return piped
  }

  async #firstMessage(): Promise<string | undefined> {
    this.#messages = inputLines(this.#console)
    const first = await this.interruption.unless(this.#messages.next())
    if (first === undefined) this.#console.stdin.destroy()
    return first === undefined ? undefined : (first.value ?? '')
  }

  #stoppedBefore(): RunEnd {
    const cause = this.interruption.cause ?? 'SIGTERM'
    return { kind: 'failed', error: new Error(`${cause}: stopped before the work began.`), code: codeOfCause(cause) }
  }
}

function planWaits(id: string): string {
  return `Nothing was changed. To carry the plan out: loader -r ${id} --mode execute`
}

/**
 * Writes the answer to the file of --output-last-message. Without an answer the file becomes empty, so that it does not
 * hold the one of an earlier run. If writing fails, the run counts as failed, but its result is kept.
 */
function keepAnswer(end: RunEnd, given: Given, console: Console): RunEnd {
  const file = given.value('output-last-message')
  if (file === undefined) return end
  try {
    writeFileSync(resolve(console.folder, file), end.kind === 'finished' ? end.result.response : '')
    return end
  } catch (error) {
    printNotes(console, [`The answer could not be written into ${file}: ${errorText(error)}`])
    return end.code === 'ok' ? { ...end, code: 'failure' } : end
  }
}
