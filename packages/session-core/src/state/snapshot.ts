import * as z from 'zod/mini'
import { SessionEvent, ForeignEvent } from '../events/event.ts'
import { SessionId } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { SavedState, sessionFormat } from './state.ts'
import { QueuedInput } from './turn.ts'
import { count, described, lazyObject, positive } from '../words/schema.ts'

/** The fields that a store adds to a state when it writes a snapshot. */
const store = /* @__PURE__ */ described(
  /* @__PURE__ */ lazyObject(() => ({
    epoch: count,
    segments: described(count, 'sealed segments that lie beside the snapshot'),
    lastSealedSeq: described(count, 'last event in the segments'),
    chain: described(z.string(), 'checksum of the last segment, which the journal continues from'),
    tidy: described(
      z.optional(z.boolean()),
      'whether every file of the session has a name that follows from this; absent in what older versions wrote',
    ),
  })),
  'how the snapshot fits the files around it',
)

/** The file that people open: the state of a session at its top level. A cache; the events are the truth. */
export const SessionSnapshot = /* @__PURE__ */ lazyObject(() => ({
  ...SavedState.shape,
  pendingInput: described(z.nullable(QueuedInput), 'input of the open turn that is not a message yet'),
  store,
  checksum: described(z.string(), 'CRC-32 of everything before it, in hexadecimal'),
}))

export type SessionSnapshot = Immutable<z.infer<typeof SessionSnapshot>>

/** Events that were sealed together. Immutable; the truth. */
export const SessionSegment = /* @__PURE__ */ lazyObject(() => ({
  format: positive.check(z.lte(sessionFormat)),
  id: SessionId,
  number: described(positive, 'place among the segments, counted from 1'),
  firstSeq: positive,
  lastSeq: positive,
  previousChecksum: described(z.string(), 'checksum of the segment before; in the first, that of the id in lower case'),
  events: z.array(z.union([SessionEvent, ForeignEvent])),
  eventChecksums: described(z.array(z.string()), 'CRC-32 of each event as it is written, in hexadecimal'),
  checksum: described(z.string(), 'CRC-32 of everything before it, in hexadecimal'),
}))
