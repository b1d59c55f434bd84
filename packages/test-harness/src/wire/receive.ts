import type { IncomingMessage } from 'node:http'
import type { Incoming } from './plan.ts'
import type { Headers } from './protocol.ts'

/** Reads a request completely; undefined when the client disconnected before. `text` is the body as received. */
export async function receive(
  request: IncomingMessage,
): Promise<{ readonly incoming: Incoming; readonly text: string } | undefined> {
  const text = await textOf(request)
  if (text === undefined) return undefined
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  // Google accepts the key in a header or in the query.
  const key = searchParams.get('key')
  const headers = { ...(key !== null && { 'x-goog-api-key': key }), ...headersOf(request) }
  const incoming = { method: request.method ?? 'GET', pathname, headers, body: jsonOf(text) }
  return { incoming, text }
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  let text = ''
  request.setEncoding('utf8')
  try {
    for await (const chunk of request) text += String(chunk)
    return text
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return undefined
    throw error
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(entries)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
