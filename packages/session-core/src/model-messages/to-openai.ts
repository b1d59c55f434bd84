import type { JsonValue } from '../words/json.ts'
import type { CallPart, FilePart, Message, Part, ResultPart, TextPart } from '../words/message.ts'
import { dataUrl } from './data-url.ts'
import { exchangesOf } from './exchange.ts'
import { imageTypeOf } from './image-type.ts'
import { isCarrier, keptForMessage, keptForPart } from './kept.ts'
import { OpenAIFileInput } from './openai-input.ts'
import type {
  OpenAIAssistantMessage,
  OpenAICall,
  OpenAIFile,
  OpenAIMessage,
  OpenAIText,
  OpenAIToolMessage,
} from './openai-message.ts'
import { objectOf, parseArguments } from './plain-json.ts'
import { contentOf, noteOnFile, shownIn, type ShownTexts, withNotes } from './shown.ts'
import { stringOrParts } from './string-or-parts.ts'

const keeper = 'openaiChat'

export function toOpenAI(messages: Iterable<Message>, texts: ShownTexts): OpenAIMessage[] {
  return exchangesOf(messages).flatMap(({ message, results }) => [
    ...(message ? messageOf(message, texts) : []),
    ...results.map((result) => toolMessage(result, texts)),
  ])
}

function messageOf({ role, content }: Message, texts: ShownTexts): OpenAIMessage[] {
  const beyond = keptForMessage(keeper, content)
  switch (role) {
    case 'system': {
      const instructions = stringOrParts(content.flatMap((part) => said(part, texts)))
      const developer = beyond['role'] === 'developer'
      return [{ ...beyond, role: developer ? 'developer' : role, content: instructions }]
    }
    case 'user':
      return [{ ...beyond, role, content: stringOrParts(content.flatMap((part) => given(part, texts))) }]
    case 'assistant':
      return answer(content, texts)
    case 'tool':
      return []
    default:
      return role satisfies never
  }
}

/** OpenAI has no place for reasoning, and refuses an empty answer: one that holds only reasoning is left out. */
function answer(content: readonly Part[], texts: ShownTexts): OpenAIAssistantMessage[] {
  const isThought = content.length > 0 && content.every((part) => part.type === 'reasoning' && !isCarrier(keeper, part))
  if (isThought) return []
  const answered = content.filter((part) => !isRefusal(part)).flatMap((part) => said(part, texts))
  const refused = content.filter(isRefusal).map(({ text }) => shownIn(texts, text))
  const calls = content.filter((part) => part.type === 'call').map(callOf)
  return [
    {
      ...keptForMessage(keeper, content),
      role: 'assistant',
      content: answered.length === 0 ? null : stringOrParts(answered),
      ...(refused.length > 0 && { refusal: refused.join('\n') }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function toolMessage(result: ResultPart, texts: ShownTexts): OpenAIToolMessage {
  // The API accepts only text here.
  const content = withNotes(shownIn(texts, result.text), result.files ?? [])
  return { ...keptForMessage(keeper, [result]), role: 'tool', tool_call_id: result.callId, content }
}

function isRefusal(part: Part): part is TextPart {
  return part.type === 'text' && keptForPart(keeper, part)['type'] === 'refusal'
}

/** A part converted to text, where only text is allowed. */
function said(part: Part, texts: ShownTexts): OpenAIText[] {
  if (part.type === 'file') return [{ type: 'text', text: noteOnFile(part) }]
  if (part.type !== 'text') return []
  return [{ ...keptForPart(keeper, part), type: 'text', text: shownIn(texts, part.text) }]
}

function given(part: Part, texts: ShownTexts): (OpenAIText | OpenAIFile)[] {
  const file = part.type === 'file' ? fileOf(part, texts) : fileElsewhere(part)
  return file ? [file] : said(part, texts)
}

/** The original of a note that stands for a file only the API has. */
function fileElsewhere(part: Part): OpenAIFile | undefined {
  const kept = keptForPart(keeper, part)
  return OpenAIFileInput.safeParse(kept).success ? { ...kept, type: 'file', file: objectOf(kept['file']) } : undefined
}

function fileOf(part: FilePart, texts: ShownTexts): OpenAIFile | undefined {
  const { mediaType, name } = part
  const kept = keptForPart(keeper, part)
  const content = contentOf(texts, part)
  if (content === undefined) return undefined
  if (mediaType.startsWith('image')) {
    const url =
      'url' in content
        ? content.url
        : dataUrl({ mediaType: imageTypeOf(mediaType, content.base64), data: content.base64 })
    return { ...kept, type: 'image_url', image_url: { ...objectOf(kept['image_url']), url } }
  }
  // The API accepts only images by URL.
  if ('url' in content) return undefined
  const format = audioFormat(mediaType)
  if (format) {
    const input_audio = { ...objectOf(kept['input_audio']), data: content.base64, format }
    return { ...kept, type: 'input_audio', input_audio }
  }
  const file = { filename: name ?? 'file', file_data: dataUrl({ mediaType, data: content.base64 }) }
  return { ...kept, type: 'file', file: { ...objectOf(kept['file']), ...file } }
}

function audioFormat(mediaType: string): 'wav' | 'mp3' | undefined {
  if (/^audio\/(mpeg|mp3)$/.test(mediaType)) return 'mp3'
  return /^audio\/(x-)?wav$/.test(mediaType) ? 'wav' : undefined
}

function callOf(part: CallPart): OpenAICall {
  const { id, name, input, malformed } = part.call
  const kept = keptForPart(keeper, part)
  if (kept['type'] === 'custom' && typeof input === 'string') {
    return { ...kept, id, type: 'custom', custom: { ...objectOf(kept['custom']), name, input } }
  }
  const { arguments: written, ...beyond } = objectOf(kept['function'])
  const made = { ...beyond, name, arguments: malformed ?? argumentsOf(input, written) }
  return { ...kept, id, type: 'function', function: made }
}

/** The arguments as originally written, if they still have the same value. */
function argumentsOf(input: JsonValue, written: unknown): string {
  const text = JSON.stringify(input)
  const same = typeof written === 'string' && JSON.stringify(parseArguments(written)) === text
  return same ? written : text
}
