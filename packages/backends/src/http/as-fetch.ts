import type { Fetch } from './fetch.ts'
import { PlainHeaders } from './plain-headers.ts'
import type { Transport } from './transport.ts'

/** The transport as a `fetch` for provider libraries. */
export function asFetch(transport: Transport): Fetch {
  return async (target, init) => {
    const { method, signal, body } = init ?? {}
    if (body && typeof body !== 'string') throw new TypeError('Only text can be sent to the server of a model.')
    const reply = await transport(String(typeof target === 'object' && 'url' in target ? target.url : target), {
      headers: Object.fromEntries(new PlainHeaders(init?.headers)),
      ...(method !== undefined && { method }),
      ...(signal && { signal }),
      ...(typeof body === 'string' && { body }),
    })
    const { status, statusText, headers } = reply
    return new Response(reply.body, { status, statusText, headers: [...headers] })
  }
}
