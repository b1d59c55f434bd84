import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'

type MessageOf<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>
type PartOf<Role extends 'user' | 'assistant' | 'tool'> = Extract<
  LanguageModelV3Message,
  { role: Role }
>['content'][number]
type ItemOf<Output> = Extract<Output, { type: 'content'; value: unknown[] }>['value'][number]

/** Converts a prompt to specification 3, which has fewer part types. */
export function promptV3(prompt: LanguageModelV4Prompt): LanguageModelV3Prompt {
  return prompt.map((message): LanguageModelV3Message => {
    switch (message.role) {
      case 'system':
        return message
      case 'user':
        return { ...message, content: message.content.map((part) => (part.type === 'file' ? fileV3(part) : part)) }
      case 'assistant':
        return { ...message, content: message.content.flatMap(answerPartV3) }
      case 'tool':
        return { ...message, content: message.content.map(toolPartV3) }
      default:
        return message satisfies never
    }
  })
}

function answerPartV3(part: MessageOf<'assistant'>['content'][number]): PartOf<'assistant'>[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool-call':
      return [part]
    case 'file':
      return [fileV3(part)]
    case 'tool-result':
      return [{ ...part, output: outputV3(part.output) }]
    case 'custom':
    case 'reasoning-file':
      return []
    default:
      return part satisfies never
  }
}

function toolPartV3(part: MessageOf<'tool'>['content'][number]): PartOf<'tool'> {
  return part.type === 'tool-result' ? { ...part, output: outputV3(part.output) } : part
}

function fileV3({ data, mediaType, ...rest }: LanguageModelV4FilePart): LanguageModelV3FilePart {
  const type = mediaType.includes('/') ? mediaType : `${mediaType}/*`
  return { ...rest, mediaType: type, data: data.type === 'url' ? data.url : data.type === 'data' ? data.data : '' }
}

function outputV3(output: LanguageModelV4ToolResultOutput): LanguageModelV3ToolResultOutput {
  return output.type === 'content' ? { ...output, value: output.value.flatMap(itemV3) } : output
}

function itemV3(item: ItemOf<LanguageModelV4ToolResultOutput>): ItemOf<LanguageModelV3ToolResultOutput>[] {
  if (item.type !== 'file') return [item]
  const { data, mediaType, filename, providerOptions } = item
  const options = providerOptions && { providerOptions }
  const isImage = mediaType.startsWith('image')
  if (data.type === 'url') return [{ type: isImage ? 'image-url' : 'file-url', url: data.url.href, ...options }]
  if (data.type !== 'data' || typeof data.data !== 'string') return []
  if (isImage) return [{ type: 'image-data', data: data.data, mediaType, ...options }]
  return [{ type: 'file-data', data: data.data, mediaType, ...(filename !== undefined && { filename }), ...options }]
}
