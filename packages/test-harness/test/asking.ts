import type { Backend, BackendEvent, Message, ModelRequest } from '@loader/session-core'

export function user(text: string): Message {
  const content = [{ type: 'text', text }] as const
  return { id: `in_${text.length}`, role: 'user', origin: 'input', content, at: '2026-01-01T00:00:00.000Z' }
}

export function request(...messages: readonly Message[]): ModelRequest {
  return { requestId: 'req_1', purpose: 'answer', system: 'Be brief.', messages, tools: [] }
}

export function ask(backend: Backend, signal?: AbortSignal, asked = request(user('Hello?'))): Promise<BackendEvent[]> {
  return collect(backend.stream(asked, signal ? { signal } : {}))
}

export async function collect(stream: AsyncIterable<BackendEvent>): Promise<BackendEvent[]> {
  const events: BackendEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** What arrived before the request ended, and how it ended. */
export async function watch(
  backend: Backend,
  signal?: AbortSignal,
): Promise<{ events: BackendEvent[]; error: unknown }> {
  const events: BackendEvent[] = []
  try {
    for await (const event of backend.stream(request(), signal ? { signal } : {})) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

export const deltas = (events: readonly BackendEvent[], type: 'text' | 'reasoning' | 'call_input') =>
  events.flatMap((event) => (event.type === type ? [event.delta] : []))

export const last = (events: readonly BackendEvent[]) => events.at(-1) as Extract<BackendEvent, { type: 'done' }>
