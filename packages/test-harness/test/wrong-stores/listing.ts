import {
  type Claim,
  type ClaimOptions,
  fold,
  type ListQuery,
  type SessionPage,
  type SessionRow,
  summarize,
} from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, wrong, type WrongStore } from './wrong-store.ts'

/** A store that lists in another way. */
function listing(
  list: (next: (query: ListQuery) => Promise<SessionPage>, query: ListQuery) => Promise<SessionPage>,
): () => MortalStore {
  class Listing extends MortalStore {
    override list(query: ListQuery = {}): Promise<SessionPage> {
      return list((changed) => super.list(changed), query)
    }
  }
  return () => new Listing()
}

/** A store that shows other rows than it has. */
const showing = (change: (rows: readonly SessionRow[], query: ListQuery) => readonly SessionRow[]) =>
  listing(async (next, query) => {
    const page = await next(query)
    return { ...page, rows: change(page.rows, query) }
  })

const without = (query: ListQuery, key: keyof ListQuery): ListQuery =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== key))

/** A store whose cursor is the time of the last row. */
const pagingByTime = (isAfter: (row: SessionRow, cursor: string) => boolean) =>
  listing(async (next, { cursor, limit = 50, ...query }) => {
    const { rows } = await next({ ...query, limit: 1000 })
    const rest = rows.filter((row) => cursor === undefined || isAfter(row, cursor))
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return { rows: page, ...(last && rest.length > page.length && { cursor: last.updatedAt }) }
  })

/** Knows which sessions were saved. */
class ListsWhatWasSaved extends MortalStore {
  readonly #saved = new Set<string>()
  readonly #onlyAfterDeath: boolean
  #died = false

  constructor(when: 'always' | 'after death') {
    super()
    this.#onlyAfterDeath = when === 'after death'
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), (writer) => ({
      save: async (state, saving) => {
        await writer.save(state, saving)
        this.#saved.add(id)
      },
    }))
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    if (this.#onlyAfterDeath && !this.#died) return page
    return { ...page, rows: page.rows.filter(({ id }) => this.#saved.has(id)) }
  }

  override async die(): Promise<void> {
    this.#died = true
    await super.die()
  }
}

class ListsWhatIsClaimed extends MortalStore {
  readonly #empty = new Set<string>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    if (options.expect === 'new') this.#empty.add(id)
    return altered(claim, (writer) => ({
      append: async (events, level) => {
        await writer.append(events, level)
        this.#empty.delete(id)
      },
      release: async () => {
        this.#empty.delete(id)
        await writer.release()
      },
    }))
  }

  override async die(): Promise<void> {
    this.#empty.clear()
    await super.die()
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    const opened = { type: 'session.opened', seq: 1, at: '2026-01-01T00:00:00.000Z', format: 1 } as const
    const empty = [...this.#empty].flatMap((id) => {
      const state = fold([{ ...opened, id }])
      return state ? [summarize(state)] : []
    })
    return { ...page, rows: [...page.rows, ...empty] }
  }
}

class TouchesRowsWhenItStarts extends MortalStore {
  #started = false

  override async die(): Promise<void> {
    this.#started = true
    await super.die()
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    if (!this.#started) return page
    return { ...page, rows: page.rows.map((row) => ({ ...row, updatedAt: '2030-01-01T00:00:00.000Z' })) }
  }
}

export const wrongListing: readonly WrongStore[] = [
  wrong(
    'gives a cursor always',
    listing(async (next, query) => {
      const page = await next(query)
      return { cursor: page.rows.at(-1)?.updatedAt ?? query.cursor ?? '', ...page }
    }),
    'an empty store lists nothing',
    'pages hold as many rows as they were asked for, and a cursor only when there are more',
    'pages lose and repeat nothing, even among rows of one time',
    'what is searched for comes in pages, too',
  ),
  wrong(
    'lists what was saved',
    () => new ListsWhatWasSaved('always'),
    'a session is listed from its first acknowledged event on',
    'what a dead process never saved is listed',
    'a fork is listed, and goes on like any session',
    'a session that is restored has its events and its long texts, and is listed',
  ),
  wrong(
    'forgets the rows of what was never saved',
    () => new ListsWhatWasSaved('after death'),
    'what a dead process never saved is listed',
    'a session that is restored has its events and its long texts, and is listed',
  ),
  wrong(
    'lists sessions that are not there',
    () => new ListsWhatIsClaimed(),
    'a session that got no event yet is not listed',
  ),
  wrong(
    'does not count in its rows',
    showing((rows) => rows.map((row) => ({ ...row, seq: 0 }))),
    'a row says what its session is',
  ),
  wrong('touches its rows when it starts', () => new TouchesRowsWhenItStarts(), 'rows survive the end of the process'),
  wrong(
    'lists the oldest first',
    showing((rows) => rows.toReversed()),
    'the newest sessions come first',
  ),
  wrong(
    'ignores the limit',
    listing((next, query) => next(without(query, 'limit'))),
    'pages hold as many rows as they were asked for, and a cursor only when there are more',
  ),
  wrong(
    'repeats rows of one time on the next page',
    pagingByTime((row, cursor) => row.updatedAt <= cursor),
    'pages hold as many rows as they were asked for, and a cursor only when there are more',
    'pages lose and repeat nothing, even among rows of one time',
    'what is searched for comes in pages, too',
  ),
  wrong(
    'loses rows of one time between pages',
    pagingByTime((row, cursor) => row.updatedAt < cursor),
    'pages lose and repeat nothing, even among rows of one time',
  ),
  wrong(
    'searches by exact case',
    listing(async (next, { text = '', ...query }) => {
      const page = await next(query)
      return { ...page, rows: page.rows.filter((row) => JSON.stringify(row).includes(text)) }
    }),
    'a list finds by text in title, excerpt and metadata, in any case',
  ),
  wrong(
    'ignores the text',
    listing((next, query) => next(without(query, 'text'))),
    'a list finds by text in title, excerpt and metadata, in any case',
    'what is searched for comes in pages, too',
  ),
  wrong(
    'ignores the metadata',
    listing((next, query) => next(without(query, 'metadata'))),
    'a list finds by values of metadata, all of them',
    'what is searched for comes in pages, too',
  ),
  wrong(
    'ignores mode, verdict and status',
    listing((next, query) => next(without(without(without(query, 'mode'), 'verdict'), 'status'))),
    'a list finds by mode, verdict and status',
  ),
  wrong(
    'searches in the first page',
    listing(async (next, { text, ...query }) => {
      const page = await next(query)
      if (text === undefined) return page
      const found = new Set((await next({ text, limit: 1000 })).rows.map(({ id }) => id))
      return { rows: page.rows.filter(({ id }) => found.has(id)) }
    }),
    'what is searched for comes in pages, too',
  ),
  wrong(
    'finds nothing when it compares',
    showing((rows, { check }) => (check ? [] : rows)),
    'a list that compares with what is stored finds nothing to object to',
  ),
]
