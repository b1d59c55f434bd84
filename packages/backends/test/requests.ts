import type { BackendDone, BackendEvent, Message, ModelRequest, Part } from '@loader/session-core'

const at = '2026-01-01T00:00:00.000Z'

/** A request as the agent makes one, with a tool that writes files. */
export function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    requestId: 'req_1',
    purpose: 'answer',
    system: 'Be brief.',
    messages: [user('Create a.txt and b.txt.')],
    tools: [writeTool],
    maxOutputTokens: 500,
    ...fields,
  }
}

const writeTool = {
  name: 'write',
  description: 'Writes a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path'],
  },
} as const

export function user(text: string): Message {
  return { id: `in_${text.length}`, role: 'user', origin: 'input', at, content: [{ type: 'text', text }] }
}

export function assistant(id: string, ...content: Part[]): Message {
  return { id, role: 'assistant', origin: 'model', at, content }
}

export function result(callId: string, text: string, outcome: 'ok' | 'failed' = 'ok'): Message {
  const content: Part[] = [{ type: 'result', callId, name: 'write', outcome, text }]
  return { id: callId, role: 'tool', origin: 'tool', at, content }
}

/** What arrived, put together by kind. */
export interface Heard {
  readonly text: string
  readonly reasoning: string
  /** The arguments of the calls, by index. */
  readonly inputs: readonly string[]
  readonly status: readonly string[]
  readonly done: BackendDone
  readonly events: readonly BackendEvent[]
}

/** Reads a stream to its end, which has to be the only one and the last thing that comes. */
export async function hear(stream: AsyncIterable<BackendEvent>): Promise<Heard> {
  const events: BackendEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'done') throw new Error(`The stream ended with ${last?.type ?? 'nothing'}.`)
  if (events.filter(({ type }) => type === 'done').length > 1) throw new Error('The stream had two ends.')
  const inputs: string[] = []
  for (const event of events) {
    if (event.type === 'call_input') inputs[event.index] = (inputs[event.index] ?? '') + event.delta
  }
  const joined = (kind: 'text' | 'reasoning') =>
    events.flatMap((event) => (event.type === kind ? [event.delta] : [])).join('')
  const status = events.flatMap((event) => (event.type === 'status' ? [event.message] : []))
  return { text: joined('text'), reasoning: joined('reasoning'), inputs, status, done: last, events }
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It did not fail.')
    },
    (error: unknown) => error,
  )
}
