import { callsOf, isSessionEvent, type History, type SessionEvent, shownText, textOf } from '@loader/session-core'
import type { Exchange } from '@loader/test-harness/wire'
import * as z from 'zod'
import type { Stage } from './stage.ts'

/**
 * What is wrong with a session whose turn has ended, whatever happened on the way: nothing that anybody was told is
 * missing, nothing is there twice, no request was refused, and the model was told what the session knows.
 */
export async function faultsIn(stage: Stage): Promise<string[]> {
  const { state, history } = await stage.session()
  const events = history.filter(isSessionEvent)
  const messages = state.messages.toArray()
  const answers = messages.filter(({ origin }) => origin === 'model').map(({ content }) => textOf(content))
  return [
    ...stage.server.problems(),
    ...lost(stage, history),
    ...twice(
      'event',
      history.map(({ seq }) => String(seq)),
    ),
    ...twice(
      'message',
      messages.map(({ id }) => id),
    ),
    ...twice(
      'answer',
      answers.filter((text) => text !== ''),
    ),
    ...twice(
      'input',
      idsOf(events, 'input.queued', ({ inputId }) => inputId),
    ),
    ...twice('effect', effectsOf(stage)),
    ...unevenTurns(events),
    ...unevenRequests(events),
    ...unevenCalls(events),
    ...untold(events, stage.server.requests),
  ]
}

function lost(stage: Stage, history: History): string[] {
  const stored = new Set(history.map((event) => JSON.stringify(event)))
  return stage
    .notes('acknowledged')
    .map((event) => JSON.stringify(event))
    .filter((event) => !stored.has(event))
    .map((event) => `lost: ${event.slice(0, 200)}`)
}

function twice(what: string, names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${what} ${name} is there twice`)
}

const Effect = z.object({ callId: z.string(), at: z.enum(['begin', 'end']) })

function effectsOf(stage: Stage): string[] {
  return z
    .array(Effect)
    .parse(stage.notes('effects'))
    .filter(({ at }) => at === 'begin')
    .map(({ callId }) => callId)
}

type EventOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

export function eventsOf<Type extends SessionEvent['type']>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => isSessionEvent(event) && event.type === type)
}

function idsOf<Type extends SessionEvent['type']>(
  events: readonly SessionEvent[],
  type: Type,
  idOf: (event: EventOf<Type>) => string,
): string[] {
  return eventsOf(events, type).map(idOf)
}

function unevenTurns(events: readonly SessionEvent[]): string[] {
  const started = idsOf(events, 'turn.started', ({ turnId }) => turnId).join()
  const finished = idsOf(events, 'turn.finished', ({ turnId }) => turnId).join()
  return started === finished ? [] : [`turns ${started} began, and ${finished} ended`]
}

/** Every request has one answer, which comes before the next request. */
function unevenRequests(events: readonly SessionEvent[]): string[] {
  const course = events.flatMap((event) => {
    switch (event.type) {
      case 'model.asked':
        return [`asked ${event.requestId}`]
      case 'model.answered':
      case 'model.failed':
      case 'model.interrupted':
        return [`ended ${event.requestId}`]
      default:
        return []
    }
  })
  return course.filter((step, index) => {
    const [what, id] = step.split(' ')
    return what === 'asked' ? course[index + 1] !== `ended ${id}` : course[index - 1] !== `asked ${id}`
  })
}

function unevenCalls(events: readonly SessionEvent[]): string[] {
  const made = [
    ...eventsOf(events, 'model.answered').flatMap(({ content }) => callsOf(content)),
    ...eventsOf(events, 'calls.recovered').flatMap(({ calls }) => calls),
  ].map(({ id }) => id)
  const results = idsOf(events, 'tool.finished', ({ callId }) => callId)
  return made.flatMap((id) => {
    const count = results.filter((callId) => callId === id).length
    return count === 1 ? [] : [`call ${id} has ${count} results`]
  })
}

/** What became of a call is said to the model as it is recorded, above all that nobody knows. */
function untold(events: readonly SessionEvent[], requests: readonly Exchange[]): string[] {
  const told = requests
    .flatMap(({ request }) => request?.messages ?? [])
    .flatMap(({ results, text }) => [...results.map((result) => result.text), text])
  return eventsOf(events, 'tool.finished')
    .filter((event) => !told.some((text) => text.includes(shownText(event.text))))
    .map(({ callId, outcome }) => `the model was not told of call ${callId} (${outcome})`)
}
