import { type EventInput, Session } from '@loader/session-core'
import { storeIn } from './store-in.ts'
import { fixedEnvironment } from '@loader/test-harness'

/** A session of exactly these events, closed. */
export async function writtenSession(root: string, inputs: readonly EventInput[], title?: string): Promise<string> {
  await using session = await openSession(root, title)
  for (const input of inputs) await session.append(input)
  return session.id
}

/** The same, still held by whoever asked for it. */
export function openSession(root: string, title?: string): Promise<Session> {
  const store = storeIn(root)
  const environment = { ...fixedEnvironment(), newId: freshIds() }
  return Session.open(store, { environment, ...(title !== undefined && { title }), project: { root } })
}

let sessions = 0

/** Ids that differ from session to session, and count within one. */
function freshIds(): (prefix: string) => string {
  sessions += 1
  const own = sessions
  let ids = 0
  return (prefix) => {
    ids += 1
    return `${prefix}_${String(own).padStart(4, '0')}${ids}`
  }
}

/** One turn in which the user says something and the model answers. */
export function exchange(number: number, said: string, answered: string): EventInput[] {
  const [inputId, turnId, requestId] = [`in_${number}`, `turn_${number}`, `req_${number}`]
  return [
    { type: 'input.queued', inputId, text: said },
    { type: 'turn.started', turnId, inputId },
    { type: 'model.asked', requestId, purpose: 'answer', attempt: 1, model: 'test/model' },
    {
      type: 'model.answered',
      requestId,
      content: [{ type: 'text', text: answered }],
      finishReason: 'stop',
      usage: { inputTokens: 100, outputTokens: 20 },
      model: 'test/model',
    },
    { type: 'turn.finished', turnId, reason: 'turn_complete', responseId: requestId },
  ]
}

/** A call within an open turn, up to its start; the answer that makes it included. */
export function startedCall(number: number, name: string, input: Record<string, string>): EventInput[] {
  const [inputId, turnId, requestId, callId] = [`in_${number}`, `turn_${number}`, `req_${number}`, `call_${number}`]
  return [
    { type: 'input.queued', inputId, text: `Please use ${name}.` },
    { type: 'turn.started', turnId, inputId },
    { type: 'model.asked', requestId, purpose: 'answer', attempt: 1 },
    {
      type: 'model.answered',
      requestId,
      content: [{ type: 'call', call: { id: callId, name, input } }],
      finishReason: 'tool-calls',
    },
    { type: 'call.examined', callId, effect: 'unknown' },
    { type: 'tool.started', callId },
  ]
}
