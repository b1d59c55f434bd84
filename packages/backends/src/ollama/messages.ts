import { type AiSdkMessage, type JsonObject, type ModelRequest, toModelMessages } from '@loader/session-core'
import { SpokenPrompts } from '../ai-sdk/spoken-prompts.ts'

/** A message in the format of `/api/chat`. */
type OllamaMessage =
  | { role: 'system' | 'user'; content: string; images?: string[] }
  | { role: 'assistant'; content: string; thinking?: string; images?: string[]; tool_calls?: OllamaCall[] }
  | { role: 'tool'; content: string; tool_name: string; tool_call_id: string; images?: string[] }

interface OllamaCall {
  id: string
  function: { name: string; arguments: object }
}

type MessageOf<Role extends AiSdkMessage['role']> = Extract<AiSdkMessage, { role: Role }>
type PartOf<Role extends AiSdkMessage['role']> = Exclude<MessageOf<Role>['content'], string>[number]
type Output = PartOf<'tool'>['output']

export type OllamaPrompts = (request: Pick<ModelRequest, 'system' | 'messages'>) => OllamaMessage[]

export function ollamaPrompts(): OllamaPrompts {
  const prompts = new SpokenPrompts<OllamaMessage>((exchange, { ids }) =>
    toModelMessages(ids.put(exchange), 'ai-sdk').flatMap(messagesOf),
  )
  return ({ system, messages }) => {
    const instructions: OllamaMessage[] = system === '' ? [] : [{ role: 'system', content: system }]
    return [...instructions, ...prompts.of(messages)]
  }
}

function messagesOf(message: AiSdkMessage): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [userMessage(message)]
    case 'assistant':
      return answer(message)
    case 'tool':
      return message.content.filter(({ type }) => type === 'tool-result').map(resultMessage)
    default:
      return message satisfies never
  }
}

function userMessage({ content }: MessageOf<'user'>): OllamaMessage {
  if (typeof content === 'string') return { role: 'user', content }
  const texts = content.map((part) => (part.type === 'text' ? part.text : noteOn(part)))
  return { role: 'user', content: joined(texts, '\n'), ...imagesOf(content) }
}

/** An answer with only reasoning is left out: the model cannot continue from it. */
function answer({ content }: MessageOf<'assistant'>): OllamaMessage[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const text = joined(
    parts.map((part) => (part.type === 'text' ? part.text : noteOn(part))),
    '',
  )
  const thinking = joined(
    parts.map((part) => (part.type === 'reasoning' ? part.text : '')),
    '\n',
  )
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [callOf(part)] : []))
  const images = imagesOf(parts)
  if (text.trim() === '' && calls.length === 0 && images.images === undefined) return []
  return [
    {
      role: 'assistant',
      content: text,
      ...(thinking !== '' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...images,
    },
  ]
}

function callOf({
  toolCallId: id,
  toolName: name,
  input,
}: Extract<PartOf<'assistant'>, { type: 'tool-call' }>): OllamaCall {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return { id, function: { name, arguments: isObject ? input : {} } }
}

function resultMessage({ toolCallId, toolName, output }: PartOf<'tool'>): OllamaMessage {
  const images = output.type === 'content' ? imagesOf(output.value) : {}
  return { role: 'tool', content: outputText(output), tool_name: toolName, tool_call_id: toolCallId, ...images }
}

function outputText(output: Output): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason ?? 'The call was denied.'
    case 'content':
      return joined(
        output.value.map((item) => (item.type === 'text' ? item.text : noteOn(item))),
        '\n',
      )
    default:
      return output satisfies never
  }
}

interface Part {
  readonly type: string
  readonly mediaType?: string
  readonly data?: string
  readonly image?: string
  readonly url?: string
  readonly filename?: string
}

/** Images as plain base64; other files cannot be sent. */
function imagesOf(parts: readonly Part[]): { images?: string[] } {
  const images = parts.flatMap((part) => imageIn(part) ?? [])
  return images.length === 0 ? {} : { images }
}

function imageIn({ type, mediaType = 'image', data, image }: Part): string | undefined {
  const isFile = type === 'file' || type === 'image' || type === 'image-data'
  const content = data ?? image
  const isImage = isFile && mediaType.startsWith('image') && content !== undefined
  return isImage && !content.includes(':') ? content : undefined
}

/** A note in place of a file that cannot be sent. */
function noteOn(part: Part): string {
  const { type, mediaType = 'image', filename, url, data, image } = part
  const isFile = type === 'file' || type.startsWith('file-') || type.startsWith('image')
  if (!isFile || imageIn(part) !== undefined) return ''
  const place = [url, data, image].find((text) => text?.includes(':')) ?? 'not shown'
  return `[file ${filename === undefined ? '' : `${filename} `}(${mediaType}): ${place}]`
}

function joined(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== '').join(separator)
}

export function ollamaTools({ tools }: Pick<ModelRequest, 'tools'>): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }))
}
