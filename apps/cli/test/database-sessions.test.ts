import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSession } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { call, line } from '@loader/test-harness'
import { anyInstallation, Server } from '@loader/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseStoreAddress, shownStore } from '../src/settings/store-address.ts'
import { jsonLines, type Stage, stage } from './e2e/stage/stage.ts'
import { webOf } from './e2e/stage/web-of.ts'

let server: Server
beforeAll(async () => {
  server = await Server.start(anyInstallation())
})
afterAll(() => server.dispose())

const password = 'hunter2-hunter2-hunter2'

/** A tenant, which is like a database of its own, and its address with a password that no output may show. */
function tenantOf(): { address: string; store: PostgresSessionStore } {
  const tenant = randomUUID()
  const address = `${server.address.replace('loader@', `loader:${password}@`)}?tenant=${tenant}`
  return { address, store: new PostgresSessionStore(server.address, { tenant }) }
}

async function idOf(one: Stage, words: readonly string[], environment = {}): Promise<string> {
  const { stdout, stderr, code } = await one.run([...words, '--output-format', 'json'], { environment })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return String(jsonLines(stdout)[0]?.['sessionId'] ?? jsonLines(stdout)[0]?.['session_id'])
}

describe('with --store, sessions in a database', () => {
  test('are listed and followed by a page, as those in files are', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    expect(await one.run(['-p', 'Hello!', '--store', address])).toMatchObject({ code: 0 })
    const [row] = (await store.list()).rows
    const id = row?.id ?? ''
    const web = await webOf(one, ['--port', '0', '--store', address])
    expect(await web.json('/api/hello')).toMatchObject({ store: expect.not.stringContaining(password) })
    expect(await web.json('/api/sessions')).toMatchObject({ sessions: [{ id, root: one.project }], total: 1 })
    const stop = new AbortController()
    const seqs: number[] = []
    const following = (async () => {
      for await (const block of web.stream(`/api/sessions/${id}/events`, stop.signal)) {
        const [, seq] = /^id: (\d+)$/m.exec(block) ?? []
        if (seq !== undefined) seqs.push(Number(seq))
      }
    })()
    expect(await one.run(['-p', 'Go on.', '-r', id], { environment: { LOADER_STORE: address } })).toMatchObject({
      code: 0,
    })
    const { history } = await readSession(store, id)
    await expect.poll(() => seqs.length).toBe(history.length)
    expect(seqs).toEqual(history.map(({ seq }) => seq))
    stop.abort()
    await following.catch(() => undefined)
    expect((await web.get('/api/sessions/ses_none/events?until=live')).status).toBe(404)
    web.running.process.kill('SIGINT')
    expect((await web.running.ended).code).toBe(0)
  })

  test('are run, listed, read, renamed, forked, continued and deleted, and nothing of them is in files', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    const run = (...words: readonly string[]) => one.run(words, { environment: { LOADER_STORE: address } })
    const first = await one.run(['-p', 'Hello!', '--store', address])
    expect(first).toMatchObject({ code: 0, stderr: '', stdout: 'Here I am.\n' })
    expect(await one.sessions()).toEqual([])
    const [row] = (await store.list()).rows
    const id = row?.id ?? ''
    expect(row?.project).toBe(one.project)
    expect((await run('sessions')).stdout).toContain(id)
    expect(JSON.parse((await run('sessions', '--json', '--search', 'here i am')).stdout).sessions).toMatchObject([
      { id, root: one.project, matches: [{ role: 'assistant' }] },
    ])
    expect((await run('show')).stdout).toContain('Here I am.')
    expect((await run('rename', 'Named', id)).code).toBe(0)
    expect(JSON.parse((await run('fork', 'Named', '--json')).stdout).from.id).toBe(id)
    expect((await run('-p', 'Go on.', '-r', id)).code).toBe(0)
    expect((await store.list()).rows.find((each) => each.id === id)).toMatchObject({ turns: 2, title: 'Named' })
    for (const words of [
      ['status'],
      ['timeline'],
      ['usage'],
      ['evidence'],
      ['why'],
      ['ledger'],
      ['diff'],
      ['verify'],
    ]) {
      expect({ words, code: (await run(...words)).code }).toEqual({ words, code: 0 })
    }
    expect(await run('delete', id, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('--erase') })
    expect(await run('delete', id, '--yes', '--erase')).toMatchObject({ code: 0 })
    await expect(readSession(store, id)).rejects.toMatchObject({ code: 'session_not_found' })
    expect((await run('show', '--store', 'files')).stderr).toContain('no session in this project')
  })

  test('of other projects are listed with --all, and named by their ids', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    const environment = { LOADER_STORE: address }
    const other = join(one.project, '..', 'other')
    mkdirSync(other)
    await one.run(['-p', 'Hello!'], { environment, folder: other })
    const id = (await store.list()).rows[0]?.id ?? ''
    expect((await one.run(['sessions'], { environment })).stdout).toContain('no sessions in this project')
    expect((await one.run(['sessions', '--all'], { environment })).stdout).toContain(id)
    expect((await one.run(['show'], { environment })).code).not.toBe(0)
    expect((await one.run(['show', id], { environment })).stdout).toContain('Here I am.')
    expect((await one.run(['-p', 'On.', '-c'], { environment })).stderr).toContain('no session to go on with')
    expect((await one.run(['-p', 'On.', '-r', id], { environment })).code).toBe(0)
  })

  test('are where a project says only when the user trusts it', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    one.write('.loader/settings.json', JSON.stringify({ store: address }))
    const before = await one.run(['-p', 'Hello!'])
    expect(before.stderr).toContain('store of')
    expect((await store.list()).rows).toEqual([])
    await one.run(['permissions', 'trust'])
    expect((await one.run(['-p', 'Hello!'])).code).toBe(0)
    expect((await store.list()).rows).toHaveLength(1)
  })

  test('keep the password of the address from everybody', async () => {
    const command = 'env; cat /proc/$PPID/environ 2>/dev/null | head -c 0; echo done'
    await using one = await stage(line('I look.', call('bash', { command })), { ...line('Seen.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    const environment = { LOADER_STORE: address }
    const ran = await one.run(['-p', 'Look.', '--permission-mode', 'danger-full-access'], { environment })
    expect(ran.code).toBe(0)
    const [row] = (await store.list()).rows
    const seen = [
      JSON.stringify((await readSession(store, row?.id ?? '')).history),
      JSON.stringify(one.server.requests),
    ]
    expect(seen[0]).toContain('done')
    for (const words of [
      ['config'],
      ['config', '--json'],
      ['doctor'],
      ['doctor', '--json'],
      ['status', '--json'],
      ['sessions'],
    ]) {
      const { stdout, stderr } = await one.run(words, { environment })
      seen.push(stdout, stderr)
    }
    expect(seen.join('\n')).toContain('sessions are in postgres://loader@127.0.0.1')
    const refused = `postgres://loader:${password}@127.0.0.1:1/postgres`
    for (const words of [['sessions'], ['-p', 'Hello!', '--debug'], ['doctor'], ['show', '--debug']]) {
      const { code, stdout, stderr } = await one.run([...words, '--store', refused])
      expect({ words, code }).toEqual({ words, code: 1 })
      seen.push(stdout, stderr)
    }
    const broken = await one.run(['show', '--store', `postgres://loader:${password}/x@127.0.0.1/postgres`])
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('%2F') })
    seen.push(broken.stderr)
    expect(seen.join('\n')).not.toContain(password)
  })

  test('end a run with 5 when the lease is over and another writer has the session', async () => {
    await using one = await stage(line('I wait.', call('bash', { command: 'touch begun; sleep 600' })))
    const { address, store } = tenantOf()
    await using _ = store
    const running = one.start(['-p', 'Wait.', '--permission-mode', 'danger-full-access'], {
      environment: { LOADER_STORE: address },
    })
    await one.untilThere('begun')
    const [row] = (await store.list()).rows
    const id = row?.id ?? ''
    const { writer } = await store.claim(id, {
      owner: { type: 'Rival', path: 'rival' },
      expect: 'existing',
      takeover: true,
    })
    const before = JSON.stringify((await readSession(store, id)).history)
    expect(await running.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('taken over by rival') })
    expect(JSON.stringify((await readSession(store, id)).history)).toBe(before)
    await writer.release()
  }, 120_000)

  test('that are damaged are examined, and doctor says that they cannot be repaired there', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    const environment = { LOADER_STORE: address }
    expect((await one.run(['-p', 'Hello!'], { environment })).code).toBe(0)
    const id = (await store.list()).rows[0]?.id ?? ''
    const plain = new pg.Client({ connectionString: server.address })
    await plain.connect()
    await plain.query(`delete from loader.event where key = $1 and seq = 5`, [id.toLowerCase()])
    await plain.end()
    expect((await one.run(['verify', id], { environment })).code).toBe(6)
    const doctor = await one.run(['doctor', '--repair', '--json'], { environment })
    expect(doctor.code).toBe(6)
    expect(JSON.parse(doctor.stdout).sessions).toMatchObject([
      { id, intact: false, repaired: null, refused: expect.stringContaining('This store cannot copy what is intact') },
    ])
  })

  test('keep trees of their files from being forgotten', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { address, store } = tenantOf()
    await using _ = store
    await idOf(one, ['-p', 'Hello!']).catch(() => '')
    expect((await one.run(['-p', 'Hello!'], { environment: { LOADER_STORE: address } })).code).toBe(0)
    const mark = join(one.store.directory, '..', 'sessions-elsewhere')
    expect(existsSync(mark) && readFileSync(mark, 'utf8')).toContain('kept in a database')
  })
})

test('a database that cannot be reached is an error, and no list without sessions', async () => {
  await using one = await stage({ ...line('Here I am.') })
  const listed = await one.run(['sessions', '--store', `postgres://me:${password}@127.0.0.1:1/x`])
  expect(listed).toMatchObject({ code: 1, stdout: '' })
  expect(listed.stderr).toContain('PostgreSQL could not be reached')
  expect(listed.stderr).not.toContain(password)
})

test('an address is shown without what is secret in it', () => {
  const shown = 'postgres://me@db.example:5432/work'
  for (const text of [
    'postgresql://me:p%40ss@db.example:5432/work?tenant=a&sslpassword=x',
    'postgres://me:@db.example:5432/work?password=pw',
  ])
    expect(shownStore(text)).toBe(shown)
  expect(shownStore('files')).toBe('files')
  expect(shownStore('me:pw@somewhere')).toBe('***')
  const { connection, tenant, schema, secrets, typed } = parseStoreAddress(
    'postgres://me:p%40ss@h/d?tenant=a%20b&schema=s&sslmode=require',
  )
  expect({ connection, tenant, schema, secrets }).toEqual({
    connection: 'postgres://me:p%40ss@h/d?sslmode=require',
    tenant: 'a b',
    schema: 's',
    secrets: ['p%40ss', 'p@ss'],
  })
  // A command that is to be typed next leads to the same sessions.
  expect(parseStoreAddress(typed)).toMatchObject({ connection: 'postgres://me@h/d', tenant, schema })
  for (const wrong of ['', 'sqlite:///x', 'postgres://u:a/b@h/d', 'postgres:/me:pw@h', 'postgres:me:pw@h']) {
    expect(() => parseStoreAddress(wrong)).toThrow(/must be "files"/)
    expect(wrong === '' ? '***' : shownStore(wrong)).toBe('***')
  }
})
