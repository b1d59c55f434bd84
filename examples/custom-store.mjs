// A store of your own, here over a table of rows as any database has one, and the contract that it has to keep. What the
// contract says is what sessions rest on: nothing acknowledged is lost, and one writer at a time.
// Run it: node examples/custom-store.mjs
import {
  assertSessionId,
  fold,
  LoaderError,
  newestFirst,
  pageOf,
  parseEvent,
  parseState,
  summarize,
  utf8Length,
} from '@loader/session-core'
import { assertStoreClause, storeContract } from '@loader/test-harness'

/** Stands for your database: rows by key, and who is connected. A function here is a transaction there. */
class Database {
  rows = new Map()
  connections = new Set()
}

class TableStore {
  constructor(database) {
    this.database = database
    database.connections.add(this)
  }

  async claim(id, { owner, expect, takeover = false }) {
    const row = expect === 'new' ? this.#insert(id, takeover) : this.#find(id)
    if (this.#isHeld(row) && !takeover) throw busy(row)
    const saved = row.head === null ? null : parseState(JSON.parse(row.head))
    const state = saved !== null && saved.seq <= row.events.length ? saved : null
    const events = row.events.slice(state?.seq ?? 0).map((text) => parseEvent(JSON.parse(text)))
    // A writer of a lower number writes no more. A history that was copied here has the numbers of claims elsewhere.
    row.epoch = Math.max(row.epoch, fold(events, state)?.epoch ?? 0) + 1
    row.holder = { connection: this, owner }
    return { writer: new TableWriter(this.database, row), state, events, report: { findings: [] } }
  }

  async *read(id, { fromSeq = 1 } = {}) {
    const { events } = this.#find(id)
    for (let index = Math.max(fromSeq, 1) - 1; index < events.length; index += 1)
      yield parseEvent(JSON.parse(events[index]))
  }

  async readBlob(id, blob) {
    return textOf(this.#find(id), blob)
  }

  async list(query) {
    const listed = [...this.database.rows.values()].filter(({ events }) => events.length > 0)
    const states = listed.map(({ events }) => fold(events.map((text) => parseEvent(JSON.parse(text)))))
    return pageOf(newestFirst(states.map(summarize)), query) // a real one would keep these rows
  }

  async delete(id) {
    const row = this.#find(id)
    if (this.#isHeld(row)) throw busy(row)
    this.database.rows.delete(id.toLowerCase())
  }

  #insert(id, takeover) {
    assertSessionId(id)
    const key = id.toLowerCase() // ids that differ only in case are the same session
    const taken = this.database.rows.get(key)
    const isLeftover = taken?.events.length === 0 && (takeover || !this.#isHeld(taken))
    if (taken !== undefined && !isLeftover)
      throw new LoaderError('session_exists', `Session ${id} is there. Load it instead.`)
    const row = { id, events: [], blobs: new Map(), head: null, epoch: taken?.epoch ?? 0, holder: null }
    this.database.rows.set(key, row)
    return row
  }

  #find(id) {
    assertSessionId(id)
    const row = this.database.rows.get(id.toLowerCase())
    if (row !== undefined && row.events.length > 0) return row
    throw new LoaderError('session_not_found', `There is no session ${id}. List the sessions to see which there are.`)
  }

  /** What a lost connection held is free. A database without connections would keep the time of a last sign of life. */
  #isHeld({ holder }) {
    return holder !== null && this.database.connections.has(holder.connection)
  }
}

class TableWriter {
  #row
  #database
  #isReleased = false

  constructor(database, row) {
    this.#database = database
    this.#row = row
    this.id = row.id
    this.epoch = row.epoch
    this.blobs = { put: async (text) => this.#put(text), get: async (blob) => textOf(row, blob) }
  }

  async append(events) {
    this.#requireOwnership() // in the same transaction as what follows: that is the fence
    const next = this.#row.events.length + 1
    const fits = events.every(({ seq }, index) => seq === next + index)
    if (!fits) throw new LoaderError('impossible_event', `Event ${next} comes next in session ${this.id}.`)
    this.#row.events.push(...events.map((event) => JSON.stringify(event)))
  }

  async save(state) {
    this.#requireOwnership()
    this.#row.head = JSON.stringify(state)
  }

  async release() {
    const isMine = !this.#isReleased && this.#row.epoch === this.epoch
    this.#isReleased = true
    if (!isMine) return
    this.#row.holder = null
    if (this.#row.events.length === 0) this.#database.rows.delete(this.id.toLowerCase()) // it never was
  }

  #put(text) {
    this.#requireOwnership()
    const known = [...this.#row.blobs].find(([, other]) => other === text)
    const blob = known?.[0] ?? `text${this.#row.blobs.size + 1}`
    this.#row.blobs.set(blob, text)
    return { blob, bytes: utf8Length(text) }
  }

  #requireOwnership() {
    if (this.#isReleased) throw new LoaderError('session_closed', `Session ${this.id} was released. Claim it again.`)
    if (this.#row.epoch === this.epoch) return
    throw new LoaderError('writer_fenced', `Session ${this.id} was taken over. Nothing was written; load it again.`)
  }
}

function textOf({ id, blobs }, blob) {
  if (blobs.has(blob)) return blobs.get(blob)
  throw new LoaderError('blob_missing', `Session ${id} has no text ${blob}.`)
}

function busy({ id, holder }) {
  const { path, type } = holder.owner
  return new LoaderError('session_busy', `Session ${id} is held by ${path} (${type}). Close it there, or take it over.`)
}

/** An empty store for each clause. `reopen` is the end of the process: its connection is lost, and there is a new one. */
async function fresh() {
  const database = new Database()
  const store = new TableStore(database)
  const reopen = async () => {
    database.connections.delete(store)
    return new TableStore(database)
  }
  return { store, reopen, dispose: async () => {} }
}

// In vitest this is one line, sessionStoreContract('TableStore', fresh) from @loader/test-harness/vitest.
let broken = 0
for (const clause of storeContract) {
  try {
    await assertStoreClause(clause, fresh)
  } catch (error) {
    broken += 1
    console.log(`broken  ${clause.about}: ${clause.name}\n        ${error.message}`)
  }
}
console.log(`${storeContract.length - broken} of ${storeContract.length} promises are kept.`)
process.exitCode = broken === 0 ? 0 : 1
