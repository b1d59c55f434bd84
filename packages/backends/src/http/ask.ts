import { BackendError, type JsonObject, type Signal } from '@loader/session-core'
import { jsonIn } from '../platform/json-text.ts'
import type { Transport } from './transport.ts'

/** Asks a server about itself. Undefined when it does not answer with JSON: then it is another kind of server. */
export type Ask = (url: string, body?: JsonObject) => Promise<unknown>

export interface AskOptions {
  readonly transport: Transport
  readonly headers?: { readonly [name: string]: string }
  readonly signal: Signal
  /** The request runs in the background and does not keep the process alive. */
  readonly isAside?: boolean
}

export function asking({ transport, headers = {}, signal, isAside = false }: AskOptions): Ask {
  return async (url, body) => {
    try {
      const response = await transport(url, {
        headers: { ...headers, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        signal,
        ...(isAside && { isAside }),
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return response.ok ? jsonIn(text) : undefined
    } catch (error) {
      if (error instanceof BackendError || signal.aborted) return undefined
      throw error
    }
  }
}
