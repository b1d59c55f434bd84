import { createHash } from 'node:crypto'
import { RuntimeHandle } from '@loader/agent'
import { localEnvironment, localOptions } from '@loader/agent/local'
import { LoaderError, Session, withCapability } from '@loader/session-core'
import { type ActAnswers, type ActBodies, ActRefused, type Request } from '@loader/web/server'
import { noBackend } from '../../run/no-backend.ts'
import { commandOwner } from '../../sessions/owner.ts'
import { type Located, placesOfLocated } from '../sessions/located.ts'
import { requireFree, requireRest } from './delivery.ts'
import { type Desk, found, from } from './desk.ts'
import { sessionIdOf } from './ids.ts'

type Body<Name extends keyof ActBodies> = ActBodies[Name] & Request
type Idle = Pick<RuntimeHandle, 'accept' | 'rewind' | 'rename' | 'session'>

/** Works on a session between two turns, and holds it until the work is done. */
async function between<Result>(session: Located, desk: Desk, work: (agent: Idle) => Promise<Result>): Promise<Result> {
  const { runners, served, standings } = desk
  return runners.alone(session.id, async () => {
    requireRest(await standings.of(session))
    const runner = runners.has(session.id)
    if (runner !== undefined) return work(runner.agent)
    await requireFree(session)
    const { project } = await standings.followed(session).now()
    const places = placesOfLocated(session, project?.root ?? null, served)
    await using agent = new RuntimeHandle(
      localOptions({ backend: noBackend, projectRoot: places.root, project: places.project(), store: session.store }),
    )
    if (!(await agent.resumeSession(session.id))) throw new ActRefused('not_found', `Session ${session.id} is gone.`)
    // Awaited here: the agent is closed when this returns.
    return await work(agent)
  })
}

export async function rename(body: Body<'rename'>, desk: Desk): Promise<ActAnswers['rename']> {
  const { session: id } = body
  const session = await found(id, desk)
  return desk.runners.alone(id, async () => {
    // The title may have been changed again since the rename was recorded.
    if (await hasHeard(body, session, desk)) return { session: id, state: 'recorded', repeated: true }
    const runner = desk.runners.has(id)
    if (runner === undefined) await requireFree(session)
    await (runner?.agent.rename(body.title.trim(), { via: viaOf(body) }) ?? titled(session, body))
    return { session: id, state: 'recorded' }
  })
}

async function hasHeard({ request }: Request, session: Located, { standings }: Desk): Promise<boolean> {
  const followed = standings.followed(session)
  await followed.now()
  return followed.hasHeard(request)
}

function viaOf({ request }: Request) {
  return { id: request, from }
}

async function titled({ id, store }: Located, { title, request }: Request & { readonly title: string }): Promise<void> {
  await using session = await Session.load(store, id, { environment: localEnvironment(), owner: commandOwner })
  await session.append({ type: 'session.titled', title: title.trim(), by: 'user', via: viaOf({ request }) })
}

/** Copies a session, up to an event. The id of the copy follows from the request, so that a repeat makes no other. */
export async function fork(body: Body<'fork'>, desk: Desk): Promise<ActAnswers['fork']> {
  const { request, session: id, at, title } = body
  const session = await found(id, desk)
  const copy = { ...session, id: sessionIdOf(request) }
  const made = await copied(session, copy.id, at, desk)
  // A server that was killed in between has made a copy without its title.
  if (title !== undefined && !(made.repeated && (await hasHeard(body, copy, desk))))
    await titled(copy, { request, title })
  const { from, repeated } = made
  return { session: copy.id, from, state: 'recorded', ...(repeated && { repeated }) }
}

/** The copy with this id, which may be there already. */
async function copied({ id, store }: Located, copy: string, at: number | undefined, desk: Desk) {
  try {
    const { from } = await withCapability(store, 'fork').fork(id, at, { environment: localEnvironment(), id: copy })
    return { from, repeated: false } as const
  } catch (error) {
    if (LoaderError.is(error, 'impossible_event')) throw new ActRefused('changed', error.message)
    if (!LoaderError.is(error, 'session_exists')) throw error
    const made = await desk.find(copy)
    const from = made && (await forkedFrom(made))
    if (from === undefined) throw error
    return { from, repeated: true } as const
  }
}

async function forkedFrom({ id, store }: Located): Promise<{ readonly id: string; readonly seq: number } | undefined> {
  for await (const event of store.read(id, { gaps: 'mark' })) {
    if (event.type === 'session.forked' && 'id' in event && event.id === id && 'from' in event)
      return event.from as { readonly id: string; readonly seq: number }
  }
  return undefined
}

export async function acceptPreview(
  { session: id }: Body<'accept-preview'>,
  desk: Desk,
): Promise<ActAnswers['accept-preview']> {
  return between(await found(id, desk), desk, async (agent) => {
    const preview = { session: id, done: false, ...(await accepting(agent, true)) }
    return { session: id, preview, token: tokenOf(preview) }
  })
}

/** Accepts exactly what was previewed. */
export async function accept({ session: id, token }: Body<'accept'>, desk: Desk): Promise<ActAnswers['accept']> {
  return between(await found(id, desk), desk, async (agent) => {
    requireSame(token, { session: id, done: false, ...(await accepting(agent, true)) })
    const result = { session: id, done: true, ...(await accepting(agent, false)) }
    return { session: id, state: 'recorded', result }
  })
}

async function accepting(agent: Idle, preview: boolean) {
  try {
    const result = await agent.accept({ by: 'the user', preview })
    if (result !== undefined) return result
  } catch (error) {
    if (LoaderError.is(error, 'impossible_event')) throw new ActRefused('changed', error.message)
    throw error
  }
  throw new ActRefused('nothing_to_do', 'There is nothing to accept: the last turn rests on nothing that was changed.')
}

export async function rewindPreview(body: Body<'rewind-preview'>, desk: Desk): Promise<ActAnswers['rewind-preview']> {
  const id = body.session
  return between(await found(id, desk), desk, async (agent) => {
    const { plan, ...shown } = await rewinding(agent, body, { preview: true })
    return { session: id, preview: { session: id, done: false, ...shown }, token: tokenOf([shown, plan ?? null]) }
  })
}

/** Takes back exactly what was previewed: the same turns, and in the same files the same contents. */
export async function rewind(body: Body<'rewind'>, desk: Desk): Promise<ActAnswers['rewind']> {
  const id = body.session
  return between(await found(id, desk), desk, async (agent) => {
    const { plan, ...shown } = await rewinding(agent, body, { preview: true })
    requireSame(body.token, [shown, plan ?? null])
    const { plan: _done, ...result } = await rewinding(agent, body, { ...(plan !== undefined && { plan }) })
    return { session: id, state: 'recorded', result: { session: id, done: true, ...result } }
  })
}

async function rewinding(
  agent: Idle,
  { turn, files }: Pick<Body<'rewind'>, 'turn' | 'files'>,
  how: Pick<Parameters<Idle['rewind']>[0], 'preview' | 'plan'>,
) {
  try {
    return await agent.rewind({ toTurn: turn, files, ...how })
  } catch (error) {
    if (LoaderError.is(error, 'impossible_event')) throw new ActRefused('nothing_to_do', error.message)
    // The turn was taken back already, or is of another session.
    if (LoaderError.is(error, 'invalid_id')) throw new ActRefused('changed', error.message)
    throw error
  }
}

/** Names what was previewed, with all that it depends on. */
function tokenOf(preview: unknown): string {
  return createHash('sha256').update(JSON.stringify(preview)).digest('base64url')
}

function requireSame(token: string, now: unknown): void {
  if (token === tokenOf(now)) return
  throw new ActRefused('changed', 'It is not as it was shown any more. Nothing was done: look at it again.')
}
