import { JsonObject, JsonValue } from '@loader/session-core'
import * as z from 'zod'
import { count, flag, loose, looseList, text } from '../source/loose.ts'

export const PiHeader = z.object({
  type: z.literal('session'),
  version: loose(z.union([z.string(), z.number()])),
  id: text,
  timestamp: text,
  cwd: text,
  parentSession: text,
})

const Content = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string(), thinkingSignature: text }),
  z.object({
    type: z.literal('toolCall'),
    id: z.string().min(1),
    name: z.string().min(1),
    arguments: z.unknown().pipe(JsonValue).catch({}),
  }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string().min(1) }),
])
export type PiContent = z.infer<typeof Content>

const contents = z.union([z.string(), looseList(Content)]).catch([])

const PiMessage = z.object({
  role: z.string(),
  content: contents,
  provider: text,
  model: text,
  usage: loose(z.object({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count })),
  stopReason: text,
  errorMessage: text,
  toolCallId: text,
  toolName: text,
  isError: flag,
  details: z.optional(JsonObject).catch(undefined),
})
export type PiMessage = z.infer<typeof PiMessage>

export const PiEntry = z.object({
  type: z.string(),
  id: z.string().min(1),
  parentId: z.string().nullish().catch(undefined),
  timestamp: text,
  message: loose(PiMessage),
  name: text,
  summary: text,
  firstKeptEntryId: text,
  tokensBefore: count,
})
export type PiEntry = z.infer<typeof PiEntry>
