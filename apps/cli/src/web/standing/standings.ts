import type { Owner, SessionState } from '@loader/session-core'
import { shownText } from '@loader/session-core'
import type { Standing, WaitsFor } from '@loader/web/server'
import { writerOf } from '../../sessions/writer-of.ts'
import type { Located } from '../sessions/located.ts'
import { FollowedSession } from './followed-session.ts'
import { standingQuestion } from './standing-question.ts'

/** What this process knows of the sessions that it works on. */
export interface Runs {
  /** Whether this process has the session, and a turn of it runs here. */
  has(id: string): { readonly isBusy: boolean } | undefined
  trouble(id: string): Standing['trouble']
}

/** What is known of sessions that workers share. */
export interface Line {
  standing(
    id: string,
  ): Promise<{ readonly standing: 'queued' | 'running' | 'waiting' | 'parked'; readonly words: string } | undefined>
}

/** How many sessions are kept in memory as far as they were read. */
const mostFollowed = 200

/** How sessions stand, read again as far as they have changed. */
export class Standings {
  readonly #runs: Runs
  readonly #line: Line | undefined
  readonly #isTrusted: (root: string) => boolean
  readonly #followed = new Map<string, FollowedSession>()

  constructor(runs: Runs, line: Line | undefined, isTrusted: (root: string) => boolean) {
    this.#runs = runs
    this.#line = line
    this.#isTrusted = isTrusted
  }

  /** A session as far as it is known; read on with its `now`. */
  followed({ id, store }: Located): FollowedSession {
    const known = this.#followed.get(id)
    if (known !== undefined) return known
    const made = new FollowedSession(store, id)
    this.#followed.set(id, made)
    const [oldest] = this.#followed.keys()
    if (this.#followed.size > mostFollowed && oldest !== undefined) this.#followed.delete(oldest)
    return made
  }

  /** The session is gone, or another one has its name. */
  forget(id: string): void {
    this.#followed.delete(id)
  }

  async of(located: Located): Promise<Standing> {
    const { id, store } = located
    const followed = this.followed(located)
    const state = await followed.now().catch((error: unknown) => {
      this.forget(id)
      throw error
    })
    const line = this.#runs.has(id) === undefined ? await this.#line?.standing(id) : undefined
    const inLine = line === undefined ? undefined : asInLine(line)
    // Workers do not read inboxes.
    const holder = await this.#holderOf(located, {
      takes: store.inbox !== undefined && (inLine?.holder ?? null) === null,
    })
    const messages = (await store.inbox?.(id).messages()) ?? []
    const undelivered = messages
      .filter((message) => !followed.hasHeard(message.id))
      .map(({ id: request, kind }) => ({ request, kind }))
    const isHeld = holder !== null
    const question = await standingQuestion(state, followed, { store, isHeld, isTrusted: this.#isTrusted })
    return {
      phase:
        inLine?.phase ?? phaseOf(state, { holder, question, undelivered, isBusy: this.#runs.has(id)?.isBusy ?? false }),
      holder: holder ?? inLine?.holder ?? null,
      turnId: state.turn?.id ?? null,
      question,
      queue: state.queue.map(({ inputId, text }) => ({ inputId, text: shownText(text) })),
      undelivered,
      trouble: this.#runs.trouble(id) ?? inLine?.trouble ?? null,
    }
  }

  /** What an open session waits for; undefined if it does not. */
  async waitsFor(located: Located): Promise<WaitsFor | undefined> {
    const question = (await this.of(located)).question
    if (question === null) return undefined
    return question.isPlan ? 'plan' : question.kind
  }

  async #holderOf({ id, store }: Located, { takes }: { readonly takes: boolean }): Promise<Standing['holder']> {
    if (this.#runs.has(id) !== undefined) return { where: 'here' }
    const owner: Owner | null = (await store.holder?.(id)) ?? null
    if (owner === null) return null
    return { where: 'elsewhere', words: (await writerOf(store, id)) ?? 'held', takes }
  }
}

type InLine = Pick<Standing, 'phase' | 'holder' | 'trouble'>

/** A session that a worker has or will take. This process must not continue it. */
function asInLine({ standing, words }: NonNullable<Awaited<ReturnType<Line['standing']>>>): InLine {
  const holder = { where: 'elsewhere', words, takes: false } as const
  switch (standing) {
    case 'queued':
    case 'running':
      return { phase: 'running', holder, trouble: null }
    case 'waiting':
      return { phase: 'waiting', holder, trouble: null }
    case 'parked':
      return { phase: 'cut_off', holder: null, trouble: { code: 'parked', message: words } }
    default:
      return standing satisfies never
  }
}

interface Known extends Pick<Standing, 'holder' | 'question' | 'undelivered'> {
  readonly isBusy: boolean
}

function phaseOf({ turn, queue }: SessionState, { holder, question, undelivered, isBusy }: Known): Standing['phase'] {
  const isOpen = turn !== null || queue.length > 0
  if (holder === null) return isOpen || undelivered.length > 0 ? 'cut_off' : 'resting'
  if (holder.where === 'here' && !isBusy) return isOpen ? 'cut_off' : 'resting'
  if (turn === null) return holder.where === 'here' ? 'running' : 'resting'
  return question === null ? 'running' : 'waiting'
}
