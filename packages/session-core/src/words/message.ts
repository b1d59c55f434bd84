import * as z from 'zod/mini'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { JsonObject, JsonValue } from './json.ts'
import { shownText, StoredText } from './stored-text.ts'
import { Timestamp } from './time.ts'
import { described, lazyObject, nonEmpty, object } from './schema.ts'

/** How a call ended. `unknown`: it may or may not have taken effect. This is never turned into anything else. */
export const ToolOutcome = /* @__PURE__ */ z.enum(['ok', 'failed', 'denied', 'interrupted', 'unknown'])
export type ToolOutcome = z.infer<typeof ToolOutcome>

/** One use of a tool, as the model asked for it. Results refer to it by `id`. */
export const ToolCall = /* @__PURE__ */ lazyObject(() => ({
  id: described(Id, 'made once, when the call is run'),
  name: described(nonEmpty, 'name of the tool'),
  input: described(JsonValue, 'arguments; an empty object when they could not be read'),
  malformed: described(z.optional(z.string()), 'the arguments as the model wrote them, when they are not JSON'),
  providerId: described(z.optional(z.string()), 'the id that the provider gave; it may repeat one'),
  recovered: described(z.optional(z.literal(true)), 'read out of plain text, because the model did not call natively'),
}))
export type ToolCall = Immutable<z.infer<typeof ToolCall>>

const providerMetadata = /* @__PURE__ */ described(
  /* @__PURE__ */ z.optional(JsonObject),
  'opaque; goes back to the provider as it came',
)

/** Plain text of a message. */
export const TextPart = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('text'),
  text: StoredText,
  file: described(z.optional(z.string()), 'the file that it quotes'),
  providerMetadata,
}))
export type TextPart = Immutable<z.infer<typeof TextPart>>

/** What the model thought before it answered. Providers sign it in `providerMetadata`, so it goes back unchanged. */
export const ReasoningPart = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('reasoning'),
  text: StoredText,
  providerMetadata,
}))
export type ReasoningPart = Immutable<z.infer<typeof ReasoningPart>>

/** A text file that the user named, as the model sees it. */
export const QuotedFile = /* @__PURE__ */ lazyObject(() => ({ file: nonEmpty, text: StoredText }))
export type QuotedFile = Immutable<z.infer<typeof QuotedFile>>

/** An image or another file in a message: its bytes, or a reference to them. */
export const FilePart = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('file'),
  mediaType: described(nonEmpty, 'for example image/png'),
  name: described(z.optional(z.string()), 'a name to show'),
  source: described(
    z.discriminatedUnion('kind', [
      object({ kind: z.literal('url'), url: nonEmpty }),
      object({ kind: z.literal('base64'), data: described(StoredText, 'the bytes in base64') }),
      object({ kind: z.literal('path'), path: described(nonEmpty, 'relative to the project') }),
    ]),
    'where the content is',
  ),
  providerMetadata,
}))
export type FilePart = Immutable<z.infer<typeof FilePart>>

/** A tool call in a message of the model. */
export const CallPart = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('call'),
  call: ToolCall,
  providerMetadata,
}))
export type CallPart = Immutable<z.infer<typeof CallPart>>

/** The result of a tool call, in the message that answers it. */
export const ResultPart = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('result'),
  callId: described(Id, 'the call that this answers'),
  name: described(nonEmpty, 'name of the tool'),
  outcome: ToolOutcome,
  text: described(StoredText, 'what the model is told'),
  files: described(z.optional(z.array(FilePart)), 'files and images that belong to the result'),
  providerMetadata,
}))
export type ResultPart = Immutable<z.infer<typeof ResultPart>>

/** The content of a message is a list of these. */
export const Part = /* @__PURE__ */ z.discriminatedUnion('type', [
  TextPart,
  ReasoningPart,
  FilePart,
  CallPart,
  ResultPart,
])
export type Part = Immutable<z.infer<typeof Part>>

/** What a model may answer with: anything but results. */
export const AnswerPart = /* @__PURE__ */ z.discriminatedUnion('type', [TextPart, ReasoningPart, FilePart, CallPart])
export type AnswerPart = Immutable<z.infer<typeof AnswerPart>>

/** What brought a message into the conversation. A view can tell what the user typed from what the runtime added. */
export const MessageOrigin = /* @__PURE__ */ z.enum(['input', 'steering', 'model', 'tool', 'note', 'summary', 'import'])
export type MessageOrigin = z.infer<typeof MessageOrigin>

/**
 * One message of the window that the model sees. Its id is that of what caused it: the input, the request, the call,
 * the timeline entry or the compaction.
 */
export const Message = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  origin: described(MessageOrigin, 'who caused it: a note comes from the runtime, not from the user'),
  content: z.array(Part),
  at: described(Timestamp, 'time of the event that caused it'),
  interrupted: described(z.optional(z.literal(true)), 'an answer that was cut off; what had arrived is kept'),
}))
export type Message = Immutable<z.infer<typeof Message>>

/** The tool calls in a message, in their order. */
export function callsOf(content: readonly Part[]): ToolCall[] {
  const calls: ToolCall[] = []
  for (const part of content) if (part.type === 'call') calls.push(part.call)
  return calls
}

/** The text parts in one string, without quoted files; long texts as far as they are shown. */
export function textOf(content: readonly Part[]): string {
  let text = ''
  for (const part of content) if (part.type === 'text' && part.file === undefined) text += shownText(part.text)
  return text
}

/**
 * The first fault in the pairing of calls and results, or undefined. Every call must have exactly one result, after it
 * and before the next message that is not a result; the `open` calls may still lack theirs, at the end.
 */
export function pairingFault(messages: Iterable<Message>, open: ReadonlySet<string> = new Set()): string | undefined {
  let waiting = new Set<string>()
  for (const message of messages) {
    const unanswered = [...waiting].filter((id) => !open.has(id))
    if (message.role !== 'tool' && unanswered.length > 0) {
      return `call ${unanswered[0]} has no result before message ${message.id}`
    }
    for (const part of message.content) {
      if (part.type === 'result' && !waiting.delete(part.callId)) {
        return `the result in message ${message.id} answers call ${part.callId}, which is not waiting for one`
      }
    }
    const calls = callsOf(message.content)
    if (calls.length > 0) waiting = new Set(calls.map((call) => call.id))
    if (waiting.size < calls.length) return `message ${message.id} makes two calls with one id`
  }
  const unanswered = [...waiting].find((id) => !open.has(id))
  if (unanswered !== undefined) return `call ${unanswered} has no result`
  const absent = [...open].find((id) => !waiting.has(id))
  return absent === undefined ? undefined : `call ${absent} waits for its result, but is not among the last calls`
}
