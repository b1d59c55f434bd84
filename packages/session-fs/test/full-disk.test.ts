import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LoaderError, readSession, Session } from '@loader/session-core'
import { fixedEnvironment, temporaryWorkspace } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type CommitMode, FileSessionStore } from '../src/index.ts'
import { randomNumbers } from './children/events.ts'

const kilobyte = 1024
const sizes = sample(
  Array.from({ length: 14 }, (_unused, index) => (256 + index * 64) * kilobyte),
  { quick: 4 },
)

/** Why there is no small disk to fill; undefined when there is one. */
const obstacle = tryToMount()

function tryToMount(): string | undefined {
  const directory = join(tmpdir(), `loader-mount-${process.pid}`)
  mkdirSync(directory, { recursive: true })
  try {
    mount(directory, 64 * kilobyte)
    unmount(directory)
    return undefined
  } catch (error) {
    return `a small file system cannot be mounted here, only root may (${String(error).split('\n')[0]})`
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function mount(directory: string, bytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory], { stdio: 'pipe' })
}

function unmount(directory: string): void {
  execFileSync('umount', ['-l', directory], { stdio: 'pipe' })
}

/** A disk that is too small, with things on it that can be removed: one at a time, while there are any. */
async function onSmallDisk(
  bytes: number,
  work: (directory: string, makeSpace: () => boolean) => Promise<void>,
): Promise<void> {
  await using workspace = await temporaryWorkspace()
  const directory = workspace.path('small')
  mkdirSync(directory)
  mount(directory, bytes)
  try {
    const ballast = [1, 2, 3].map((number) => join(directory, `ballast-${number}`))
    for (const path of ballast) writeFileSync(path, Buffer.alloc(64 * kilobyte))
    await work(join(directory, 'sessions'), () => {
      const path = ballast.pop()
      if (path !== undefined) rmSync(path)
      return path !== undefined
    })
  } finally {
    unmount(directory)
  }
}

/** Opens a session, making space for as long as there is none. */
async function openOrLoad(
  store: FileSessionStore,
  makeSpace: () => boolean,
): Promise<{ session: Session; refusals: number }> {
  const environment = fixedEnvironment()
  for (let refusals = 0; ; refusals += 1) {
    try {
      const isThere = (await store.list({ check: true })).rows.length > 0
      const session = isThere
        ? await Session.load(store, 'one', { environment })
        : await Session.open(store, { environment, id: 'one' })
      return { session, refusals }
    } catch (error) {
      expect(LoaderError.is(error, 'storage_full'), `${String(error)}`).toBe(true)
      expect(makeSpace(), 'there is nothing left to remove').toBe(true)
    }
  }
}

/** Appends until it is refused; returns the error. */
async function fill(session: Session, random: () => number): Promise<unknown> {
  for (let count = 0; count < 10_000; count += 1) {
    const data = 'x'.repeat(200 + Math.floor(random() * 2500))
    try {
      await session.append({ type: 'custom.recorded', name: 'filling', data })
      if (count % 7 === 6) await session.save()
    } catch (error) {
      return error
    }
  }
  return undefined
}

async function requireAgreement(store: FileSessionStore, session: Session): Promise<void> {
  const { state, history } = await readSession(store, session.id)
  expect(history.length).toBe(session.state.seq)
  expect(JSON.stringify(state)).toBe(JSON.stringify(session.state))
  const checked = (await store.list({ check: true })).rows
  expect(checked.map(({ id, seq }) => [id, seq])).toEqual([[session.id, session.state.seq]])
  const listed = (await store.list()).rows
  expect(listed.map(({ id }) => id)).toEqual([session.id])
}

describe.skipIf(obstacle !== undefined)(`a full disk${obstacle ? `: ${obstacle}` : ''}`, () => {
  test.each<CommitMode>(sample(['pool', 'inline'], { quick: 1 }))(
    'refuses what does not fit, and lets a turn end (%s)',
    async (commit) => {
      const count = { sizes: 0, refusedAtOpening: 0, refusals: 0, endings: 0, goneOn: 0, events: 0 }
      for (const bytes of sizes) {
        await onSmallDisk(bytes, async (directory, makeSpace) => {
          const store = new FileSessionStore({ directory }, { commit, rotateAfterBytes: 8 * kilobyte })
          const random = randomNumbers(bytes)
          const { session, refusals } = await openOrLoad(store, makeSpace)
          count.sizes += 1
          count.refusedAtOpening += refusals
          await session.append({ type: 'input.queued', inputId: 'input', text: 'Fill the disk.' })
          await session.append({ type: 'turn.started', turnId: 'turn', inputId: 'input' })
          const refused = await fill(session, random)
          expect(LoaderError.is(refused, 'storage_full'), `${String(refused)}`).toBe(true)
          expect(String(refused)).toMatch(/no space left .* Free some space/)
          count.refusals += 1
          await requireAgreement(store, session)

          // Small events still go through, and the turn ends.
          const before = session.state.seq
          for (let small = 0; small < 5; small += 1) {
            await session.append({ type: 'custom.recorded', name: 'small', data: 'x'.repeat(500) })
          }
          await session.append({ type: 'turn.finished', turnId: 'turn', reason: 'storage_full' })
          expect(session.state.seq).toBe(before + 6)
          count.endings += 1
          await requireAgreement(store, session)
          JSON.parse(readFileSync(join(directory, 'one.json'), 'utf8'))
          expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([])

          if (makeSpace()) {
            await goOn(session)
            await requireAgreement(store, session)
            expect((await store.list()).rows[0]?.seq).toBe(session.state.seq)
            // Full again: there is a reserve again as well.
            expect(LoaderError.is(await fill(session, random), 'storage_full')).toBe(true)
            await session.append({ type: 'input.queued', inputId: 'last', text: 'x'.repeat(2000) })
            count.goneOn += 1
          }
          const { seq } = session.state
          count.events += seq
          await closeOnFullDisk(session)
          const { history } = await readSession(new FileSessionStore({ directory }), 'one')
          expect(history.length).toBe(seq)
        })
      }
      console.log(`${commit}:`, count)
    },
  )
})

async function goOn(session: Session): Promise<void> {
  for (let more = 0; more < 20; more += 1) {
    await session.append({ type: 'custom.recorded', name: 'more', data: 'x'.repeat(500) })
  }
  await session.save()
}

/** What cannot be saved any more is in the journal. */
async function closeOnFullDisk(session: Session): Promise<void> {
  try {
    await session.close()
  } catch (error) {
    if (!LoaderError.is(error, 'storage_full')) throw error
  }
}
