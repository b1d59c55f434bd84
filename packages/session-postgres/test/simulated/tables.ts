import type { World } from './world.ts'

/** A row of `session`, with the number of the session under this name: one that is made after a deletion is another one. */
export interface Row {
  readonly born: number
  readonly id: string
  readonly epoch: number
  readonly token: string | null
  readonly holder: string | null
  readonly leaseUntil: number
  readonly headSeq: number
  readonly state: string | null
  readonly stateSeq: number
  readonly row: string | null
  readonly listedAt: string | null
}

export interface StoredBody {
  readonly seq: number
  readonly epoch: number
  readonly body: string
}

type Cells = Readonly<Record<string, unknown>>
export interface Answer {
  readonly rows: readonly Cells[]
  readonly rowCount: number
}

/** What of the database is asked, and by whom. */
export interface Asked {
  readonly name: string
  readonly values: readonly unknown[]
  /** What the clock of who asks says. */
  readonly theirNow: () => number
}

/** How the conditions of the statements are judged: as they are written, or as in a store that is wrong. */
export interface Judgement {
  readonly lease: (row: Row, now: number) => boolean
  readonly token: (row: Row, token: unknown) => boolean
  readonly now: (world: World, asked: Asked) => number
  /** Whether an append looks and stores under one lock. */
  readonly appendsAtOnce: boolean
}

export const asWritten: Judgement = {
  lease: (row, now) => row.leaseUntil > now,
  token: (row, token) => row.token === token,
  now: (world) => world.now,
  appendsAtOnce: true,
}

export class ServerError extends Error {
  readonly severity = 'ERROR'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Told of each commit. */
export type OnCommit = (key: string, asked: Asked, before: Row | undefined, after: Row | undefined) => void

interface Effect {
  readonly row: Row | undefined
  readonly events?: readonly StoredBody[]
  readonly answer: Answer
}

const none: Answer = { rows: [], rowCount: 0 }
const done: Answer = { rows: [], rowCount: 1 }
const noEvents: readonly StoredBody[] = []

/**
 * The tables in memory. A statement that changes a session sees what was committed when it came; where that does not
 * match, it changes nothing; else it waits for the lock of the row, and looks again at what was committed by then. It
 * holds the lock until it commits. What it only reads is as of when it came.
 */
export class Tables {
  readonly rows = new Map<string, Row>()
  readonly events = new Map<string, readonly StoredBody[]>()
  readonly blobs = new Map<string, ReadonlySet<string>>()
  /** How often each event was committed, ever. */
  readonly committed = new Map<string, number>()
  readonly #world: World
  readonly #judgement: Judgement
  readonly #onCommit: OnCommit
  readonly #locks = new Map<string, (() => void)[]>()
  #born = 0

  constructor(world: World, judgement: Judgement, onCommit: OnCommit) {
    this.#world = world
    this.#judgement = judgement
    this.#onCommit = onCommit
  }

  /** Carries a statement out; `answer` is called when it is committed, or has failed. */
  ask(asked: Asked, answer: (result: Answer | ServerError) => void): void {
    const read = this.#read(asked)
    if (read !== undefined) return answer(read)
    const key = String(asked.values[1])
    const came = this.events.get(key) ?? noEvents
    if (!asked.name.startsWith('claim_new') && this.#tried(asked, came) === undefined) return answer(none)
    if (asked.name.startsWith('append') && !this.#judgement.appendsAtOnce) return this.#later(key, asked, came, answer)
    this.#locked(key, (unlock) => {
      const effect = this.#tried(asked, came)
      if (effect === undefined || effect instanceof ServerError) {
        unlock()
        return answer(effect ?? none)
      }
      const { chance } = this.#world
      this.#world.after(chance.is(0.05) ? chance.between(10, 400) : chance.between(0, 3), () => {
        this.#commit(key, asked, effect)
        unlock()
        answer(effect.answer)
      })
    })
  }

  #tried(asked: Asked, came: readonly StoredBody[]): Effect | ServerError | undefined {
    try {
      return this.#effect(asked, came)
    } catch (error) {
      if (error instanceof ServerError) return error
      throw error
    }
  }

  /** As a store would that looks in one statement and stores in the next. */
  #later(key: string, asked: Asked, came: readonly StoredBody[], answer: (result: Answer | ServerError) => void): void {
    const effect = this.#tried(asked, came)
    if (effect === undefined || effect instanceof ServerError) return answer(effect ?? none)
    this.#world.after(this.#world.chance.between(1, 50), () => {
      const row = this.rows.get(key)
      if (effect.row === undefined || row === undefined) return answer(none)
      const added = effect.events?.slice(came.length) ?? []
      const events = [...(this.events.get(key) ?? []), ...added]
      this.#commit(key, asked, { ...effect, row: { ...row, headSeq: effect.row.headSeq }, events })
      answer(effect.answer)
    })
  }

  #locked(key: string, work: (unlock: () => void) => void): void {
    const waiting = this.#locks.get(key)
    const unlock = () => {
      const next = this.#locks.get(key)?.shift()
      if (next === undefined) this.#locks.delete(key)
      else next()
    }
    if (waiting !== undefined) return void waiting.push(() => work(unlock))
    this.#locks.set(key, [])
    work(unlock)
  }

  #commit(key: string, asked: Asked, { row, events }: Effect): void {
    const before = this.rows.get(key)
    if (row === undefined) this.rows.delete(key)
    else this.rows.set(key, row)
    if (events !== undefined) {
      for (const { body } of events.slice((this.events.get(key) ?? noEvents).length)) {
        this.committed.set(body, (this.committed.get(body) ?? 0) + 1)
      }
      this.events.set(key, events)
    }
    this.#onCommit(key, asked, before, row)
  }

  #read({ name, values }: Asked): Answer | undefined {
    const key = String(values[1])
    const row = this.rows.get(key)
    const events = this.events.get(key) ?? noEvents
    switch (name) {
      case 'standing':
        return answerOf(row === undefined ? [] : [{ ...cellsOf(row), holds: row.leaseUntil > this.#world.now }])
      case 'read_events': {
        const [first, last, most] = values.slice(2).map(Number) as [number, number, number]
        const found = events.filter(({ seq }) => seq >= first && seq <= last).slice(0, most)
        return answerOf(found.map(({ seq, body }) => ({ seq: String(seq), body })))
      }
      case 'stored_bodies': {
        const [first, most] = values.slice(2).map(Number) as [number, number]
        const found = events.filter(({ seq }) => seq >= first).slice(0, most)
        return answerOf(found.map(({ seq, epoch, body }) => ({ seq: String(seq), epoch: String(epoch), body })))
      }
      // Long texts are not simulated: there are none.
      case 'unnamed_blobs':
        return none
      case 'list_unsaved':
        return answerOf([...this.rows.values()].filter((each) => each.row === null && each.headSeq > 0))
      case 'list_rows':
        return answerOf([...this.rows.values()].filter((each) => each.row !== null && each.headSeq > 0))
      default:
        return undefined
    }
  }

  /** What a statement does as things stand; undefined where its conditions do not hold. */
  #effect(asked: Asked, came: readonly StoredBody[]): Effect | undefined {
    const { name, values } = asked
    const [, key, third, fourth, fifth, sixth, seventh] = values
    const row = this.rows.get(String(key))
    const events = this.events.get(String(key)) ?? noEvents
    const judge = this.#judgement
    const now = judge.now(this.#world, asked)
    const isOurs = row !== undefined && judge.token(row, third) && judge.lease(row, now)
    switch (name) {
      case 'append':
      case 'append_one': {
        if (!isOurs || row.headSeq !== Number(fourth)) return undefined
        const bodies = name === 'append' ? String(sixth).split('\n') : [String(sixth)]
        if (events.length > row.headSeq) throw new ServerError('23505', 'duplicate key value in event')
        const added = bodies.map((body, index) => ({ seq: row.headSeq + 1 + index, epoch: row.epoch, body }))
        const headSeq = row.headSeq + added.length
        return {
          row: { ...row, headSeq, leaseUntil: now + Number(fifth) },
          events: [...events, ...added],
          answer: { rows: [], rowCount: added.length },
        }
      }
      case 'settle': {
        if (row === undefined || !(judge.token(row, third) || row.token === fourth)) return undefined
        const answer = answerOf([{ head_seq: String(row.headSeq), holds: judge.lease(row, now) }])
        return { row: { ...row, token: String(fourth) }, answer }
      }
      case 'renew':
        return isOurs ? { row: { ...row, leaseUntil: now + Number(fourth) }, answer: done } : undefined
      case 'save_state':
      case 'save_state_and_row': {
        const seq = Number(fifth)
        if (!isOurs || (row.stateSeq > seq && row.stateSeq <= row.headSeq)) return undefined
        const saved = { ...row, state: String(fourth), stateSeq: seq }
        const listed = name === 'save_state' ? {} : { row: String(sixth), listedAt: String(seventh) }
        return { row: { ...saved, ...listed }, answer: done }
      }
      case 'put_blob':
        return isOurs ? { row, answer: done } : undefined
      case 'release':
        if (row === undefined || !(judge.token(row, third) || row.token === fourth)) return undefined
        return row.headSeq === 0
          ? { row: undefined, answer: none }
          : { row: { ...row, token: null, holder: null, leaseUntil: 0 }, answer: done }
      case 'claim_new':
        return this.#claimNew(asked, row, now)
      case 'claim_existing': {
        const mayTake =
          row?.token === null ||
          (row && row.leaseUntil <= now) ||
          row?.epoch === sixth ||
          (row && row.token === seventh)
        if (row === undefined || row.headSeq === 0 || !mayTake) return undefined
        const claimed = {
          ...row,
          epoch: row.epoch + (row.token !== null && row.token === seventh ? 0 : 1),
          token: String(third),
          holder: String(fourth),
          leaseUntil: now + Number(fifth),
        }
        const bodies = came.filter(({ seq }) => seq > row.stateSeq).map(({ body }) => body)
        return { row: claimed, answer: answerOf([{ ...cellsOf(claimed), bodies, was_held: row.token !== null }]) }
      }
      case 'delete_session': {
        const isFree = row?.token === null || (row && row.leaseUntil <= now) || fifth === true
        if (row === undefined || row.epoch !== third || row.headSeq !== fourth || !isFree) return undefined
        // What was committed while it waited it does not see.
        return { row: undefined, events: events.slice(came.length), answer: done }
      }
      default:
        throw new Error(`The simulated database does not know ${name}.`)
    }
  }

  #claimNew({ values }: Asked, row: Row | undefined, now: number): Effect | undefined {
    const [, , id, token, holder, leaseMs, epoch, earlier] = values
    const mayTake =
      row?.token === null ||
      (row && row.leaseUntil <= now) ||
      row?.epoch === epoch ||
      (row && row.token !== null && row.token === earlier)
    if (row !== undefined && (row.headSeq > 0 || !mayTake)) return undefined
    const claimed: Row = {
      born: row?.born ?? (this.#born += 1),
      id: String(id),
      epoch: row === undefined ? 1 : row.epoch + (row.token !== null && row.token === earlier ? 0 : 1),
      token: String(token),
      holder: String(holder),
      leaseUntil: now + Number(leaseMs),
      headSeq: 0,
      state: null,
      stateSeq: 0,
      row: null,
      listedAt: null,
    }
    return { row: claimed, answer: answerOf([{ id: claimed.id, epoch: String(claimed.epoch) }]) }
  }
}

function answerOf(rows: readonly object[]): Answer {
  return { rows: rows as readonly Cells[], rowCount: rows.length }
}

/** As the driver gives them: whole numbers of 64 bits are texts. */
function cellsOf({ id, epoch, token, holder, headSeq, state, stateSeq }: Row): Cells {
  return { id, epoch: String(epoch), token, holder, head_seq: String(headSeq), state, state_seq: String(stateSeq) }
}
