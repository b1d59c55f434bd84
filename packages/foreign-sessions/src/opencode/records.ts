import { JsonValue } from '@loader/session-core'
import * as z from 'zod'
import { count, flag, loose, looseList, text } from '../source/loose.ts'

const Times = z.object({ created: count, completed: count, start: count, end: count })

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), synthetic: flag, ignored: flag, time: loose(Times) }),
  z.object({ type: z.literal('reasoning'), text: z.string(), time: loose(Times) }),
  z.object({
    type: z.literal('tool'),
    tool: z.string().min(1),
    callID: z.string().min(1),
    state: z.object({
      status: text,
      input: z.optional(JsonValue).catch(undefined),
      output: text,
      error: text,
      metadata: loose(z.object({ exit: z.number().nullish().catch(undefined), interrupted: flag })),
      time: loose(Times),
    }),
  }),
  z.object({ type: z.literal('file'), mime: z.string().min(1), url: z.string().min(1) }),
])
export type OpencodePart = z.infer<typeof Part>

const Message = z.object({
  info: z.object({
    id: z.string().min(1),
    role: z.enum(['user', 'assistant']),
    time: loose(Times),
    providerID: text,
    modelID: text,
    finish: text,
    tokens: loose(
      z.object({
        input: count,
        output: count,
        reasoning: count,
        cache: loose(z.object({ read: count, write: count })),
      }),
    ),
    error: loose(z.object({ name: text, data: loose(z.object({ message: text, statusCode: count })) })),
  }),
  parts: looseList(Part),
})
export type OpencodeMessage = z.infer<typeof Message>

/** What `opencode export` prints. */
export const OpencodeExport = z.object({
  info: z.object({
    id: z.string().min(1),
    directory: text,
    title: text,
    version: text,
    parentID: text,
    time: loose(Times),
  }),
  messages: z.array(z.unknown()),
})

export const OpencodeMessage = Message
