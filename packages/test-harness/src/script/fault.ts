import { Id, type Immutable, ModelFailure } from '@loader/session-core'
import * as z from 'zod'

const after = z.int().min(0).optional().describe('chunks that arrive before; absent means all that the line has')

/** A fault in the answer itself: it arrives, but is wrong. */
export const AnswerFault = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('malformed_call'),
      raw: z.string().optional().describe('what stands there instead; absent means the arguments, cut in half'),
    })
    .describe('The arguments of the last call are not JSON.'),
  z
    .strictObject({
      type: z.literal('duplicate_call_id'),
      id: z.optional(Id).describe('the id that comes again; absent means that of the call before'),
    })
    .describe('The last call has an id that was there before.'),
  z.strictObject({ type: z.literal('empty_answer') }).describe('Nothing arrives but the end.'),
])
export type AnswerFault = Immutable<z.infer<typeof AnswerFault>>

/** A fault during the transfer. */
export const StreamFault = z.discriminatedUnion('type', [
  z
    .strictObject({
      ...ModelFailure.shape,
      type: z.literal('throw'),
      message: z.optional(ModelFailure.shape.message),
      after,
    })
    .describe('The request fails: with a BackendError, or behind a server with a status.'),
  z.strictObject({ type: z.literal('stall'), after }).describe('Nothing more arrives until the request is aborted.'),
  z.strictObject({ type: z.literal('cut'), after }).describe('The stream closes without its end.'),
  z
    .strictObject({
      type: z.literal('drip'),
      delayMs: z.int().min(1).describe('before each chunk; behind a server in real time'),
    })
    .describe('The answer arrives slowly.'),
])
export type StreamFault = Immutable<z.infer<typeof StreamFault>>

/** A fault in an answer of a scripted model. */
export const Fault = z.discriminatedUnion('type', [...AnswerFault.options, ...StreamFault.options])
export type Fault = Immutable<z.infer<typeof Fault>>
