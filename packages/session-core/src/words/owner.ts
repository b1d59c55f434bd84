import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { count, described, lazyObject, nonEmpty } from './schema.ts'

/** The process that writes the session. */
export const Owner = /* @__PURE__ */ lazyObject(() => ({
  type: described(nonEmpty, 'kind of object that runs the session, such as Agent'),
  path: described(nonEmpty, 'stable name of that kind, such as public-agent'),
  program: described(z.optional(z.string()), 'name and version of the program'),
  pid: z.optional(count),
  host: z.optional(z.string()),
  startedAt: described(z.optional(z.string()), 'start of the process, as its system tells it'),
}))
export type Owner = Immutable<z.infer<typeof Owner>>

const knownPaths: Readonly<Record<string, string>> = { Agent: 'public-agent', RuntimeHandle: 'runtime-handle' }

/** Who writes, as people look for it: `process 7 on here (public-agent)`. */
export function ownerInWords({ path, pid, host }: Pick<Owner, 'path' | 'pid' | 'host'>): string {
  return pid === undefined ? path : `process ${pid}${host === undefined ? '' : ` on ${host}`} (${path})`
}

/** An owner from the name of its type; the path follows from it unless it is given. */
export function ownerOf(type: string, path?: string): Owner {
  const given = path?.trim()
  const kebab = type.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
  return { type, path: given ? given : (knownPaths[type] ?? kebab) }
}
