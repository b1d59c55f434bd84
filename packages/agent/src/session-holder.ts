import {
  isStorageRefusal,
  LoaderError,
  type Owner,
  type ParentSession,
  type RecoveryReport,
  Session,
  type SessionState,
  type SessionStore,
} from '@loader/session-core'
import { Commits } from './commits.ts'
import type { AgentEnvironment } from './stage/environment.ts'
import type { WorkingSession } from './stage/stage.ts'

export interface HolderOptions {
  readonly store: SessionStore
  readonly environment: AgentEnvironment
  readonly owner: Owner
  readonly projectRoot: string
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly parent?: ParentSession | undefined
}

/**
 * The session that an agent works in. Its id is known at once; it is opened when the first event is recorded, so that
 * an unused agent leaves no trace.
 */
export class SessionHolder {
  readonly #options: HolderOptions
  readonly #commits = new Commits()
  #id: string
  #session: Session | undefined
  #opening: Promise<Session> | undefined
  /** Whether this holder created the session or tried to, so that it may exist in the store. */
  #isBegun = false

  constructor(options: HolderOptions) {
    this.#options = { ...options, store: this.#commits.over(options.store) }
    this.#id = options.id ?? options.environment.newId('ses')
  }

  get id(): string {
    return this.#id
  }

  get state(): SessionState | null {
    return this.#session?.state ?? null
  }

  /** What the store found and repaired when it claimed the session; undefined until it is open. */
  get recovery(): RecoveryReport | undefined {
    return this.#session?.recovery
  }

  get session(): Session | undefined {
    return this.#session
  }

  /** The session for steps, whose events are held back until something has to be durable. */
  working(session: Session): WorkingSession {
    return this.#commits.working(session)
  }

  /** Sends held events to the store. */
  send(): void {
    this.#commits.send()
  }

  /** The session; opens it first if necessary. */
  async opened(): Promise<Session> {
    if (this.#session !== undefined) return this.#session
    this.#opening ??= this.#open()
    try {
      return await this.#opening
    } finally {
      this.#opening = undefined
    }
  }

  /** Switches to an existing session and closes the current one; false if there is none. */
  async load(which: string, { takeover = false } = {}): Promise<boolean> {
    const id = which === 'latest' ? await this.#latest() : which
    if (id === undefined) return false
    if (id === this.#session?.id) {
      if (await isUsable(this.#session)) return true
      await this.close()
    }
    const loaded = await this.#loaded(id, takeover)
    if (loaded === undefined) return false
    await this.close()
    this.#session = loaded
    this.#id = id
    this.#isBegun = true
    return true
  }

  /** Switches to a new id, whose session is opened when the first event is recorded. The current session is kept. */
  async renew(): Promise<void> {
    await this.close()
    this.#id = this.#options.environment.newId('ses')
    this.#isBegun = false
  }

  /** Saves and releases the session, if it is open. It can be opened again. */
  async close(): Promise<void> {
    const session = this.#session ?? (await this.#opening)
    this.#session = undefined
    await session?.close()
  }

  async #open(): Promise<Session> {
    this.#session = (this.#isBegun ? await this.#loaded(this.#id, false) : undefined) ?? (await this.#new())
    return this.#session
  }

  async #new(): Promise<Session> {
    const { store, environment, owner, projectRoot, title, parent } = this.#options
    const options = { environment, owner, id: this.#id, project: { root: projectRoot }, ...(parent && { parent }) }
    this.#isBegun = true
    try {
      return await Session.open(store, title === undefined ? options : { ...options, title })
    } catch (error) {
      // The session exists already, made by another program: it must be loaded only on request.
      if (LoaderError.is(error, 'session_exists')) this.#isBegun = false
      throw error
    }
  }

  async #loaded(id: string, takeover: boolean): Promise<Session | undefined> {
    const { store, environment, owner } = this.#options
    try {
      return await Session.load(store, id, { environment, owner, takeover })
    } catch (error) {
      if (LoaderError.is(error, 'session_not_found')) return undefined
      throw error
    }
  }

  async #latest(): Promise<string | undefined> {
    const { rows } = await this.#options.store.list({ limit: 200 })
    return rows.find(({ status, parent }) => status !== 'damaged' && parent === undefined)?.id
  }
}

/** False after a write with an uncertain result, or after a takeover: then the session must be loaded again. */
async function isUsable(session: Session): Promise<boolean> {
  try {
    await session.durable()
    return true
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return isStorageRefusal(error)
  }
}
