import { type AnswerPart, type FilePart, shownText, type ToolCall } from '@loader/session-core'
import type { LanguageModelV4Content } from '@ai-sdk/provider'
import { toModelMetadata } from './metadata.ts'
import { fileData } from './prompt-file.ts'

/** A part of an answer for the AI SDK. */
export function modelContent(part: AnswerPart): LanguageModelV4Content[] {
  const metadata = toModelMetadata(part)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: shownText(part.text), ...metadata }]
    case 'file':
      return fileContent(part).map((file) => ({ ...file, ...metadata }))
    case 'call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.call.id,
          toolName: part.call.name,
          input: argumentsText(part.call),
          ...metadata,
        },
      ]
    default:
      return part satisfies never
  }
}

/** The arguments as the model wrote them, so that a reader can see the error in them. */
function argumentsText({ input, malformed }: ToolCall): string {
  return malformed ?? JSON.stringify(input)
}

function fileContent({ mediaType, source }: FilePart): Extract<LanguageModelV4Content, { type: 'file' }>[] {
  if (source.kind === 'url') return [{ type: 'file', mediaType, data: fileData(source.url) }]
  const data = source.kind === 'base64' && typeof source.data === 'string' ? source.data : undefined
  return data === undefined ? [] : [{ type: 'file', mediaType, data: { type: 'data', data } }]
}
