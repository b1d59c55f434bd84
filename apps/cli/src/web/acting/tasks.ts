import { existsSync } from 'node:fs'
import { inputIdOf } from '@loader/agent'
import { ActRefused, type ActAnswers, type ActBodies, type Request } from '@loader/web/server'
import type { InboxMessage } from '@loader/session-core/coding'
import { placesIn } from '../sessions/located.ts'
import { deliver, type Delivered, goOn, requireFree, requireRest } from './delivery.ts'
import { type Desk, found, from, requireKnownProject } from './desk.ts'
import { sessionIdOf } from './ids.ts'

type Body<Name extends keyof ActBodies> = ActBodies[Name] & Request

/** Sends a task: to a session that rests, to a new one in a project, or to the workers. */
export async function send(body: Body<'send'>, desk: Desk): Promise<ActAnswers['send']> {
  const { request, project } = body
  const id = body.session ?? sessionIdOf(request)
  const inputId = inputIdOf(request)
  const session = await desk.find(id)
  if (session !== undefined) {
    const followed = desk.standings.followed(session)
    await followed.now()
    if (followed.hasInput(inputId) || followed.hasHeard(request))
      return { session: id, inputId, state: 'recorded', repeated: true }
    requireRest(await desk.standings.of(session))
  } else if (project === undefined) return refuseMissing(id)
  else {
    await requireKnownProject(project, desk)
    if (!existsSync(project)) throw new ActRefused('not_found', `The folder ${project} is not there any more.`)
  }
  if (body.to === 'fleet') {
    if (desk.line === undefined)
      throw new ActRefused('not_found', 'There are no workers here: the sessions are in files.')
    return desk.line.send(body, { id, session, standings: desk.standings })
  }
  const message = taskOf(body)
  if (session !== undefined) {
    return { session: id, inputId, state: arrived(await deliver(message, session, desk)) }
  }
  const places = placesIn(project ?? desk.served.places.root, desk.served)
  await desk.runners.alone(id, () => desk.runners.hear({ id, places, isNew: true, title: body.title }, message))
  return { session: id, inputId, state: 'recorded' }
}

function refuseMissing(id: string): never {
  throw new ActRefused('not_found', `There is no session ${id} here. It may have been deleted.`)
}

function taskOf({ request, text, mode, checks = [] }: Body<'send'>): InboxMessage {
  const doneWhen = checks.map((command) => ({ command }))
  const wishes = { ...(mode !== undefined && { mode }), ...(doneWhen.length > 0 && { doneWhen }) }
  return { id: request, from, kind: 'task', text, ...wishes }
}

/** Says something to the turn that runs. Where it has ended meanwhile, the words begin one. */
export async function queueWords(
  { request, session: id, text }: Body<'queue'>,
  desk: Desk,
): Promise<ActAnswers['queue']> {
  const session = await found(id, desk)
  const inputId = inputIdOf(request)
  const followed = desk.standings.followed(session)
  await followed.now()
  if (followed.hasInput(inputId)) return { session: id, inputId, state: 'recorded', repeated: true }
  const delivered = await deliver({ id: request, from, kind: 'words', text }, session, desk)
  return { session: id, inputId, state: arrived(delivered) }
}

/** Words and tasks cannot be obsolete: if they are neither in the session nor in its inbox, another program removed them. */
function arrived(delivered: Delivered): 'recorded' | 'delivered' {
  if (delivered !== 'obsolete') return delivered
  throw new ActRefused(
    'unknown',
    'What became of it is not known: it was stored, and is gone. Look at the session, or send it again.',
  )
}

/** Stops the turn that runs. */
export async function stopTurn(
  { request, session: id, turnId }: Body<'stop'>,
  desk: Desk,
): Promise<ActAnswers['stop']> {
  const session = await found(id, desk)
  const followed = desk.standings.followed(session)
  await followed.now()
  if (followed.hasHeard(request)) return { session: id, state: 'recorded', repeated: true }
  const state = await deliver({ id: request, from, kind: 'stop', turnId }, session, desk)
  if (state !== 'obsolete') return { session: id, state }
  throw new ActRefused('nothing_to_do', 'This turn does not run any more, or is being stopped already.')
}

/** Continues a session that no process has. */
export async function continueTurn({ session: id }: Body<'continue'>, desk: Desk): Promise<ActAnswers['continue']> {
  const session = await found(id, desk)
  const { phase } = await desk.standings.of(session)
  if (phase === 'running' || phase === 'waiting') {
    // The session runs already, which is what was asked for: by a second click, or in another window.
    return { session: id, state: 'recorded', repeated: true }
  }
  if (phase === 'resting') throw new ActRefused('nothing_to_do', 'There is nothing to go on with: send a task.')
  await requireFreeOrHere(desk, session)
  await goOn(session, desk, { isWished: true })
  return { session: id, state: 'recorded' }
}

async function requireFreeOrHere({ runners }: Desk, session: Parameters<typeof requireFree>[0]): Promise<void> {
  if (runners.has(session.id) === undefined) await requireFree(session)
}
