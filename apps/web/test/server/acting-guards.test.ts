import { once } from 'node:events'
import { connect } from 'node:net'
import { MemoryStore } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { type ActName, actNames } from '../../src/acts.ts'
import { paths } from '../../src/protocol.ts'
import { appOf, type AppOptions } from '../../src/server/app.ts'
import { ActRefused } from '../../src/server/acting/act-refused.ts'
import { Keys } from '../../src/server/guards/keys.ts'
import type { Acting } from '../../src/server/ports/acting.ts'
import { OpenStreams } from '../../src/server/streams/open-streams.ts'
import { asked, loggedIn } from '../stage/asked.ts'
import { type Overrides, served, storeWithSession } from '../stage/served.ts'
import { sessionsOf } from '../stage/sessions-of.ts'

/** Everything that was carried out, by name. */
function actingInto(done: string[], act: () => Promise<object> = () => Promise.resolve({ state: 'recorded' })): Acting {
  const run = (name: ActName) => () => {
    done.push(name)
    return act()
  }
  const all = Object.fromEntries(actNames.map((name) => [name, run(name)]))
  return { act: all as unknown as Acting['act'], fleet: () => Promise.resolve(undefined) }
}

/** What can be understood of each act. */
const bodies: { readonly [Name in ActName]: object } = {
  send: { session: 'ses_1', text: 'Do it.' },
  queue: { session: 'ses_1', text: 'Do it.' },
  stop: { session: 'ses_1', turnId: 'turn_1' },
  continue: { session: 'ses_1' },
  answer: { session: 'ses_1', questionId: 'q_1', shown: 'abc', answer: { kind: 'words', words: 'Yes.' } },
  rename: { session: 'ses_1', title: 'Other' },
  fork: { session: 'ses_1' },
  'accept-preview': { session: 'ses_1' },
  accept: { session: 'ses_1', token: 'abc' },
  'rewind-preview': { session: 'ses_1', turn: 'turn_1', files: true },
  rewind: { session: 'ses_1', turn: 'turn_1', files: true, token: 'abc' },
  unpark: { session: 'ses_1' },
}

const request = 'request-0123456789'
const bodyOf = (name: ActName) => JSON.stringify({ request, ...bodies[name] })

/** Every route that the server answers to another method than GET, as its router has them. */
function changingRoutes(): readonly { readonly method: string; readonly path: string }[] {
  const options: AppOptions = {
    sessions: sessionsOf(new MemoryStore()),
    acting: actingInto([]),
    keys: new Keys('a-token-of-this-test'),
    page: { document: '', script: '', style: '', build: '' },
    streams: new OpenStreams(() => undefined),
    address: () => ({ hosts: new Set(), origins: new Set() }),
    about: { version: '', transport: 'loopback', store: '', project: '', readOnly: false, fleet: false },
    instance: '',
    report: () => undefined,
  }
  return appOf(options).routes.filter(({ method }) => method !== 'GET' && method !== 'ALL')
}

const routes = changingRoutes().filter(({ path }) => path !== paths.login)
const named = routes.map(({ path }) => ({ path, name: path.slice(paths.acting.length + 1) as ActName }))

describe('every route that changes something', () => {
  test('is a POST for an act, and every act has one', () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      actNames.map((name) => `POST ${paths.act(name)}`).toSorted(),
    )
  })

  const ways: readonly [string, Overrides, Record<string, string>, number, string][] = [
    ['in a server that only shows', { readOnly: true }, {}, 403, 'read_only'],
    ['under a forged name', {}, { host: 'attacker.example' }, 403, 'refused'],
    ['for a page of another server', {}, { origin: 'https://attacker.example' }, 403, 'refused'],
    ['for a page on another port', {}, { origin: 'http://127.0.0.1:1' }, 403, 'refused'],
    ['for what the browser calls another site', {}, { 'sec-fetch-site': 'same-site' }, 403, 'refused'],
    ['without the cookie', {}, { cookie: '' }, 401, 'not_logged_in'],
    ['without the key', {}, { 'x-loader-key': '' }, 401, 'not_logged_in'],
    ['as a form, which any page can send', {}, { 'content-type': 'text/plain' }, 415, 'invalid'],
  ]
  test.for(ways)('is refused %s', async ([, overrides, more, status, code]) => {
    const done: string[] = []
    await using one = await served(new MemoryStore(), { readOnly: false, acting: actingInto(done), ...overrides })
    const own = { 'content-type': 'application/json', origin: one.origin, ...(await loggedIn(one)) }
    for (const { path, name } of named) {
      const answer = await asked(one.origin, path, { method: 'POST', headers: { ...own, ...more }, body: bodyOf(name) })
      expect({ path, status: answer.status, code: codeIn(answer.text) }).toEqual({ path, status, code })
    }
    expect(done).toEqual([])
  })

  test('is refused by a link, also for the session that it shows', async () => {
    const { store, session } = await storeWithSession()
    const done: string[] = []
    await using one = await served(store, { readOnly: false, acting: actingInto(done) })
    const { text } = await asked(one.origin, paths.link(session.id), { headers: await loggedIn(one) })
    const { fragment } = JSON.parse(text) as { fragment: string }
    const guest = await loggedIn({ origin: one.origin, token: decodeURIComponent(fragment.replace('#token=', '')) })
    const headers = { 'content-type': 'application/json', ...guest }
    for (const { path, name } of named) {
      const body = JSON.stringify({ request, ...bodies[name], session: session.id })
      const answer = await asked(one.origin, path, { method: 'POST', headers, body })
      expect({ path, status: answer.status, code: codeIn(answer.text) }).toEqual({
        path,
        status: 403,
        code: 'read_only',
      })
    }
    for (const path of [paths.export(session.id), paths.fleet])
      expect((await asked(one.origin, path, { headers: guest })).status).toBe(403)
    expect(done).toEqual([])
    await session.close()
  })

  test('is carried out when nothing is in its way, and by no other method', async () => {
    const done: string[] = []
    await using one = await served(new MemoryStore(), { readOnly: false, acting: actingInto(done) })
    const headers = { 'content-type': 'application/json', origin: one.origin, ...(await loggedIn(one)) }
    for (const { path, name } of named) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
        expect((await asked(one.origin, path, { method, headers })).status).toBe(405)
      const body = JSON.stringify({ ...(JSON.parse(bodyOf(name)) as object), request: `${request}-${name}` })
      expect((await asked(one.origin, path, { method: 'POST', headers, body })).status).toBe(200)
    }
    expect(done).toEqual(named.map(({ name }) => name))
  })

  test('does nothing, and reports no fault, when the connection ends in the middle of the body', async () => {
    const done: string[] = []
    await using one = await served(new MemoryStore(), { readOnly: false, acting: actingInto(done) })
    const own = { 'content-type': 'application/json', origin: one.origin, ...(await loggedIn(one)) }
    const headers = Object.entries({
      host: new URL(one.origin).host,
      ...own,
      'content-length': '1000',
      expect: '100-continue',
    })
    const path = paths.act('send')
    const head = [`POST ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
    const socket = connect(one.server.port, '127.0.0.1')
    socket.write(head)
    // The server has read the head, and waits for the body.
    await once(socket, 'data')
    socket.end(bodyOf('send').slice(0, 20))
    await once(socket, 'close')
    for (let more = 0; more < 10; more += 1) {
      expect((await asked(one.origin, path, { method: 'POST', headers: own, body: '{' })).status).toBe(400)
    }
    expect({ done, faults: one.faults }).toEqual({ done: [], faults: [] })
  })

  test('understands exactly what it is for', async () => {
    const done: string[] = []
    await using one = await served(new MemoryStore(), { readOnly: false, acting: actingInto(done) })
    const headers = { 'content-type': 'application/json', ...(await loggedIn(one)) }
    const status = async (path: string, body: unknown) =>
      (
        await asked(one.origin, path, {
          method: 'POST',
          headers,
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
      ).status
    for (const { path, name } of named) {
      const good = { request, ...bodies[name] }
      const wrong = [
        '',
        '{',
        'null',
        '[]',
        bodies[name],
        { ...good, request: 'short' },
        { ...good, request: [request] },
        { ...good, session: '../../etc/passwd' },
        { ...good, session: { id: 'ses_1' } },
        { ...good, more: true },
        { ...good, __proto__: null, constructor: 1 },
      ]
      for (const body of wrong)
        expect({ path, body, status: await status(path, body) }).toEqual({ path, body, status: 400 })
      expect(await status(path, { ...good, text: 'x'.repeat(600_000) })).toBe(413)
    }
    expect(await status(paths.act('send'), { request, text: 'Do it.' })).toBe(400)
    expect(await status(paths.act('send'), { request, text: ' ', session: 'ses_1' })).toBe(400)
    expect(done).toEqual([])
  })
})

describe('a request that is sent again', () => {
  test('is carried out once, and answered alike; one that was refused may be tried again', async () => {
    const done: string[] = []
    let isRefused = true
    const act = () =>
      isRefused
        ? Promise.reject(new ActRefused('too_soon', 'Too soon.'))
        : Promise.resolve({ session: 'ses_1', state: 'recorded' })
    await using one = await served(new MemoryStore(), { readOnly: false, acting: actingInto(done, act) })
    const headers = { 'content-type': 'application/json', ...(await loggedIn(one)) }
    const send = async (body: string, name: ActName = 'stop') => {
      const { status, text } = await asked(one.origin, paths.act(name), { method: 'POST', headers, body })
      return { status, ...(JSON.parse(text) as object) }
    }
    expect(await send(bodyOf('stop'))).toMatchObject({ status: 409, error: { code: 'too_soon' } })
    isRefused = false
    const [first, second] = await Promise.all([send(bodyOf('stop')), send(bodyOf('stop'))])
    const recorded = { status: 200, session: 'ses_1', state: 'recorded' }
    expect([first, second, await send(bodyOf('stop'))]).toEqual([
      recorded,
      { ...recorded, repeated: true },
      { ...recorded, repeated: true },
    ])
    expect(done).toEqual(['stop', 'stop'])
    const other = JSON.stringify({ request, session: 'ses_2', turnId: 'turn_1' })
    expect(await send(other)).toMatchObject({ status: 409, error: { code: 'request_reused' } })
    expect(await send(bodyOf('queue'), 'queue')).toMatchObject({ status: 409, error: { code: 'request_reused' } })
    expect(done).toHaveLength(2)
  })
})

function codeIn(text: string): string {
  return (JSON.parse(text) as { error: { code: string } }).error.code
}
