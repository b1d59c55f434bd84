import type { CallPart, FilePart, Message, Part, ResultPart } from '../words/message.ts'
import type {
  AiSdkAssistantMessage,
  AiSdkFile,
  AiSdkImage,
  AiSdkMessage,
  AiSdkText,
  AiSdkToolCall,
  AiSdkToolMessage,
  AiSdkToolResult,
  AiSdkUserMessage,
} from './ai-sdk-message.ts'
import { asOptions, optionsOf } from './ai-sdk-options.ts'
import { exchangesOf } from './exchange.ts'
import { anyImage } from './image-type.ts'
import { isCarrier, keptForMessage, keptForPart } from './kept.ts'
import { copyOf, isPlainObject, objectOf } from './plain-json.ts'
import { contentOf, noteOnFile, shownIn, type ShownTexts } from './shown.ts'
import { stringOrParts } from './string-or-parts.ts'
import { outputOf } from './to-ai-sdk-output.ts'

const keeper = 'aiSdk'

type UserPart = Exclude<AiSdkUserMessage['content'], string>[number]
type AnswerPart = Exclude<AiSdkAssistantMessage['content'], string>[number]

export function toAiSdk(messages: Iterable<Message>, texts: ShownTexts): AiSdkMessage[] {
  return exchangesOf(messages).flatMap(({ message, results }) => [
    ...(message ? messageOf(message, texts) : []),
    ...toolMessage(message, results, texts),
  ])
}

function messageOf({ role, content }: Message, texts: ShownTexts): AiSdkMessage[] {
  const options = asOptions(keptForMessage(keeper, content)['providerOptions'])
  switch (role) {
    case 'system':
      return [
        {
          role,
          content: content
            .flatMap((part) => said(part, texts))
            .map(({ text }) => text)
            .join(''),
          ...options,
        },
      ]
    case 'user':
      return [{ role, content: stringOrParts(content.flatMap((part) => userPart(part, texts))), ...options }]
    case 'assistant':
      return [{ role, content: stringOrParts(content.flatMap((part) => answerPart(part, texts))), ...options }]
    case 'tool':
      return []
    default:
      return role satisfies never
  }
}

/** All results of an answer, behind the approvals that it asked for. */
function toolMessage(
  message: Message | undefined,
  results: readonly ResultPart[],
  texts: ShownTexts,
): AiSdkToolMessage[] {
  const approvals = (message?.content ?? []).filter(isApproval).flatMap(asItCame)
  const content = [...approvals, ...results.map((result) => toolResult(result, texts))]
  const options = asOptions(keptForMessage(keeper, results)['providerOptions'])
  return content.length === 0 ? [] : [{ role: 'tool', content, ...options }]
}

function toolResult(result: ResultPart, texts: ShownTexts): AiSdkToolResult {
  const { callId: toolCallId, name: toolName } = result
  return { type: 'tool-result', toolCallId, toolName, output: outputOf(result, texts), ...optionsOf(result) }
}

function userPart(part: Part, texts: ShownTexts): UserPart[] {
  const whole = asItCame(part)
  if (whole.length > 0) return whole
  if (part.type !== 'file') return said(part, texts)
  const file = fileOf(part, texts)
  return file ? [asImage(file, part)] : said(part, texts)
}

function answerPart(part: Part, texts: ShownTexts): AnswerPart[] {
  if (isApproval(part) || isCarrier(keeper, part)) return []
  const whole = asItCame(part)
  if (whole.length > 0) return whole
  switch (part.type) {
    case 'text':
      return said(part, texts)
    case 'reasoning':
      return [{ type: 'reasoning', text: shownIn(texts, part.text), ...optionsOf(part) }]
    case 'file':
      return [fileOf(part, texts) ?? noted(part)]
    case 'call':
      return [callOf(part)]
    case 'result':
      return []
    default:
      return part satisfies never
  }
}

/** A part that only some versions know. It has no type here, so that the types fit all of them. */
function asItCame(part: Part) {
  const { whole } = keptForPart(keeper, part)
  return isPlainObject(whole) ? [JSON.parse(JSON.stringify(whole))] : []
}

function isApproval(part: Part): boolean {
  return objectOf(keptForPart(keeper, part)['whole'])['type'] === 'tool-approval-response'
}

/** A part converted to text, where only text is allowed. */
function said(part: Part, texts: ShownTexts): AiSdkText[] {
  if (part.type === 'file') return [noted(part)]
  return part.type === 'text' ? [{ type: 'text', text: shownIn(texts, part.text), ...optionsOf(part) }] : []
}

function noted(file: FilePart): AiSdkText {
  return { type: 'text', text: noteOnFile(file) }
}

function fileOf(part: FilePart, texts: ShownTexts): AiSdkFile | undefined {
  const { mediaType, name } = part
  const content = contentOf(texts, part)
  if (content === undefined) return undefined
  const data = 'url' in content ? content.url : content.base64
  return { type: 'file', data, mediaType, ...(name !== undefined && { filename: name }), ...optionsOf(part) }
}

/** A file needs a media type, so an image of unknown type is sent as an image, whose type the AI SDK detects. */
function asImage(file: AiSdkFile, part: FilePart): AiSdkFile | AiSdkImage {
  const { data: image, mediaType } = file
  const type = keptForPart(keeper, part)['type'] ?? (mediaType === anyImage ? 'image' : 'file')
  if (type !== 'image') return file
  return { type, image, ...(mediaType !== anyImage && { mediaType }), ...optionsOf(part) }
}

function callOf(part: CallPart): AiSdkToolCall {
  const { id, name, input } = part.call
  return { type: 'tool-call', toolCallId: id, toolName: name, input: copyOf(input), ...optionsOf(part) }
}
