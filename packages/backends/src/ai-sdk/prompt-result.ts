import type { AiSdkMessage } from '@loader/session-core'
import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { fileData } from './prompt-file.ts'

type Output = Extract<AiSdkMessage, { role: 'tool' }>['content'][number]['output']
type Item = Extract<Output, { type: 'content' }>['value'][number]
type PromptItem = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number]

export function resultOutput(output: Output): LanguageModelV4ToolResultOutput {
  return output.type === 'content' ? { ...output, value: output.value.map(promptItem) } : output
}

/** Version 7 has one type for the four types of earlier versions. */
function promptItem(item: Item): PromptItem {
  const options = item.providerOptions && { providerOptions: item.providerOptions }
  switch (item.type) {
    case 'text':
      return item
    case 'file-data':
    case 'image-data': {
      const name = 'filename' in item && item.filename !== undefined ? { filename: item.filename } : {}
      return { type: 'file', data: fileData(item.data), mediaType: item.mediaType, ...name, ...options }
    }
    case 'file-url':
      return { type: 'file', data: fileData(item.url), mediaType: item.mediaType, ...options }
    case 'image-url':
      return { type: 'file', data: fileData(item.url), mediaType: 'image', ...options }
    default:
      // An item that was kept whole, because only its provider understands it.
      return item satisfies never
  }
}
