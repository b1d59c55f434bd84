import type { Signal } from '@loader/session-core'
import type { Fetch } from './fetch.ts'

/**
 * The part of `fetch` that this package needs; the platform's `fetch` fits. Node takes longer to load its request and
 * response classes than to start a program, so only `asFetch` uses them.
 */
export type Transport = (url: string, request?: TransportRequest) => Promise<Reply>

export interface TransportRequest {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  readonly signal?: Signal
  /** The request runs in the background and does not keep the process alive. */
  readonly isAside?: boolean
}

export interface Reply {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: ReplyHeaders
  readonly body: ReplyBody | null
  text(): Promise<string>
}

/** A stream of bytes, in the platform's type if it has one. */
export type ReplyBody = Awaited<ReturnType<Fetch>> extends { readonly body: infer Body } ? NonNullable<Body> : unknown

/** Names are in lower case. */
interface ReplyHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null | undefined
}

/** A reply with this body. */
export function replyWith(
  { status, statusText, headers }: Pick<Reply, 'status' | 'statusText' | 'headers'>,
  body: Reply['body'],
): Reply {
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    headers,
    body,
    async text() {
      const decoder = new TextDecoder()
      let text = ''
      if (body !== null) for await (const chunk of chunksOf(body)) text += decoder.decode(chunk, { stream: true })
      return text + decoder.decode()
    },
  }
}

/** The chunks of a body. Stopping early cancels the body, and with it the request. */
export async function* chunksOf(body: ReplyBody): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  let ended = false
  try {
    while (!ended) {
      const chunk = await reader.read()
      ended = chunk.done
      if (chunk.value !== undefined) yield chunk.value
    }
  } finally {
    if (!ended) await reader.cancel()
  }
}
