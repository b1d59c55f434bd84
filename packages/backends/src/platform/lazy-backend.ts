import type { Backend } from '@loader/session-core'
import { once } from './once.ts'
import { unlessAborted } from './signal.ts'

/** A backend whose code is loaded when it is used. */
export function lazyBackend(id: string, load: () => Promise<Backend>): Backend {
  const backend = once(load)
  return {
    id,
    async *stream(request, options) {
      yield* (await unlessAborted(backend(), options?.signal)).stream(request, options)
    },
    async describe(options) {
      const made = await unlessAborted(backend(), options?.signal)
      if (made.describe === undefined) throw new Error(`${id} does not describe itself.`)
      return made.describe(options)
    },
  }
}
