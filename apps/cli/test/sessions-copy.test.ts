import { rmSync, readdirSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ownerOf, readSession, Session, type SessionStore } from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import { PostgresSessionStore } from '@loader/session-postgres'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { anyInstallation, Server } from '@loader/test-postgres'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CopyOutput } from '../src/schemas/sessions-copy.ts'
import { copySession } from '../src/sessions/copy-session.ts'
import { loader } from './written/fake-console.ts'
import { storeIn } from './written/store-in.ts'

let server: Server
beforeAll(async () => {
  server = await Server.start(anyInstallation())
})
afterAll(() => server.dispose())

const odd = `漢字かな交じり文 🦊 half a pair: \ud83e. "quotes" \\ \u0000 and \u2028`
const long = `${odd}\n`.repeat(3_000)

let workspace: TemporaryWorkspace
let tenant: string
let database: PostgresSessionStore
let address: string
beforeEach(async () => {
  workspace = await temporaryWorkspace()
  tenant = randomUUID()
  address = `${server.address}?tenant=${tenant}`
  database = new PostgresSessionStore(server.address, { tenant })
})
afterEach(async () => {
  await database.close()
  await workspace.dispose()
})

const run = (...words: readonly string[]) => loader(words, { folder: workspace.root })

/** A session with every kind of text, of several claims, and a fork of it. */
async function written(store: SessionStore, id: string): Promise<void> {
  const environment = systemEnvironment()
  const project = { root: workspace.root }
  const session = await Session.open(store, { environment, id, title: `Title ${odd.slice(0, 8)}`, project })
  await session.append({ type: 'input.queued', inputId: 'in_1', text: await session.storeText(long) })
  await session.append({ type: 'input.queued', inputId: 'in_2', text: await session.storeText('x'.repeat(50_000)) })
  await session.append({ type: 'custom.recorded', name: 'odd', data: { [odd]: [odd, 1e21, null] } })
  await session.close()
  for (const _ of [1, 2, 3]) await (await Session.load(store, id, { environment })).close()
}

const historyOf = async (store: SessionStore, id: string) => JSON.stringify((await readSession(store, id)).history)

describe('sessions copy', () => {
  test('into a database and out of it again is the same, with long texts and forks, and the copy goes on', async () => {
    const files = storeIn(workspace.root)
    await written(files, 'one')
    const fork = await files.fork('one', 4, { environment: systemEnvironment() })
    const before = await historyOf(files, 'one')
    const to = await run('sessions', 'copy', '--all', '--to', address, '--json')
    expect(to.err).toBe('')
    const output = CopyOutput.parse(JSON.parse(to.out))
    expect(output).toEqual(JSON.parse(to.out))
    expect(output).toMatchObject({ from: 'files', refused: 0 })
    expect(output.sessions).toHaveLength(2)
    expect(output.sessions.map(({ outcome }) => outcome)).toEqual(['copied', 'copied'])
    expect(await historyOf(database, 'one')).toBe(before)
    expect(await historyOf(database, fork.id)).toBe(await historyOf(files, fork.id))
    expect((await database.verify('one')).intact).toBe(true)

    // Elsewhere, it goes on under a claim above those that came with it, and comes back.
    const renamed = await run('rename', '新しい題', 'one', '--store', address)
    expect(renamed).toMatchObject({ code: 0, err: '' })
    await files.delete('one', { erase: true })
    const back = await run('sessions', 'copy', 'one', '--from', address)
    expect(back).toMatchObject({ code: 0, err: '' })
    expect(await historyOf(files, 'one')).toBe(await historyOf(database, 'one'))
    expect((await readSession(files, 'one')).state.title).toBe('新しい題')
    const named = (await readSession(files, 'one')).history.flatMap((event) =>
      event.type === 'input.queued' ? [(event as { text: { blob: string } }).text.blob] : [],
    )
    expect(await files.readBlob('one', named[0] ?? '')).toBe(long)
    expect(await run('rename', 'again', 'one')).toMatchObject({ code: 0, err: '' })
  })

  test('takes images along, byte for byte and both ways, and none that no event names', async () => {
    const files = storeIn(workspace.root)
    const image = Buffer.from(Array.from({ length: 90_000 }, (_, index) => (index * 31) % 256)).toString('base64')
    const session = await Session.open(files, {
      environment: systemEnvironment(),
      id: 'seen',
      project: { root: workspace.root },
    })
    const { blob, bytes } = await session.blobs.put(image)
    const source = { kind: 'base64' as const, data: { blob, bytes, excerpt: '' } }
    await session.append({
      type: 'input.queued',
      inputId: 'in_1',
      text: 'Look.',
      files: [{ type: 'file', mediaType: 'image/png', source }],
    })
    await session.blobs.put(`${image}AAAA`)
    await session.close()
    const before = await historyOf(files, 'seen')
    const to = CopyOutput.parse(JSON.parse((await run('sessions', 'copy', 'seen', '--to', address, '--json')).out))
    await files.delete('seen', { erase: true })
    expect(await database.readBlob('seen', blob)).toBe(image)
    expect(await database.verify('seen')).toMatchObject({ intact: true, findings: [] })
    const back = CopyOutput.parse(JSON.parse((await run('sessions', 'copy', 'seen', '--from', address, '--json')).out))
    expect(back.sessions[0]?.sha256).toBe(to.sessions[0]?.sha256)
    expect(await historyOf(files, 'seen')).toBe(before)
    expect(readdirSync(join(files.directory, 'seen.blobs'))).toEqual([blob])
    expect(await files.readBlob('seen', blob)).toBe(image)
    expect(await files.verify('seen')).toMatchObject({ intact: true, findings: [] })
  })

  test('of what is there already changes nothing, and refuses what differs', async () => {
    const files = storeIn(workspace.root)
    await written(files, 'one')
    await run('sessions', 'copy', 'one', '--to', address)
    expect((await run('sessions', 'copy', 'one', '--to', address)).out).toContain('there already, the same')
    await run('rename', 'Later', 'one')
    const there = await historyOf(database, 'one')
    const older = await run('sessions', 'copy', 'one', '--to', address)
    expect(older.code).toBe(1)
    expect(older.err).toMatch(/an older copy of it, up to event \d+ of \d+.*loader fork one/s)
    await run('rename', 'Otherwise', 'one', '--store', address)
    expect((await run('sessions', 'copy', 'one', '--to', address)).err).toMatch(/another one, which differs from event/)
    expect((await historyOf(database, 'one')).startsWith(there.slice(0, -1))).toBe(true)
  })

  test('refuses a session that is damaged or held, says what to do, and copies the others', async () => {
    const files = storeIn(workspace.root)
    for (const id of ['sound', 'broken', 'held']) await written(files, id)
    const blobs = join(files.directory, 'broken.blobs')
    rmSync(join(blobs, readdirSync(blobs)[0] ?? ''))
    const { writer } = await files.claim('held', { owner: ownerOf('Rival'), expect: 'existing' })
    const { code, out, err } = await run('sessions', 'copy', 'broken', 'held', 'sound', '--to', address, '--json')
    expect(code).toBe(6)
    expect(err).toMatch(/Session broken is damaged, so it was not copied.*loader verify broken.*--repair/)
    expect(err).toMatch(/Session held is held by process \d+ on .+ \(rival\)/)
    expect(JSON.parse(out).sessions).toMatchObject([
      { id: 'broken', outcome: 'refused', sha256: null },
      { id: 'held', outcome: 'refused' },
      { id: 'sound', outcome: 'copied', reason: null },
    ])
    await writer.release()
    expect((await database.list()).rows.map(({ id }) => id)).toEqual(['sound'])
  })

  test('refuses damage in the database as well', async () => {
    await written(database, 'one')
    const plain = new pg.Client({ connectionString: server.address })
    await plain.connect()
    await plain.query(`delete from loader.event where tenant = $1 and seq = 3`, [tenant])
    await plain.end()
    const { code, err } = await run('sessions', 'copy', 'one', '--from', address)
    expect(code).toBe(6)
    expect(err).toContain('Session one is damaged')
    await expect(readSession(storeIn(workspace.root), 'one')).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test.each([
    ['reads back otherwise', 'storage_refused'],
    ['cannot be stored to its end', 'storage_full'],
  ])('leaves nothing of a copy that %s', async (how, code) => {
    const files = storeIn(workspace.root)
    await written(database, 'one')
    const restore: typeof files.restore = async (history) => {
      if (code === 'storage_full') throw Object.assign(new Error('no space'), { code })
      const events = history.events.map((event) =>
        event.type === 'custom.recorded' ? { ...event, data: 'something else' } : event,
      )
      return files.restore({ ...history, events })
    }
    const broken = new Proxy(files, {
      get(target, key) {
        if (key === 'restore') return restore
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await expect(copySession(database, broken, 'one')).rejects.toMatchObject({ code })
    await expect(readSession(files, 'one')).rejects.toMatchObject({ code: 'session_not_found' })
    expect((await files.list({ check: true })).rows).toEqual([])
    expect(await copySession(database, files, 'one')).toMatchObject({ outcome: 'copied' })
    expect(await historyOf(files, 'one')).toBe(await historyOf(database, 'one'))
  })

  test('needs to know where, and which', async () => {
    expect((await run('sessions', 'copy', '--all')).err).toContain('--to postgres://')
    expect((await run('sessions', 'copy', '--to', address)).err).toContain('--all')
    const wrong = await run('sessions', 'copy', '--all', '--to', 'mysql://me:secretword@here/db')
    expect(wrong.code).toBe(2)
    expect(wrong.err).not.toContain('secretword')
  })
})
