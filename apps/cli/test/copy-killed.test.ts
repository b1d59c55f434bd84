import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { readSession, Session, type SessionStore } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { PostgresSessionStore } from '@loader/session-postgres'
import { temporaryWorkspace } from '@loader/test-harness'
import { anyInstallation, Server } from '@loader/test-postgres'
import { sample, tier, times } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copySession } from '../src/sessions/copy-session.ts'

let server: Server
beforeAll(async () => {
  server = await Server.start(anyInstallation())
})
afterAll(() => server.dispose())

/** Large enough to be written in several parts wherever something is written in parts. */
const large = { events: times({ quick: 2, ci: 16 }), bytes: 600_000 }
const long = 'A long text with half a pair: \ud83e. '.repeat(2_000)

async function written(store: SessionStore, id: string): Promise<void> {
  const environment = systemEnvironment()
  const session = await Session.open(store, { environment, id, title: 'To be copied' })
  await session.append({ type: 'input.queued', inputId: 'in_1', text: await session.storeText(long) })
  await session.append({ type: 'input.queued', inputId: 'in_2', text: await session.storeText(`${long}!`) })
  for (let count = 0; count < large.events; count += 1) {
    await session.append({ type: 'custom.recorded', name: 'large', data: 'x'.repeat(large.bytes) })
  }
  await session.close()
}

/** `children/copy.ts`, which kills itself at its call number `at` to the file system or the database. */
async function copiedUntil(at: number, address: string, tenant: string, folder: string, to: 'files' | 'database') {
  const path = fileURLToPath(new URL('children/copy.ts', import.meta.url))
  const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']
  const words = [...options, path, String(at), address, tenant, folder, to]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  expect({ code, signal, said }).toEqual(
    signal === null ? { code: 0, signal, said } : { code: null, signal: 'SIGKILL', said: '' },
  )
  return signal === null ? Number(said) : undefined
}

async function digestOf(store: SessionStore): Promise<string> {
  const { history } = await readSession(store, 'one')
  return `${history.length} events, ${createHash('sha256').update(JSON.stringify(history)).digest('hex')}`
}

describe.each(['files', 'database'] as const)('a copy into %s that is killed', (to) => {
  test('leaves all of the session or nothing, and a second run completes it', { timeout: 3_600_000 }, async () => {
    await using workspace = await temporaryWorkspace()
    const folder = workspace.path('sessions')
    const files = () => new FileSessionStore({ directory: folder })
    const origin = randomUUID()
    await using inDatabase = new PostgresSessionStore(server.address, { tenant: origin })
    await written(to === 'files' ? inDatabase : files(), 'one')
    const whole = await digestOf(to === 'files' ? inDatabase : files())
    const attempt = async (at: number, tenant: string, place: string) =>
      copiedUntil(at, server.address, tenant, place, to)
    const scene = async (at: number) => {
      const tenant = to === 'files' ? origin : randomUUID()
      const place = to === 'files' ? workspace.path(`copy-${at}`) : folder
      const calls = await attempt(at, tenant, place)
      const store =
        to === 'files'
          ? new FileSessionStore({ directory: place })
          : new PostgresSessionStore(server.address, { tenant })
      const source = to === 'files' ? inDatabase : files()
      try {
        const listed = (await store.list()).rows.map(({ id }) => id)
        expect((await store.list({ check: true })).rows.map(({ id }) => id)).toEqual(listed)
        const outcome = listed.length === 0 ? 'copied' : 'there'
        if (outcome === 'there') {
          expect(await digestOf(store)).toBe(whole)
          expect((await store.verify('one')).intact).toBe(true)
        } else await expect(readSession(store, 'one')).rejects.toMatchObject({ code: 'session_not_found' })
        expect(await copySession(source, store, 'one')).toMatchObject({ outcome })
        expect(await digestOf(store)).toBe(whole)
        expect(await store.verify('one')).toMatchObject({ intact: true })
        const { writer } = await store.claim('one', { owner: { type: 'Agent', path: 'agent' }, expect: 'existing' })
        await writer.release()
        return { calls, outcome }
      } finally {
        if (store instanceof PostgresSessionStore) await store.close()
      }
    }
    const all = await scene(Number.MAX_SAFE_INTEGER)
    const moments = Array.from({ length: all.calls ?? 0 }, (_, index) => index + 1)
    expect(moments.length).toBeGreaterThan(20)
    const outcomes = new Set<string>()
    for (const at of sample(moments, { quick: 1, ci: 8 })) outcomes.add((await scene(at)).outcome)
    // Killed early there is nothing, and killed late there is all of it.
    if (tier !== 'quick') expect(outcomes).toEqual(new Set(['copied', 'there']))
  })
})
