import { LoaderError } from '../words/errors.ts'
import type { Message } from '../words/message.ts'
import type { AiSdkMessage } from './ai-sdk-message.ts'
import { fromAiSdk } from './from-ai-sdk.ts'
import { fromOpenAI } from './from-openai.ts'
import type { OpenAIMessage } from './openai-message.ts'
import { type FromModelMessagesOptions, type ImportedMessages, pairDrafts } from './pair-drafts.ts'
import { toAiSdk } from './to-ai-sdk.ts'
import { toOpenAI } from './to-openai.ts'

/** `openai`: the OpenAI Chat Completions API and what is compatible with it. `ai-sdk`: the AI SDK, version 5 to 7. */
export type ModelMessageShape = 'openai' | 'ai-sdk'

/** Long texts that messages only refer to, so that the converted messages contain them in full. */
export interface ToModelMessagesOptions {
  /** Long texts by the name of their blob. If one is missing, only its beginning is shown. */
  readonly texts?: ReadonlyMap<string, string>
}

const shapes = {
  openai: { to: toOpenAI, from: fromOpenAI },
  'ai-sdk': { to: toAiSdk, from: fromAiSdk },
} as const

/**
 * The messages of a session for another program; results follow their answer in the order of its calls.
 *
 * What `fromModelMessages` took goes back equal, in one form where the shape has several:
 * - A list with nothing but one plain text is a string; the texts of a result are one text, in lines.
 * - Results stand right behind their answer: one message each for OpenAI, one for all of them in the AI SDK.
 * - A call id that was repeated, empty or above 256 characters is the one that replaced it.
 * - OpenAI: no content is null; a refusal is a field of its message; `function_call` is a tool call; a document without
 *   a name is called `file`.
 * - AI SDK: bytes and data URLs are base64, URL objects are strings, values are JSON; in a result files stand behind the
 *   text, under the names of version 6; the tool of a result is that of its call; unknown fields and empty options go.
 *
 * Not every shape has room for everything. OpenAI gets no reasoning, and no sign that a call failed but its text. Where
 * a file cannot stand, a note names it. The AI SDK gets an empty input for arguments that are not JSON.
 */
export function toModelMessages(
  messages: Iterable<Message>,
  shape: 'openai',
  options?: ToModelMessagesOptions,
): OpenAIMessage[]
export function toModelMessages(
  messages: Iterable<Message>,
  shape: 'ai-sdk',
  options?: ToModelMessagesOptions,
): AiSdkMessage[]
export function toModelMessages(
  messages: Iterable<Message>,
  shape: ModelMessageShape,
  { texts = new Map() }: ToModelMessagesOptions = {},
): OpenAIMessage[] | AiSdkMessage[] {
  return known(shape).to(messages, texts)
}

/**
 * The messages of another program for `session.imported`, as an array of that program's messages has them. What cannot
 * be read is refused with `invalid_message`; what can be read but not taken over is among the losses, in words.
 */
export function fromModelMessages(
  messages: readonly unknown[],
  shape: ModelMessageShape,
  options: FromModelMessagesOptions,
): ImportedMessages {
  const { from } = known(shape)
  if (!Array.isArray(messages)) throw notAnArray()
  // Spread, so that a hole in the array is reported as an invalid message.
  return pairDrafts(from([...messages]), options)
}

function known(shape: ModelMessageShape): (typeof shapes)[ModelMessageShape] {
  if (Object.hasOwn(shapes, shape)) return shapes[shape]
  const message = `There is no shape ${JSON.stringify(shape)} of messages. Use "openai" or "ai-sdk".`
  throw new LoaderError('invalid_message', message)
}

function notAnArray(): LoaderError {
  const message = 'The messages are not an array. Pass the messages of the conversation as an array, in their order.'
  return new LoaderError('invalid_message', message)
}
