import {
  isJSONRPCRequest,
  isJSONRPCNotification,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { Rate } from './limits.ts'

type Listener = NonNullable<Transport['onmessage']>

/** Ends the connection to a server that floods it. Everything else passes. */
export function held<Held extends Transport>(transport: Held, onFault: (why: string) => void): Held {
  const rate = new Rate(() => performance.now())
  let isOver = false
  let listener: Listener | undefined
  const own: Listener = (message: JSONRPCMessage, extra) => {
    if (isOver) return
    if (isUnasked(message) && !rate.take()) {
      isOver = true
      onFault('it sent more messages than anybody asked for')
      void transport.close().catch(() => undefined)
      return
    }
    listener?.(message, extra)
  }
  // The protocol sets its listener when it connects, and calls the one that it finds; the transport calls the one that
  // counts.
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => (listener === undefined ? undefined : own),
    set: (next: Listener | undefined) => {
      listener = next
    },
  })
  return transport
}

/** Requests of a server are answered, so that they count as well. */
function isUnasked(message: JSONRPCMessage): boolean {
  return isJSONRPCNotification(message) || isJSONRPCRequest(message)
}
