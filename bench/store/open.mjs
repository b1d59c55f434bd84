import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fold, Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { atMost, shown } from './figure.mjs'
import { replaceAtomically } from './rivals.mjs'
import { rounds, timed } from './rounds.mjs'
import { workday } from './workday.mjs'

const mega = 1_000_000
/** What the first append after a claim puts on the disk before it resolves, at the least. */
const newlines = Buffer.alloc(320 * 1024, '\n')

export async function openFigures(folder) {
  const short = await workday(folder, 'short', mega)
  const long = await workday(folder, 'long', 100 * mega)
  const residentMiB = openElsewhere(long.directory)
  const { medianMs, ratio } = await rounds(60, {
    parse: () => timed(() => JSON.parse(readFileSync(long.head, 'utf8'))),
    lock: (round) => timed(() => placeLock(join(folder, `lock.${round}`))),
    journal: () => timed(() => replaceAtomically(join(folder, 'journal.jsonl'), newlines)),
    short: () => open(short.directory, 'short'),
    long: () => open(long.directory, 'long'),
    load: () => load(long.directory, 'long'),
  })
  return [
    shown('log that is opened', long.written / mega, 'MB'),
    shown('its head', statSync(long.head).size / 1024, 'KiB'),
    shown('open to continue (claim and fold)', medianMs.long, 'ms'),
    atMost('open to continue, 100 MB to 1 MB', ratio('long', 'short'), 'x', 1.3),
    atMost('open to continue to reading and parsing the head', ratio('long', 'parse'), 'x', 3),
    shown('of that, a new file as a lock, put in place with nothing but calls', ratio('lock', 'parse'), 'x'),
    shown('Session.load (claim recorded, head saved) to the same', ratio('load', 'parse'), 'x'),
    shown('of that, a new journal on the disk, written with nothing but calls', ratio('journal', 'parse'), 'x'),
    atMost('resident memory of a process that opened the 100 MB', residentMiB, 'MiB', 120),
  ]
}

function placeLock(path) {
  writeFileSync(`${path}.tmp`, '{}'.padEnd(200), { flag: 'wx' })
  linkSync(`${path}.tmp`, path)
  unlinkSync(`${path}.tmp`)
}

/** What is needed to go on: the session claimed, and its state. The rest of loading is not counted. */
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
