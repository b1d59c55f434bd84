import { LoaderError } from '@loader/session-core'
import { frame } from './frames.ts'

/** More than people open; each costs a look at the files now and then. */
const mostOpen = 100

/** The answers of a server that have no end of their own. */
export class OpenStreams {
  readonly #stops = new Set<AbortController>()
  readonly #report: (error: unknown) => void

  /** `report` gets unexpected errors; the page is only told that its stream has failed. */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Answers with frames as they come, at the speed of the reader: while it does not take more, none are made. */
  answer(framesUntil: (signal: AbortSignal) => AsyncGenerator<string>): Response | undefined {
    if (this.#stops.size >= mostOpen) return undefined
    const stop = new AbortController()
    this.#stops.add(stop)
    const frames = framesUntil(stop.signal)
    const ended = () => {
      this.#stops.delete(stop)
      stop.abort()
    }
    const [encoder, report] = [new TextEncoder(), this.#report]
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next = await nextOf(frames, report)
          if (next !== undefined) return controller.enqueue(encoder.encode(next))
          ended()
          controller.close()
        },
        async cancel() {
          ended()
          await frames.return(undefined)
        },
      },
      { highWaterMark: 0 },
    )
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
    })
  }

  get size(): number {
    return this.#stops.size
  }

  /** Ends all of them. */
  close(): void {
    for (const stop of this.#stops) stop.abort()
  }
}

/** The next frame; undefined at the end. What the store says of a failure is the last frame. */
async function nextOf(frames: AsyncGenerator<string>, report: (error: unknown) => void): Promise<string | undefined> {
  try {
    const next = await frames.next()
    return next.done === true ? undefined : next.value
  } catch (error) {
    if (LoaderError.is(error)) return frame({ code: error.code, message: error.message }, { name: 'trouble' })
    report(error)
    return frame({ code: 'failed', message: 'The server failed. It is asked again.' }, { name: 'trouble' })
  }
}
