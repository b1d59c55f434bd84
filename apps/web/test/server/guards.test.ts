import { connect } from 'node:net'
import { once } from 'node:events'
import { MemoryStore, Session } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { keyHeader, paths } from '../../src/protocol.ts'
import { asked, loggedIn } from '../stage/asked.ts'
import { served, storeWithSession } from '../stage/served.ts'
import { sessionsOf } from '../stage/sessions-of.ts'

describe('who gets in', () => {
  test('needs the cookie and the key, and both of this server', async () => {
    await using one = await served(new MemoryStore())
    await using other = await served(new MemoryStore())
    const both = await loggedIn(one)
    const { cookie = '', [keyHeader]: key = '' } = both
    const others = await loggedIn(other)
    const status = async (headers: Record<string, string>) => (await asked(one.origin, paths.hello, { headers })).status
    expect(await status(both)).toBe(200)
    expect(await status({ cookie })).toBe(401)
    expect(await status({ [keyHeader]: key })).toBe(401)
    expect(await status({ cookie: others['cookie'] ?? '', [keyHeader]: others[keyHeader] ?? '' })).toBe(401)
    expect(await status({ cookie: others['cookie'] ?? '', [keyHeader]: key })).toBe(401)
    expect(await status({ cookie: cookie.replace(/=.*/, '=all.'), [keyHeader]: 'all.' })).toBe(401)
    // The value of the one is not that of the other, so the cookie alone does not tell the key.
    expect(await status({ cookie, [keyHeader]: cookie.split('=')[1] ?? '' })).toBe(401)
  })

  test('every path but the page and the login refuses those who are not logged in', async () => {
    const { store, session } = await storeWithSession()
    await using one = await served(store)
    const { events, blob, diff, link } = paths
    const closed = [
      paths.hello,
      paths.sessions,
      paths.sessionsStream,
      paths.session(session.id),
      '/api/act/anything',
      '/api/none',
    ]
    for (const path of [...closed, events(session.id), blob(session.id, 'a'), diff(session.id), link(session.id)]) {
      const { status, text } = await asked(one.origin, path)
      expect({ path, status }).toEqual({ path, status: 401 })
      expect(text).not.toContain('One')
    }
    expect((await asked(one.origin, '/')).status).toBe(200)
    await session.close()
  })

  test('a wrong token, an empty one, and none are refused', async () => {
    await using one = await served(new MemoryStore())
    const headers = { 'content-type': 'application/json', origin: one.origin }
    const bodies = [{ token: `${one.token}x` }, { token: '' }, {}, { token: [one.token] }, 'null', '{']
    for (const body of bodies) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await asked(one.origin, paths.login, { method: 'POST', headers, body: text })
      expect({ text, status: answer.status }).toEqual({ text, status: 401 })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('the cookie is for this server alone, and no script can read it', async () => {
    await using one = await served(new MemoryStore())
    const headers = { 'content-type': 'application/json' }
    const login = { method: 'POST', headers, body: JSON.stringify({ token: one.token }) }
    const { headers: answered } = await asked(one.origin, paths.login, login)
    expect(answered['set-cookie']?.[0]).toMatch(
      /^loader_[\w-]{12}=all\.[\w-]{43}; Path=\/api; HttpOnly; SameSite=Strict$/,
    )
  })
})

describe('where a request comes from', () => {
  const strange = [
    ['a name that leads here', { host: 'attacker.example:80' }],
    ['this address without its port', { host: '127.0.0.1' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a page elsewhere', { origin: 'https://attacker.example' }],
    ['a page on another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['a file, or a page in a box', { origin: 'null' }],
    ['what the browser calls another site', { 'sec-fetch-site': 'cross-site' }],
    ['what the browser calls the same site on another port', { 'sec-fetch-site': 'same-site' }],
  ] as const
  test.for(strange)('%s is refused, logged in or not', async ([, headers]) => {
    await using one = await served(new MemoryStore())
    const own = await loggedIn(one)
    expect((await asked(one.origin, paths.hello, { headers: own })).status).toBe(200)
    const { status, text } = await asked(one.origin, paths.hello, { headers: { ...own, ...headers } })
    expect({ status, code: codeIn(text) }).toEqual({ status: 403, code: 'refused' })
    const login = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token: one.token }),
    }
    expect((await asked(one.origin, paths.login, login)).status).toBe(403)
  })

  test('under a forged name not even the page is there', async () => {
    await using one = await served(new MemoryStore())
    expect((await asked(one.origin, '/', { headers: { host: 'attacker.example' } })).status).toBe(403)
    expect(
      (await asked(one.origin, '/', { headers: { host: new URL(one.origin).host.replace('127.0.0.1', 'localhost') } }))
        .status,
    ).toBe(200)
  })
})

describe('what a request may do', () => {
  test('nothing is changed by GET, and nothing at all in a server that only shows', async () => {
    await using one = await served(new MemoryStore())
    const headers = await loggedIn(one)
    const acting = async (method: string, more = {}) => {
      const { status, text } = await asked(one.origin, `${paths.acting}/accept`, {
        method,
        headers: { ...headers, ...more },
      })
      return [status, codeIn(text)]
    }
    for (const method of ['GET', 'PUT', 'DELETE']) expect(await acting(method)).toEqual([405, 'invalid'])
    expect(await acting('POST')).toEqual([403, 'read_only'])
    await using other = await served(new MemoryStore(), { readOnly: false })
    const allowed = await asked(other.origin, `${paths.acting}/accept`, {
      method: 'POST',
      headers: await loggedIn(other),
    })
    expect(allowed.status).toBe(404)
  })

  test('a link opens one session, and nothing but it', async () => {
    const { store, session } = await storeWithSession()
    const other = await Session.open(store, { environment: fixedEnvironment(), id: 'ses_other' })
    await using one = await served(store, { readOnly: false })
    const { text } = await asked(one.origin, paths.link(session.id), { headers: await loggedIn(one) })
    const { fragment } = JSON.parse(text) as { fragment: string }
    const token = decodeURIComponent(fragment.replace('#token=', ''))
    const headers = await loggedIn({ origin: one.origin, token })
    const status = async (path: string, method = 'GET') => (await asked(one.origin, path, { headers, method })).status
    expect(await status(paths.session(session.id))).toBe(200)
    for (const path of [paths.sessions, paths.sessionsStream, paths.link(session.id)])
      expect(await status(path)).toBe(403)
    const hello = await asked(one.origin, paths.hello, { headers })
    expect(JSON.parse(hello.text)).toMatchObject({ readOnly: true, store: '', project: '' })
    expect(await status(paths.session('ses_other'))).toBe(404)
    expect(await status(`${paths.acting}/accept`, 'POST')).toBe(403)
    const forged = token.replace(session.id, 'ses_other')
    await expect(loggedIn({ origin: one.origin, token: forged })).rejects.toThrow('401')
    await Promise.all([session.close(), other.close()])
  })

  test.for(['..%2f..%2fetc%2fpasswd', '%2e%2e', 'a%00b', 'con', 'a'.repeat(300)])(
    'the session %j is no path',
    async (id) => {
      const { store, session } = await storeWithSession()
      const looked: string[] = []
      const sessions = sessionsOf(store)
      const find = (wanted: string) => (looked.push(wanted), sessions.find(wanted))
      await using one = await served(store, { sessions: { ...sessions, find } })
      const headers = await loggedIn(one)
      for (const path of [
        `/api/sessions/${id}`,
        `/api/sessions/${id}/events`,
        `/api/sessions/${session.id}/blobs/${id}`,
      ]) {
        const { status } = await asked(one.origin, path, { headers })
        expect({ path, refused: [400, 404].includes(status) }).toEqual({ path, refused: true })
      }
      for (const path of ['/../package.json', '/%2e%2e/package.json', '/page.js/../../vite.config.ts']) {
        expect((await asked(one.origin, path)).status).toBe(404)
      }
      expect(looked.filter((wanted) => wanted !== session.id)).toEqual([])
      await session.close()
    },
  )
})

test('a stream that fails tells its page, and the server goes on', async () => {
  const sessions = sessionsOf(new MemoryStore())
  await using one = await served(new MemoryStore(), {
    sessions: { ...sessions, list: () => Promise.reject(new TypeError('Nobody expected this.')) },
  })
  const headers = await loggedIn(one)
  const { text } = await asked(one.origin, paths.sessionsStream, { headers })
  expect(text).toBe('event: trouble\ndata: {"code":"failed","message":"The server failed. It is asked again."}\n\n')
  expect(text).not.toContain('expected')
  expect((await asked(one.origin, paths.sessions, { headers })).status).toBe(500)
  expect(one.faults).toHaveLength(2)
  expect((await asked(one.origin, paths.hello, { headers })).status).toBe(200)
})

test('every answer says what the page may do, errors included, and is kept nowhere', async () => {
  await using one = await served(new MemoryStore())
  const headers = await loggedIn(one)
  const answers = await Promise.all([
    asked(one.origin, '/'),
    asked(one.origin, '/page.js'),
    asked(one.origin, '/none'),
    asked(one.origin, paths.hello),
    asked(one.origin, paths.hello, { headers }),
    asked(one.origin, paths.hello, { headers: { host: 'attacker.example' } }),
  ])
  for (const { headers: had } of answers) {
    expect(had['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(had['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(had['content-security-policy']).not.toContain('unsafe')
    expect(had).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store, no-transform',
      'cross-origin-resource-policy': 'same-origin',
    })
  }
})

describe('clients that are a burden', () => {
  test('huge headers are refused, huge bodies are not read, and the server goes on', async () => {
    await using one = await served(new MemoryStore())
    expect((await asked(one.origin, '/', { headers: { padding: 'x'.repeat(32 * 1024) } })).status).toBe(431)
    const body = JSON.stringify({ token: 'x'.repeat(200 * 1024) })
    const login = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect((await asked(one.origin, paths.login, login)).status).toBe(401)
    expect((await asked(one.origin, '/')).status).toBe(200)
  })

  test('one that reads nothing is waited for, and keeps nobody from ending the server', async () => {
    const { store, session } = await storeWithSession()
    const words = 'x'.repeat(20_000)
    for (let number = 0; number < 200; number += 1) {
      await session.append({ type: 'input.queued', inputId: `in_${number}`, text: words })
    }
    const one = await served(store)
    const headers = await loggedIn(one)
    const { port } = new URL(one.origin)
    const socket = connect(Number(port), '127.0.0.1')
    socket.pause()
    const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
    socket.write(`GET ${paths.events(session.id)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    await once(socket, 'connect')
    expect((await asked(one.origin, paths.hello, { headers })).status).toBe(200)
    await one.server.close()
    socket.destroy()
    await session.close()
    expect(one.faults).toEqual([])
  })
})

describe('a server that others can reach', () => {
  test.for([{ host: '0.0.0.0' }, { url: new URL('https://loader.example.org/') }])(
    '%j needs a token of its own, and a good one',
    async (where) => {
      await expect(served(new MemoryStore(), where)).rejects.toThrow('needs a token of your own')
      await expect(served(new MemoryStore(), { ...where, token: 'short' })).rejects.toThrow('at least 20')
      await using one = await served(new MemoryStore(), { ...where, token: 'a-token-of-my-own-0123456789' })
      expect(one.token).toBe('a-token-of-my-own-0123456789')
    },
  )

  test.for([
    [{ host: '127.0.0.1' }, 'loopback'],
    [{ host: '0.0.0.0' }, 'plain'],
    [{ host: '127.0.0.1', url: new URL('https://loader.example.org/') }, 'encrypted'],
    [{ host: '127.0.0.1', url: new URL('http://loader.example.org/') }, 'plain'],
  ] as const)('%j tells its page that it is %s', async ([where, transport]) => {
    await using one = await served(new MemoryStore(), { ...where, token: 'a-token-of-my-own-0123456789' })
    const host = 'url' in where ? where.url.host : `${where.host}:${new URL(one.origin).port}`
    const asOwn = { host }
    const headers = { 'content-type': 'application/json', ...asOwn }
    const login = await asked(one.origin, paths.login, {
      method: 'POST',
      headers,
      body: JSON.stringify({ token: one.token }),
    })
    const [cookie = ''] = (login.headers['set-cookie'] ?? []) as readonly string[]
    expect(cookie.includes('; Secure')).toBe(transport === 'encrypted')
    const { key } = JSON.parse(login.text) as { key: string }
    const own = { ...asOwn, cookie: cookie.split(';')[0] ?? '', [keyHeader]: key }
    expect(JSON.parse((await asked(one.origin, paths.hello, { headers: own })).text)).toMatchObject({ transport })
  })
})

function codeIn(text: string): string {
  return (JSON.parse(text) as { error: { code: string } }).error.code
}
