import { JsonValue } from '@loader/session-core'
import * as z from 'zod'
import { count, loose, looseList, text } from '../source/loose.ts'

const FunctionResponse = z.object({
  id: text,
  name: text,
  response: loose(z.looseObject({ output: z.unknown().optional(), error: z.unknown().optional() })),
})
export type FunctionResponse = z.infer<typeof FunctionResponse>

const Part = z.object({
  text: text,
  thought: z.boolean().optional().catch(undefined),
  functionCall: loose(z.object({ id: text, name: z.string().min(1), args: z.optional(JsonValue) })),
  functionResponse: loose(FunctionResponse),
  inlineData: loose(z.object({ mimeType: z.string().min(1), data: z.string() })),
})

const Call = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  args: z.optional(JsonValue).catch(undefined),
  result: looseList(z.object({ functionResponse: loose(FunctionResponse) })),
  status: text,
  timestamp: text,
  resultDisplay: z.unknown().optional(),
})
export type GeminiCall = z.infer<typeof Call>

export const GeminiMessage = z.object({
  id: z.string().min(1),
  timestamp: text,
  type: z.string(),
  content: z.union([z.string(), looseList(Part)]).catch(''),
  thoughts: looseList(z.object({ subject: text, description: text })),
  tokens: loose(z.object({ input: count, output: count, cached: count, thoughts: count })),
  model: text,
  toolCalls: looseList(Call),
})
export type GeminiMessage = z.infer<typeof GeminiMessage>

export const Header = z.object({
  sessionId: z.string(),
  projectHash: text,
  startTime: text,
  lastUpdated: text,
  kind: text,
  summary: text,
})

export const GeminiChange = z.object({
  $set: z.looseObject({ messages: z.unknown().optional(), summary: text, sessionId: text }),
})
export const Cut = z.object({ $rewindTo: z.string() })
