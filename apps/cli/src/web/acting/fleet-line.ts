import { answerQuestion } from '../../fleet/answer-question.ts'
import { fleetReading } from '../../fleet/fleet-reading.ts'
import { offered, queueTask } from '../../fleet/queue-task.ts'
import { databaseStore } from '../../sessions/database-store.ts'
import type { StoreAddress } from '../../settings/store-address.ts'
import { inputIdOf } from '@loader/agent'
import { LoaderError } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { Dispatch } from '@loader/session-postgres/dispatch'
import { type ActAnswers, type ActBodies, type FleetAnswer, type Request } from '@loader/web/server'
import { type Located, placesIn, placesOfLocated, type ServedFrom } from '../sessions/located.ts'
import type { Standings } from '../standing/standings.ts'

/** The line of sessions that workers share, in a database. */
export class FleetLine {
  readonly #store: ReturnType<typeof databaseStore>
  readonly #dispatch: Dispatch
  readonly #served: ServedFrom
  #read: { readonly at: number; readonly fleet: Promise<Awaited<ReturnType<Dispatch['fleet']>>> } | undefined

  constructor(address: StoreAddress, served: ServedFrom) {
    this.#store = databaseStore(address)
    this.#dispatch = new Dispatch(this.#store)
    this.#served = served
  }

  reading(): Promise<FleetAnswer> {
    return fleetReading(this.#dispatch)
  }

  unpark(id: string): Promise<boolean> {
    return this.#dispatch.unpark(id)
  }

  /** Where a session stands in line; undefined if it is in none. */
  async standing(id: string) {
    const { sessions } = await this.#fleet()
    const found = sessions.find((session) => session.id === id)
    if (found === undefined) return undefined
    const { standing, worker, reason } = found
    const words = {
      queued: 'in line for a worker',
      running: `with worker ${worker ?? ''}`,
      waiting: 'left by its worker until it is answered',
      parked: `parked: ${reason ?? 'it is not said why'}`,
    }
    return { standing, words: words[standing] }
  }

  /** Whether a worker has a session, or will have it, as it is right now. */
  async has(id: string): Promise<boolean> {
    this.#read = undefined
    const { standing } = (await this.standing(id)) ?? {}
    return standing !== undefined && standing !== 'parked'
  }

  /**
   * Records an answer, with which a worker goes on. False if no worker has asked. A worker that has just asked still holds the
   * session for a moment, which is waited for.
   */
  async answered({ id }: Located, message: Extract<InboxMessage, { kind: 'answer' }>): Promise<boolean> {
    if (!(await this.has(id))) return false
    const { answer } = message
    if (answer.kind === 'permit' && answer.scope === 'always') {
      throw new LoaderError(
        'unsupported',
        'A worker keeps no rules for a project: allow it for the rest of this session.',
      )
    }
    const via = { id: message.id, from: message.from }
    await answerQuestion(this.#store, id, answer, (session) => offered(session, this.#dispatch), via)
    this.#read = undefined
    return true
  }

  /** Puts a task in line. */
  async send(
    { request, text, mode, checks = [], title, project }: ActBodies['send'] & Request,
    {
      id,
      session,
      standings,
    }: { readonly id: string; readonly session: Located | undefined; readonly standings: Standings },
  ): Promise<ActAnswers['send']> {
    const doneWhen = checks.map((command) => ({ command }))
    const known = session && (await standings.followed(session).now())
    const places =
      session === undefined
        ? placesIn(project ?? this.#served.places.root, this.#served)
        : placesOfLocated(session, known?.project?.root ?? null, this.#served)
    await queueTask(
      { text, wishes: { ...(mode !== undefined && { mode }), ...(doneWhen.length > 0 && { doneWhen }) } },
      session === undefined ? { newId: id, title } : { id },
      { store: this.#store, dispatch: this.#dispatch, places, inputId: inputIdOf(request) },
    )
    this.#read = undefined
    return { session: id, inputId: inputIdOf(request), state: 'recorded' }
  }

  async close(): Promise<void> {
    await this.#store.close()
  }

  /** Asked for every page that is open: looked up once a second. */
  #fleet() {
    if (this.#read === undefined || Date.now() - this.#read.at > freshMs)
      this.#read = { at: Date.now(), fleet: this.#dispatch.fleet() }
    return this.#read.fleet
  }
}

const freshMs = 1_000
