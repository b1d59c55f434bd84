import { transportLimits } from './limits.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Fetches, and fails where an answer, or one event of a stream of them, is longer than a message may be. */
export function limitedFetch(onFault: (why: string) => void, inner: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await inner(url, init)
    const { body } = response
    if (body === null) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const fail = () => onFault(`it sent a message of more than ${transportLimits.messageBytes / 1024 / 1024} MiB`)
    const limited = body.pipeThrough(isStream ? limitedEvents(fail) : limitedBytes(fail))
    const { status, statusText, headers } = response
    const copy = new Response(limited, { status, statusText, headers: new Headers(headers) })
    // Redirects are judged by these.
    for (const name of ['url', 'redirected', 'type'] as const) {
      Object.defineProperty(copy, name, { value: response[name] })
    }
    return copy
  }
}

function limitedBytes(fail: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > transportLimits.messageBytes) end(controller, fail)
      else controller.enqueue(chunk)
    },
  })
}

/** An event ends with an empty line. */
function limitedEvents(fail: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      const last = lastBreak(chunk)
      bytes = last < 0 ? bytes + chunk.length : chunk.length - last
      if (bytes > transportLimits.messageBytes) end(controller, fail)
      else controller.enqueue(chunk)
    },
  })
}

/** A line break counts: what is data of an event stands in one line. */
function lastBreak(chunk: Uint8Array): number {
  return chunk.lastIndexOf(10)
}

function end(controller: TransformStreamDefaultController<Uint8Array>, fail: () => void): void {
  fail()
  controller.error(new Error('the answer is too long'))
}
