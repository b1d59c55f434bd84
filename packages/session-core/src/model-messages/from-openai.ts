import type * as z from 'zod/mini'
import type { AnswerPart, CallPart, FilePart, TextPart } from '../words/message.ts'
import { parseDataUrl } from './data-url.ts'
import type { Draft, DraftResult } from './draft.ts'
import { anyImage } from './image-type.ts'
import { fieldsOf, keep, keepForMessage, withMessage } from './kept.ts'
import {
  OpenAIInput,
  type OpenAIAudioInput,
  type OpenAICallInput,
  type OpenAIFileInput,
  type OpenAIImageInput,
} from './openai-input.ts'
import { parseMessage } from './parse-message.ts'
import { parseArguments } from './plain-json.ts'

const keeper = 'openaiChat'

type InputOf<Role extends OpenAIInput['role']> = Extract<OpenAIInput, { role: Role }>

export function fromOpenAI(messages: readonly unknown[]): Draft[] {
  return messages.map((value, index) => {
    const message = parseMessage(OpenAIInput, 'the OpenAI Chat Completions API', value, index)
    switch (message.role) {
      case 'system':
      case 'developer':
        return instructions(message, index)
      case 'user':
        return userMessage(message, index)
      case 'assistant':
        return answer(message, index)
      case 'tool':
        return result(message, index)
      case 'function':
        return functionResult(message, index)
      default:
        return message satisfies never
    }
  })
}

function instructions(message: InputOf<'system' | 'developer'>, index: number): Draft {
  const { role, content, ...rest } = message
  const beyond = fieldsOf(role === 'developer' ? { ...rest, role } : rest)
  return { kind: 'message', index, role: 'system', content: keepForMessage(keeper, beyond, content.map(textPart)) }
}

function userMessage({ role, content, ...rest }: InputOf<'user'>, index: number): Draft {
  const parts = content.map((part) => (part.type === 'text' ? textPart(part) : filePart(part)))
  return { kind: 'message', index, role, content: keepForMessage(keeper, fieldsOf(rest), parts) }
}

function answer(message: InputOf<'assistant'>, index: number): Draft {
  const { role, content, refusal, tool_calls, function_call, ...rest } = message
  const parts: AnswerPart[] = [
    ...(content ?? []).map((part) => (part.type === 'text' ? textPart(part) : refusalPart(part.refusal))),
    ...(refusal ? [refusalPart(refusal)] : []),
    ...(tool_calls ?? []).map(callPart),
    // The older way to call has no ids; the name does for one, because repeated ids are matched in order.
    ...(function_call ? [callPart({ id: function_call.name, type: 'function', function: function_call })] : []),
  ]
  const beyond = fieldsOf(refusal ? rest : { ...rest, refusal })
  return { kind: 'message', index, role, content: keepForMessage(keeper, beyond, parts) }
}

function result({ role: _role, tool_call_id, content, ...rest }: InputOf<'tool'>, index: number): DraftResult {
  const said = { kind: 'result', index, callId: tool_call_id, outcome: 'ok', text: joined(content) } as const
  return { ...said, ...withMessage(keeper, fieldsOf(rest), {}) }
}

function functionResult({ name, content }: InputOf<'function'>, index: number): DraftResult {
  return { kind: 'result', index, callId: name, outcome: 'ok', text: joined(content ?? []) }
}

function joined(content: readonly { readonly text: string }[]): string {
  return content.map(({ text }) => text).join('\n')
}

function textPart({ type, text, ...rest }: { type: 'text'; text: string }): TextPart {
  return { type, text, ...keep(keeper, fieldsOf(rest)) }
}

function refusalPart(refusal: string): TextPart {
  return { type: 'text', text: refusal, ...keep(keeper, { type: 'refusal' }) }
}

function filePart(
  part: z.infer<typeof OpenAIImageInput | typeof OpenAIAudioInput | typeof OpenAIFileInput>,
): FilePart | TextPart {
  switch (part.type) {
    case 'image_url':
      return imagePart(part)
    case 'input_audio':
      return audioPart(part)
    case 'file':
      return documentPart(part)
    default:
      return part satisfies never
  }
}

function imagePart({ type, image_url, ...rest }: z.infer<typeof OpenAIImageInput>): FilePart {
  const { url, ...imageRest } = image_url
  const inline = parseDataUrl(url)
  return {
    type: 'file',
    mediaType: inline?.mediaType ?? anyImage,
    source: inline ? { kind: 'base64', data: inline.data } : { kind: 'url', url },
    ...keep(keeper, fieldsOf({ ...rest, [type]: fieldsOf(imageRest) })),
  }
}

function audioPart({ type, input_audio, ...rest }: z.infer<typeof OpenAIAudioInput>): FilePart {
  const { data, format, ...audioRest } = input_audio
  return {
    type: 'file',
    mediaType: format === 'mp3' ? 'audio/mpeg' : 'audio/wav',
    source: { kind: 'base64', data },
    ...keep(keeper, fieldsOf({ ...rest, [type]: fieldsOf(audioRest) })),
  }
}

/** A file that only the API has is shown as a note, and kept. */
function documentPart(part: z.infer<typeof OpenAIFileInput>): FilePart | TextPart {
  const { type, file, ...rest } = part
  const { file_data, filename, ...fileRest } = file
  const inline = file_data === undefined || file.file_id !== undefined ? undefined : parseDataUrl(file_data)
  if (inline === undefined) {
    return { type: 'text', text: `[file ${filename ?? file.file_id ?? ''}]`, ...keep(keeper, fieldsOf(part)) }
  }
  return {
    type,
    mediaType: inline.mediaType,
    ...(filename !== undefined && { name: filename }),
    source: { kind: 'base64', data: inline.data },
    ...keep(keeper, fieldsOf({ ...rest, [type]: fieldsOf(fileRest) })),
  }
}

function callPart(call: z.infer<typeof OpenAICallInput>): CallPart {
  if (call.type === 'custom') {
    const { id, type, custom, ...rest } = call
    const { name, input, ...customRest } = custom
    const beyond = fieldsOf({ ...rest, type, custom: fieldsOf(customRest) })
    return { type: 'call', call: { id, name, input }, ...keep(keeper, beyond) }
  }
  const { id, type: _type, function: made, ...rest } = call
  const { name, arguments: written, ...functionRest } = made
  const input = parseArguments(written)
  // Numbers and spaces are not read and written alike, and a cached prompt has to stay the same to the letter.
  const asWritten = input !== undefined && JSON.stringify(input) !== written ? { arguments: written } : {}
  return {
    type: 'call',
    call: { id, name, input: input === undefined ? {} : input, ...(input === undefined && { malformed: written }) },
    ...keep(keeper, fieldsOf({ ...rest, function: fieldsOf({ ...functionRest, ...asWritten }) })),
  }
}
