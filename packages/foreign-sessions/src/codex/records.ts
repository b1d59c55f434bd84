import * as z from 'zod'
import { count, flag, loose, looseList, text } from '../source/loose.ts'

export const CodexLine = z.object({
  type: z.string(),
  timestamp: text,
  ordinal: count,
  payload: z.looseObject({}),
  metadata: loose(z.object({ compaction_output: flag })),
})

export const Meta = z.object({
  id: text,
  session_id: text,
  timestamp: text,
  cwd: text,
  cli_version: text,
  model_provider: text,
  forked_from_id: text,
  history_base: loose(z.object({ thread_id: text, end_ordinal_exclusive: count })),
})

export const TurnContext = z.object({ cwd: text, model: text })

const Part = z.object({ type: z.string(), text: text, image_url: text })

const passthrough = {
  internal_chat_message_metadata_passthrough: loose(z.object({ content_item_kinds: looseList(z.string()) })),
}

export const ResponseItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), id: text, role: z.string(), content: looseList(Part), ...passthrough }),
  z.object({
    type: z.literal('reasoning'),
    id: text,
    summary: looseList(z.object({ text: z.string() })),
    content: looseList(z.object({ text: z.string() })),
    encrypted_content: text,
  }),
  z.object({
    type: z.literal('function_call'),
    name: z.string().min(1),
    arguments: z.string(),
    call_id: z.string().min(1),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    name: z.string().min(1),
    input: z.string(),
    call_id: z.string().min(1),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: z.unknown().optional() }),
  z.object({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output: z.unknown().optional() }),
])
export type ResponseItem = z.infer<typeof ResponseItem>
export type ResponseMessage = Extract<ResponseItem, { type: 'message' }>

export const Compacted = z.object({ message: text, replacement_history: looseList(ResponseItem) })

export const UsageRecord = z.object({
  usage: z.object({
    input_tokens: count,
    cached_input_tokens: count,
    cache_write_input_tokens: count,
    output_tokens: count,
    reasoning_output_tokens: count,
  }),
})

/** The events on the screen: they repeat the items, and add facts that the model does not see. */
const ScreenItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('UserMessage'), content: looseList(z.object({ text: text })) }),
  z.object({ type: z.literal('AgentMessage'), id: text }),
  z.object({
    type: z.literal('CommandExecution'),
    id: z.string(),
    status: text,
    exit_code: z.number().optional().catch(undefined),
  }),
  z.object({ type: z.literal('FileChange'), id: z.string(), status: text }),
  z.object({ type: z.literal('McpToolCall'), id: z.string(), status: text }),
])

export const ScreenEvent = z.object({
  type: z.string(),
  turn_id: text,
  item: loose(ScreenItem),
  message: text,
  num_turns: count,
  reason: text,
  error: loose(z.object({ message: text, status: count })),
  call_id: text,
  exit_code: z.number().optional().catch(undefined),
  success: flag,
})
export type ScreenEvent = z.infer<typeof ScreenEvent>
