import { LoaderError } from '../words/errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { Claim, ClaimOptions, ReadOptions, SessionStore, SessionWriter } from './store.ts'

/**
 * Claims the session and checks what the store returned. Without it, a writer whose `append` returns no promise would
 * pass for one that is durable at once.
 */
export async function checkedClaim(store: SessionStore, id: string, options: ClaimOptions): Promise<Claim> {
  const claim: Partial<Claim> | undefined = await promised('claim', () => store.claim(id, options))
  const { writer, state, events, report } = claim ?? {}
  if (writer === undefined || state === undefined || !Array.isArray(events) || report?.findings === undefined) {
    throw invalid('claim', 'no claim', '{ writer, state, events, report: { findings } }, with null for no saved state')
  }
  for (const method of ['append', 'save', 'release'] as const) {
    if (typeof writer[method] !== 'function') throw invalid('claim', `a writer without ${method}`, 'one that has it')
  }
  return { writer: new CheckedWriter(writer), state, events, report }
}

/** The events of a store, or an error that says what it has to return. */
export function checkedRead(store: SessionStore, id: string, options?: ReadOptions): AsyncIterable<StoredEvent> {
  const events: Partial<AsyncIterable<StoredEvent>> | undefined = store.read(id, options)
  if (events?.[Symbol.asyncIterator] === undefined) throw invalid('read', 'no events', 'an async iterable of them')
  return events as AsyncIterable<StoredEvent>
}

/** A writer whose methods are checked to return promises. */
class CheckedWriter implements SessionWriter {
  readonly #writer: SessionWriter

  constructor(writer: SessionWriter) {
    this.#writer = writer
  }

  get id(): string {
    return this.#writer.id
  }

  get epoch(): number {
    return this.#writer.epoch
  }

  get blobs(): SessionWriter['blobs'] {
    return this.#writer.blobs
  }

  get lost(): SessionWriter['lost'] {
    return this.#writer.lost
  }

  append(...args: Parameters<SessionWriter['append']>): Promise<void> {
    return promised('append', () => this.#writer.append(...args))
  }

  save(...args: Parameters<SessionWriter['save']>): Promise<void> {
    return promised('save', () => this.#writer.save(...args))
  }

  release(): Promise<void> {
    return promised('release', () => this.#writer.release())
  }
}

/** Calls the method at once; if it throws instead of rejecting, the returned promise rejects. */
async function promised<Result>(method: string, call: () => Promise<Result>): Promise<Result> {
  const returned: unknown = call()
  if (typeof returned !== 'object' || returned === null || !('then' in returned)) {
    throw invalid(method, 'no promise', 'one that resolves when it is done')
  }
  return returned as Promise<Result>
}

function invalid(method: string, returned: string, wanted: string): LoaderError {
  return new LoaderError(
    'invalid_port',
    `${method} of the store returned ${returned}. It must return ${wanted}; the suite of @loader/test-harness shows the rest.`,
  )
}
