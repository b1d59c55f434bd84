import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fold, Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { atMost, shown } from './figure.mjs'
import { replaceAtomically } from './rivals.mjs'
import { rounds, timed } from './rounds.mjs'
import { workday } from './workday.mjs'

const mega = 1_000_000

export async function openFigures(folder) {
  const short = await workday(folder, 'short', mega)
  const long = await workday(folder, 'long', 100 * mega)
  const residentMiB = openElsewhere(long.directory)
  const { medianMs, ratio } = await rounds(60, {
    parse: () => timed(() => JSON.parse(readFileSync(long.snapshot, 'utf8'))),
    floor: (round) => timed(() => openByCalls(long, join(folder, `lock.${round}`))),
    loadFloor: (round) => timed(() => loadByCalls(long, join(folder, `load.${round}`))),
    short: () => open(short.directory, 'short'),
    long: () => open(long.directory, 'long'),
    load: () => load(long.directory, 'long'),
  })
  return [
    shown('log that is opened', long.written / mega, 'MB'),
    shown('its snapshot', statSync(long.snapshot).size / 1024, 'KiB'),
    shown('open to continue (claim and fold)', medianMs.long, 'ms'),
    atMost('open to continue, 100 MB to 1 MB', ratio('long', 'short'), 'x', 1.3),
    shown('reading and parsing its snapshot, and the same calls of the file system', medianMs.floor, 'ms'),
    shown('the same to reading and parsing alone', ratio('floor', 'parse'), 'x'),
    atMost('open to continue to reading, parsing and the same calls', ratio('long', 'floor'), 'x', 2.5),
    shown('Session.load: open to continue, and the claim recorded and listed', medianMs.load, 'ms'),
    atMost('Session.load to reading, parsing and the same calls and flushes', ratio('load', 'loadFloor'), 'x', 2.5),
    atMost('resident memory of a process that opened the 100 MB', residentMiB, 'MiB', 120),
  ]
}

/** The least that claiming a closed session takes: its snapshot parsed, its other files read as they are, a lock put in place. */
function openByCalls({ directory, snapshot, name }, lock) {
  const file = (end) => join(directory, `${name}.${end}`)
  readTail(snapshot)
  for (const path of [directory, `${lock}.1`, `${lock}.2`, snapshot, file('0.json')]) existsSync(path)
  readFileSync(snapshot)
  writeFileSync(`${lock}.tmp`, '{}'.padEnd(300), { flag: 'wx' })
  linkSync(`${lock}.tmp`, lock)
  unlinkSync(`${lock}.tmp`)
  readTail(file('1.json'))
  JSON.parse(readFileSync(snapshot, 'utf8'))
  return readFileSync(file('journal.jsonl'))
}

/** The same, and the least that history the claim takes: the live events in a new journal, on the disk, and a row. */
function loadByCalls(session, lock) {
  replaceAtomically(`${lock}.journal`, openByCalls(session, lock))
  for (let looks = 0; looks < 4; looks += 1) existsSync(lock)
  writeFileSync(`${lock}.rows`, ' '.repeat(600), { flag: 'a' })
}

function readTail(path) {
  const size = statSync(path).size
  const fd = openSync(path, 'r')
  readSync(fd, Buffer.alloc(512), 0, 512, Math.max(0, size - 512))
  closeSync(fd)
}

/** The time until work can go on: the session is claimed, and its state known. The rest of loading is not counted. */
async function open(directory, id) {
  const store = new FileSessionStore({ directory })
  let ms
  const claim = async (...args) => {
    const start = performance.now()
    const claimed = await store.claim(...args)
    fold(claimed.events, claimed.state)
    ms = performance.now() - start
    return claimed
  }
  const session = await Session.load({ claim }, id, { environment: systemEnvironment() })
  await session.close()
  return ms
}

async function load(directory, id) {
  let session
  const ms = await timed(async () => {
    session = await Session.load(new FileSessionStore({ directory }), id, { environment: systemEnvironment() })
  })
  await session.close()
  return ms
}

/** Peak memory of a process that does nothing else, in MiB. */
function openElsewhere(directory) {
  const program = fileURLToPath(new URL('open-once.mjs', import.meta.url))
  return Number(execFileSync(process.execPath, [...process.execArgv, program, directory], { encoding: 'utf8' }))
}
