import {
  type AnswerPart,
  type Backend,
  BackendError,
  type EventInput,
  type JsonValue,
  type OpenCall,
  type Session,
  type Turn,
} from '@loader/session-core'

export type Tools = Readonly<Record<string, (input: JsonValue) => Promise<string>>>

export function startTurn(session: Session, text: string): Promise<void> {
  const [inputId, turnId] = [session.environment.newId('in'), session.environment.newId('turn')]
  return session.append([
    { type: 'input.queued', inputId, text },
    { type: 'turn.started', turnId, inputId },
  ])
}

/** Works on the open turn until it is over. What comes next is read off the session, so a crash is only a pause. */
export async function runTurn(session: Session, backend: Backend, tools: Tools): Promise<void> {
  for (let { turn } = session.state; turn !== null; { turn } = session.state) {
    const open = turn.calls.find(({ outcome }) => outcome === undefined)
    await session.append(open ? await nextOfCall(session, open, tools) : await nextOfModel(session, turn, backend))
  }
}

async function nextOfModel(session: Session, turn: Turn, backend: Backend): Promise<EventInput> {
  const { request, calls } = turn
  if (request?.status === 'asked') {
    if (request.epoch === session.epoch) return answer(session, request.id, backend)
    return { type: 'model.interrupted', requestId: request.id, reason: 'crashed' }
  }
  if (request === null || request.status === 'interrupted' || calls.length > 0)
    return { type: 'model.asked', requestId: session.environment.newId('req'), purpose: 'answer', attempt: 1 }
  return { type: 'turn.finished', turnId: turn.id, reason: request.status }
}

async function answer(session: Session, requestId: string, backend: Backend): Promise<EventInput> {
  const messages = session.state.messages.toArray()
  try {
    for await (const event of backend.stream({ requestId, purpose: 'answer', system: '', messages, tools: [] })) {
      if (event.type !== 'done') continue
      const content = event.content.map((part) => withOwnId(part, session))
      return { type: 'model.answered', requestId, content, finishReason: event.finishReason, usage: event.usage }
    }
    return { type: 'model.interrupted', requestId, reason: 'cut' }
  } catch (error) {
    if (error instanceof BackendError) return { type: 'model.failed', requestId, error: error.failure }
    throw error
  }
}

async function nextOfCall(session: Session, { call, startedEpoch }: OpenCall, tools: Tools): Promise<EventInput> {
  const finished = { type: 'tool.finished', callId: call.id } as const
  const tool = tools[call.name]
  if (!tool || call.malformed !== undefined) return { ...finished, outcome: 'failed', text: 'This cannot be run.' }
  if (startedEpoch === undefined) return { type: 'tool.started', callId: call.id }
  if (startedEpoch < session.epoch) return { ...finished, outcome: 'unknown', text: 'The process ended meanwhile.' }
  try {
    return { ...finished, outcome: 'ok', text: await tool(call.input) }
  } catch (error) {
    return { ...finished, outcome: 'failed', text: String(error) }
  }
}

/** Providers may repeat the id of a call; a session never does. */
function withOwnId(part: AnswerPart, { environment }: Session): AnswerPart {
  if (part.type !== 'call') return part
  return { ...part, call: { ...part.call, id: environment.newId('call'), providerId: part.call.id } }
}
