import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { atMost, shown } from './figure.mjs'
import { rounds, timed } from './rounds.mjs'
import { idsOf, writeIndex } from './rows.mjs'

const environment = systemEnvironment()
const [few, many] = [10, 10_000]

/** The cost of work on one session, with many other sessions in its folder and with few. */
export async function crowdFigures(folder) {
  const crowds = { few: await crowdOf(folder, few), many: await crowdOf(folder, many) }
  const { medianMs, ratio } = await rounds(
    40,
    Object.fromEntries(
      Object.entries(crowds).flatMap(([size, directory]) =>
        Object.entries(works).map(([name, work]) => [
          `${name} ${size}`,
          (round) => work(directory, `own_${name}_${round}`),
        ]),
      ),
    ),
  )
  return Object.keys(works).flatMap((name) => [
    shown(`to ${name} a session among 10,000 others`, medianMs[`${name} many`], 'ms'),
    atMost(`to ${name} a session, among 10,000 others to among 10`, ratio(`${name} many`, `${name} few`), 'x', 1.5),
  ])
}

/** Each as a process does it that has just begun: with a store that has seen nothing yet. */
const works = {
  async make(directory, id) {
    let session
    const ms = await timed(async () => {
      session = await Session.open(new FileSessionStore({ directory }), { environment, id })
    })
    await session.close()
    return ms
  },
  async open(directory, id) {
    await made(directory, id)
    let session
    const ms = await timed(async () => {
      session = await Session.load(new FileSessionStore({ directory }), id, { environment })
    })
    await session.close()
    return ms
  },
  async fork(directory, id) {
    await made(directory, id)
    return timed(() => new FileSessionStore({ directory }).fork(id, undefined, { id: `${id}_copy`, environment }))
  },
  async delete(directory, id) {
    await made(directory, id)
    return timed(() => new FileSessionStore({ directory }).delete(id))
  },
}

async function made(directory, id) {
  const session = await Session.open(new FileSessionStore({ directory }), { environment, id })
  await session.append({ type: 'session.titled', title: 'Work', by: 'user' })
  await session.close()
}

/** A folder with so many sessions, all with the same files: no work reads them. */
async function crowdOf(folder, count) {
  const directory = join(folder, `crowd-${count}`)
  mkdirSync(directory)
  const ids = idsOf(count)
  const [first, ...others] = ids
  await made(directory, first)
  const files = readdirSync(directory).filter((name) => name.startsWith(first))
  for (const id of others)
    for (const name of files) copyFileSync(join(directory, name), join(directory, name.replace(first, id)))
  writeIndex(directory, ids)
  return directory
}
