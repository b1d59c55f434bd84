import fs from 'node:fs'
import { atLeast, atMost, shown } from './figure.mjs'
import { intoSpace, reference, sqliteFull, unsyncedLines, wholeFile } from './rivals.mjs'
import { rounds, timed } from './rounds.mjs'
import { growingSession } from './sessions.mjs'

/** Appends in a row per turn: a block of a file's worth, and no more, so that few turns meet a neighbour's flush. */
const inARow = 4

export async function appendFigures(folder) {
  return [
    ...(await againstOthers(folder)),
    ...(await growth(folder)),
    ...(await inFlight(folder)),
    ...(await syncCalls(folder)),
    ...(await unsynced(folder)),
  ]
}

async function againstOthers(folder) {
  const session = await growingSession(folder, 'append')
  const sqlite = await sqliteFull(folder)
  const run = {
    reference: reference(folder),
    floor: intoSpace(folder),
    session: () => session.append(),
    sqlite: sqlite.asStore,
    rows: sqlite.asRows,
  }
  const { medianMs, ratio } = await takeTurns(run, 800)
  return [
    shown('the reference: serialise 1 KB, append, fdatasync', medianMs.reference * 1000, 'µs'),
    shown('append, one in flight', medianMs.session * 1000, 'µs'),
    shown('the floor, the same into space that exists, to the reference', ratio('floor', 'reference'), 'x'),
    atMost('append to the floor', ratio('session', 'floor'), 'x', 1.25),
    atMost('append to the reference', ratio('session', 'reference'), 'x', 0.95),
    atMost('append to SQLite, WAL FULL, events of sessions', ratio('session', 'sqlite'), 'x', 0.9),
    shown('append to SQLite, WAL FULL, one table of rows', ratio('session', 'rows'), 'x'),
    shown('SQLite, WAL FULL, events of sessions, to the reference', ratio('sqlite', 'reference'), 'x'),
  ]
}

async function growth(folder) {
  const old = await growingSession(folder, 'old', { messages: 10_000 })
  const plain = reference(folder)
  const all = { young: 0, old: 0 }
  const appendSome = async (session, name) => {
    const start = performance.now()
    const ms = await timed(() => session.append(), inARow)
    all[name] += performance.now() - start
    return ms
  }
  let young
  const { ratio } = await rounds(800, {
    reference: () => timed(plain, inARow),
    young: async (round) => {
      // So that it stays young: between 100 and 180 messages.
      if (round % 20 === 0) young = await growingSession(folder, `young-${round}`, { messages: 100 })
      return appendSome(young, 'young')
    },
    old: () => appendSome(old, 'old'),
  })
  const value = ratio('old', 'reference') / ratio('young', 'reference')
  return [
    atMost('append at 10,000 messages to that at 100', value, 'x', 1.15),
    shown(
      'the same in the mean, with seals, each of which writes a snapshot of 10,000 messages',
      all.old / all.young,
      'x',
    ),
  ]
}

async function inFlight(folder) {
  const [one, many] = [await growingSession(folder, 'one'), await growingSession(folder, 'many')]
  const { medianMs, ratio } = await rounds(200, {
    one: () => timed(() => one.append(), inARow),
    many: () => timed(() => many.appendAtOnce(64)),
  })
  return [
    atLeast('throughput, 64 in flight to 1', 64 / ratio('many', 'one'), 'x', 3),
    shown('appends a second, 64 in flight', 64_000 / medianMs.many, '/s'),
  ]
}

/** Counts are counts, whatever else the machine does: seals, snapshots, claim and the first row of the list included. */
async function syncCalls(folder) {
  const alone = counted()
  const one = await growingSession(folder, 'counted', { fileSystem: alone })
  for (let i = 0; i < 5_000; i += 1) await one.append()

  const together = counted()
  const many = await growingSession(folder, 'counted-64', { fileSystem: together })
  for (let i = 0; i < 5_056; i += 64) await many.appendAtOnce(64)
  return [
    atMost('sync calls per append, one in flight', alone.syncs() / 5_000, '', 1.03),
    atMost('sync calls per append, 64 in flight', together.syncs() / 5_056, '', 0.06),
  ]
}

function counted() {
  let count = 0
  const counting = Object.fromEntries(
    ['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync'].map((name) => [
      name,
      (...args) => {
        count += 1
        return fs[name](...args)
      },
    ]),
  )
  return { ...fs, ...counting, syncs: () => count }
}

/** Apart from the others: the next sync has to wait for the data that these left unwritten. */
async function unsynced(folder) {
  const session = await growingSession(folder, 'os')
  const { medianMs, ratio } = await takeTurns(
    { reference: reference(folder), os: () => session.append('os'), lines: unsyncedLines(folder) },
    200,
  )
  const whole = await takeTurns({ reference: reference(folder), whole: wholeFile(folder, 100) }, 50)
  return [
    shown('append, level os', medianMs.os * 1000, 'µs'),
    shown('append, level os, to appendFileSync of the line', ratio('os', 'lines'), 'x'),
    shown('appendFileSync of the line to the reference', ratio('lines', 'reference'), 'x'),
    shown('write-file-atomic of 100 messages to the reference', whole.ratio('whole', 'reference'), 'x'),
  ]
}

function takeTurns(runs, count) {
  return rounds(count, Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, () => timed(run, inARow)])))
}
