import { Hono } from 'hono'
import * as z from 'zod'
import { assertSessionId, LoaderError } from '@loader/session-core'
import {
  type Hello,
  keyHeader,
  type LinkAnswer,
  type LoginAnswer,
  paths,
  protocolVersion,
  type Scope,
} from '../protocol.ts'
import { actRoutes } from './act-routes.ts'
import { type OwnAddress, strayed } from './guards/address.ts'
import { safeHeaders } from './guards/headers.ts'
import type { Keys } from './guards/keys.ts'
import { barred } from './guards/may-change.ts'
import { smallJson } from './guards/small-body.ts'
import type { PageFiles } from './page-files.ts'
import type { Acting } from './ports/acting.ts'
import type { ServedSession, ServedSessions } from './ports/served-sessions.ts'
import { diffRequest, eventsRequest, exportRequest, listRequest } from './queries.ts'
import { failed, refused } from './refusals.ts'
import { listFrames } from './streams/list-frames.ts'
import type { OpenStreams } from './streams/open-streams.ts'
import { sessionFrames } from './streams/session-frames.ts'

/** What the routes need. */
export interface AppOptions {
  readonly sessions: ServedSessions
  /** Absent: it only shows. */
  readonly acting: Acting | undefined
  readonly keys: Keys
  readonly page: PageFiles
  readonly streams: OpenStreams
  /** Known once the server listens. */
  readonly address: () => OwnAddress
  readonly about: Pick<Hello, 'version' | 'transport' | 'store' | 'project' | 'readOnly' | 'fleet'>
  /** Another one after each start. */
  readonly instance: string
  /** Told of what no route expected. */
  readonly report: (error: unknown) => void
}

type Env = { Variables: { scope: Scope } }

const Login = z.object({ token: z.string().min(1).max(1_000) })

const mostInBody = 64 * 1024

/**
 * Everything that the server answers. In this order: safe headers on every answer, the address, the page, the login,
 * and behind the login all else.
 */
export function appOf(options: AppOptions): Hono<Env> {
  const { address, report } = options
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(safeHeaders)) c.res.headers.set(name, value)
  })
  app.use(async (c, next) => {
    const isPage = !c.req.path.startsWith('/api/')
    const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => c.req.header(name))
    // The page itself says nothing of any session, and may be reached by a link.
    const why = strayed({ host, origin, site: isPage ? undefined : site }, address())
    return why === undefined ? next() : refused(403, 'refused', why)
  })
  app.onError((error) => {
    if (!LoaderError.is(error)) report(error)
    return failed(error)
  })
  app.notFound(() => refused(404, 'not_found', 'There is nothing at this address.'))
  servePage(app, options)
  login(app, options)
  requireLogin(app, options)
  requireMayChange(app, options)
  reading(app, options)
  if (options.acting !== undefined) actRoutes(app, options.acting)
  return app
}

function servePage(app: Hono<Env>, { page }: AppOptions): void {
  const file = (path: string, type: string, text: string) =>
    app.get(path, () => new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } }))
  file('/', 'text/html', page.document)
  file('/page.js', 'text/javascript', page.script)
  file('/page.css', 'text/css', page.style)
  app.get('/favicon.ico', () => new Response(null, { status: 204 }))
}

function login(app: Hono<Env>, { keys, about }: AppOptions): void {
  app.post(paths.login, async (c) => {
    const body = Login.safeParse(await smallJson(c.req.raw, mostInBody))
    const scope = body.success ? keys.scopeOf(body.data.token) : undefined
    if (scope === undefined)
      return refused(401, 'wrong_token', 'This is not the token of this server. It prints its address when it starts.')
    const { name, value } = keys.cookie(scope)
    const secure = about.transport === 'encrypted' ? '; Secure' : ''
    const answer: LoginAnswer = { key: keys.key(scope), scope }
    return c.json(answer, 200, { 'set-cookie': `${name}=${value}; Path=/api; HttpOnly; SameSite=Strict${secure}` })
  })
}

function requireLogin(app: Hono<Env>, { keys }: AppOptions): void {
  app.use('/api/*', async (c, next) => {
    const scope = keys.admitted(c.req.header(keyHeader) ?? '', cookiesIn(c.req.header('cookie')))
    if (scope === undefined) return refused(401, 'not_logged_in', 'Open the address that the server has printed.')
    c.set('scope', scope)
    return next()
  })
}

function cookiesIn(header = ''): ReadonlyMap<string, string> {
  const pairs = header.split(/; */).map((pair) => pair.split('=', 2) as [string, string?])
  return new Map(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

function reading(app: Hono<Env>, { sessions, acting, keys, page, streams, about, instance }: AppOptions): void {
  const opened = { build: page.build, instance }
  app.get(paths.hello, (c) => {
    const hello: Hello = {
      protocol: protocolVersion,
      build: page.build,
      ...about,
      // Who has a link to one session has not to know where the others are.
      ...(c.var.scope.kind === 'session' && { store: '', project: '' }),
      scope: c.var.scope,
      readOnly: about.readOnly || c.var.scope.kind !== 'all',
      now: new Date().toISOString(),
    }
    return c.json(hello)
  })
  const whole = everythingOnly()
  app.get(paths.sessions, whole, async (c) => {
    const query = listRequest(c.req.query())
    return query === undefined ? notUnderstood() : c.json(await sessions.list(query))
  })
  app.get(paths.sessionsStream, whole, (c) => {
    const query = listRequest(c.req.query())
    if (query === undefined || query.search !== undefined) return notUnderstood()
    return streams.answer((signal) => listFrames(sessions, query, signal)) ?? tooMany()
  })
  const ofSession = '/api/sessions/:id'
  const chosen = (id: string, scope: Scope) => sessionFor(sessions, id, scope)
  app.get(ofSession, async (c) => {
    const session = await chosen(c.req.param('id'), c.var.scope)
    return session === undefined ? noSession() : c.json(await session.row())
  })
  app.get(`${ofSession}/events`, async (c) => {
    const id = c.req.param('id')
    const session = await chosen(id, c.var.scope)
    const wanted = eventsRequest(c.req.query())
    if (session === undefined) return noSession()
    if (wanted === undefined) return notUnderstood()
    return streams.answer((signal) => sessionFrames(session, { id, opened, ...wanted }, signal)) ?? tooMany()
  })
  app.get(`${ofSession}/blobs/:name`, async (c) => {
    const { id, name } = c.req.param()
    const session = await chosen(id, c.var.scope)
    if (session === undefined || !/^\w[\w.-]{0,199}$/.test(name)) return noSession()
    // Never as what it may be: a text that a stranger wrote.
    return c.text(await session.store.readBlob(id, name))
  })
  app.get(`${ofSession}/diff`, async (c) => {
    const session = await chosen(c.req.param('id'), c.var.scope)
    const wanted = diffRequest(c.req.query())
    if (session === undefined) return noSession()
    return wanted === undefined ? notUnderstood() : c.json(await session.diff(wanted))
  })
  app.get(`${ofSession}/export`, whole, async (c) => {
    const id = c.req.param('id') ?? ''
    const session = await chosen(id, c.var.scope)
    const format = exportRequest(c.req.query())
    if (session === undefined) return noSession()
    if (format === undefined) return notUnderstood()
    const { text, type } = await session.exported(format)
    // Saved and never shown here: the words of a session are a stranger's.
    const saved = `attachment; filename="${id}.${format === 'markdown' ? 'md' : format}"`
    return new Response(text, { headers: { 'content-type': `${type}; charset=utf-8`, 'content-disposition': saved } })
  })
  app.get(paths.fleet, whole, async (c) => {
    const fleet = await acting?.fleet()
    return fleet === undefined ? refused(404, 'not_found', 'There are no workers here.') : c.json(fleet)
  })
  app.get(`${ofSession}/link`, whole, async (c) => {
    const id = c.req.param('id') ?? ''
    if ((await chosen(id, c.var.scope)) === undefined) return noSession()
    const answer: LinkAnswer = { fragment: `#token=${encodeURIComponent(keys.linkTo(id))}` }
    return c.json(answer)
  })
}

/** No request passes here that would change something and may not, whatever route it is for. */
function requireMayChange(app: Hono<Env>, { about }: AppOptions): void {
  app.use('/api/*', async (c, next) => {
    const why = barred({ method: c.req.method, path: c.req.path }, { readOnly: about.readOnly, scope: c.var.scope })
    return why === undefined ? next() : refused(why.status, why.code, why.message)
  })
}

function everythingOnly() {
  return async (c: { readonly var: { readonly scope: Scope } }, next: () => Promise<void>) =>
    c.var.scope.kind === 'all' ? next() : refused(403, 'refused', 'This link shows one session.')
}

/** A session that this scope may see. A link shows no secrets: it is there to be passed on. */
async function sessionFor(sessions: ServedSessions, id: string, scope: Scope): Promise<ServedSession | undefined> {
  if (scope.kind === 'session' && scope.id !== id) return undefined
  assertSessionId(id)
  const session = await sessions.find(id)
  return scope.kind === 'session' ? session?.redacted() : session
}

function noSession(): Response {
  return refused(404, 'not_found', 'There is no such session here.')
}

function notUnderstood(): Response {
  return refused(400, 'invalid', 'The query cannot be understood.')
}

function tooMany(): Response {
  return refused(503, 'too_many', 'Too many pages follow sessions at once. Close some.')
}
