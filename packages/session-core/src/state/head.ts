import * as z from 'zod'
import { SessionEvent, ForeignEvent } from '../events/event.ts'
import { SessionId } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { SavedState, sessionFormat } from './state.ts'
import { QueuedInput } from './turn.ts'
import { lazyObject } from '../words/schema.ts'

/** What a store adds to a state when it writes it as a head. */
const store = /* @__PURE__ */ lazyObject(() => ({
  epoch: z.int().min(0),
  segments: z.int().min(0).describe('sealed segments that lie beside the head'),
  lastSealedSeq: z.int().min(0).describe('last event in the segments'),
  chain: z.string().describe('checksum of the last segment, which the journal continues from'),
})).describe('how the head fits the files around it')

/** The file that people open: the state of a session at its top level. A cache; the events are the truth. */
export const SessionHead = /* @__PURE__ */ lazyObject(() => ({
  ...SavedState.shape,
  pendingInput: QueuedInput.nullable().describe('input of the open turn that is not a message yet'),
  store,
  checksum: z.string().describe('CRC-32 of everything before it, in hexadecimal'),
}))

export type SessionHead = Immutable<z.infer<typeof SessionHead>>

/** Events that were sealed together. Immutable; the truth. */
export const SessionSegment = /* @__PURE__ */ lazyObject(() => ({
  format: z.int().min(1).max(sessionFormat),
  id: SessionId,
  number: z.int().min(1).describe('place among the segments, counted from 1'),
  firstSeq: z.int().min(1),
  lastSeq: z.int().min(1),
  previousChecksum: z.string().describe('checksum of the segment before; in the first, that of the id in lower case'),
  events: z.array(z.union([SessionEvent, ForeignEvent])),
  eventChecksums: z.array(z.string()).describe('CRC-32 of each event as it is written, in hexadecimal'),
  checksum: z.string().describe('CRC-32 of everything before it, in hexadecimal'),
}))
