import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { Reach } from './policy.ts'
import { described, lazyObject, object, positive } from './schema.ts'

/** A port on which a background command listens, and where that port is. */
export const ListeningPort = /* @__PURE__ */ lazyObject(() => ({
  port: described(positive, 'its number'),
  on: described(
    z.enum(['session', 'machine']),
    'session: the loopback that only commands of the session share; machine: the addresses of this machine',
  ),
}))
export type ListeningPort = Immutable<z.infer<typeof ListeningPort>>

/** How a background command ended. */
export const BackgroundEnd = /* @__PURE__ */ z.enum(['exited', 'killed', 'stopped', 'closed', 'gone', 'not_started'])
export type BackgroundEnd = z.infer<typeof BackgroundEnd>

/** A port of a background command that can be reached on the loopback of the machine. */
export const PublishedPort = /* @__PURE__ */ lazyObject(() => ({
  port: described(positive, 'the port of the command'),
  hostPort: described(positive, 'the port of the machine, on 127.0.0.1'),
}))
export type PublishedPort = Immutable<z.infer<typeof PublishedPort>>

/** A background command as the state of a session knows it. */
export const BackgroundCommand = /* @__PURE__ */ lazyObject(() => ({
  id: z.string(),
  command: z.string(),
  reach: described(Reach, 'what it may touch'),
  seq: described(positive, 'the event that told of it'),
  ended: described(z.optional(object({ seq: positive, how: BackgroundEnd })), 'absent while it goes on'),
  ports: described(z.array(ListeningPort), 'where it listens'),
  published: described(z.array(PublishedPort), 'what of that can be reached on this machine'),
  untold: described(z.optional(z.string()), 'what the next turn begins with, since the model does not know of the end'),
}))
export type BackgroundCommand = Immutable<z.infer<typeof BackgroundCommand>>

/** How a background command ended, after its name: "bg1 has ended with exit code 1". */
export function backgroundEndWords({
  how,
  exitCode,
}: {
  readonly how: BackgroundEnd
  readonly exitCode?: number | undefined
}): string {
  switch (how) {
    case 'exited':
      return exitCode === undefined ? 'has ended' : `has ended with exit code ${exitCode}`
    case 'killed':
      return 'was killed, by itself or by the system'
    case 'stopped':
      return 'was stopped'
    case 'closed':
      return 'ended with the process of loader that had started it'
    case 'gone':
      return 'is gone, and no process of loader saw how it ended'
    case 'not_started':
      return 'could not be started'
    default:
      return how satisfies never
  }
}
