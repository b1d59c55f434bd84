import type { Protocol, Said } from './protocol.ts'

/** The steps of the server for an answer. The head is sent with the first bytes. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Done in order; then the answer ends normally, unless it was cut. */
  readonly steps: readonly ReplyStep[]
}

export type ReplyStep =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | { readonly type: 'wait'; readonly milliseconds: number }
  /** Sends no more, and waits until the client disconnects. */
  | { readonly type: 'hang' }
  /** Breaks the connection. */
  | { readonly type: 'cut' }

export function send(text: string): ReplyStep {
  return { type: 'send', bytes: new TextEncoder().encode(text) }
}

export function jsonReply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): WireReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    steps: [send(JSON.stringify(body))],
  }
}

export function errorReply(protocol: Protocol, said: Said, number: number, retryAfterMs?: number): WireReply {
  const wait: Record<string, string> =
    // Google sends it in the body.
    retryAfterMs === undefined || protocol.dialect === 'gemini'
      ? {}
      : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), 'retry-after-ms': String(retryAfterMs) }
  return jsonReply(said.status, protocol.errorBody(said, number, retryAfterMs), wait)
}
