import { JsonValue } from '@loader/session-core'
import * as z from 'zod'
import { count, flag, loose, text } from '../source/loose.ts'

const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens_details: loose(z.object({ thinking_tokens: count })),
})
export type ClaudeUsage = z.infer<typeof Usage>

const Message = z.object({
  id: text,
  role: text,
  model: text,
  content: z.union([z.string(), z.array(z.unknown())]).catch([]),
  stop_reason: text,
  usage: loose(Usage),
})

/** A record that belongs to a branch of the conversation. */
export const WholeRecord = z.object({
  type: z.string(),
  subtype: text,
  uuid: z.string().min(1),
  parentUuid: z.string().nullish().catch(undefined),
  logicalParentUuid: text,
  timestamp: text,
  sessionId: text,
  cwd: text,
  version: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  turnCompanion: flag,
  origin: loose(z.looseObject({})),
  promptSource: text,
  isApiErrorMessage: flag,
  apiErrorStatus: count,
  isAbortedMidStream: flag,
  toolDenialKind: text,
  permissionDecision: loose(z.object({ decision: text, source: text, reasonType: text, reasonCode: text })),
  compactMetadata: loose(
    z.object({
      preTokens: count,
      postTokens: count,
      preservedMessages: loose(z.object({ uuids: loose(z.array(z.string())) })),
      preservedSegment: loose(z.object({ headUuid: text })),
    }),
  ),
  error: loose(z.union([z.string(), z.looseObject({ message: text, status: count })])),
  message: loose(Message),
})
export type WholeRecord = z.infer<typeof WholeRecord>

/** The fields needed of every record. The content of its message is read again only when it is needed. */
export type TreeRecord = Omit<WholeRecord, 'message'> & {
  readonly line: number
  readonly message?: Omit<NonNullable<WholeRecord['message']>, 'content'>
  /** The ids of the calls whose results it contains. */
  readonly results: readonly string[]
  /** Whether it exists to carry results, valid or not. */
  readonly bringsResult: boolean
  readonly blocks: () => ClaudeBlock[]
}

/** A record about the session as a whole. */
export const SideRecord = z.object({
  type: z.string(),
  sessionId: text,
  leafUuid: text,
  customTitle: text,
  aiTitle: text,
})
export type SideRecord = z.infer<typeof SideRecord> & { readonly line: number }

const Picture = z.object({
  type: z.enum(['image', 'document']),
  source: z.union([
    z.object({ type: z.literal('base64'), media_type: z.string().min(1), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string().min(1) }),
  ]),
})

export const ClaudeBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: text }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string().min(1), name: z.string().min(1), input: JsonValue }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z
      .union([z.string(), z.array(z.unknown())])
      .optional()
      .catch(undefined),
    is_error: flag,
  }),
  Picture,
])
export type ClaudeBlock = z.infer<typeof ClaudeBlock>
export type Picture = z.infer<typeof Picture>
