import type { JsonObject } from '../words/json.ts'
import type { FilePart, ToolOutcome } from '../words/message.ts'
import type { AiSdkOutputInput, AiSdkResultInput } from './ai-sdk-input.ts'
import type { DraftResult } from './draft.ts'
import { anyImage } from './image-type.ts'
import { fieldsOf, keep } from './kept.ts'

/** What the AI SDK tells the model when a call was denied without a reason. */
export const deniedWithoutReason = 'Tool execution denied.'

const outcomes = {
  text: 'ok',
  json: 'ok',
  content: 'ok',
  'error-text': 'failed',
  'error-json': 'failed',
  'execution-denied': 'denied',
} as const satisfies Record<AiSdkOutputInput['type'], ToolOutcome>

type Item = Extract<AiSdkOutputInput, { type: 'content' }>['value'][number]

export function resultDraft({ toolCallId, output, providerOptions }: AiSdkResultInput, index: number): DraftResult {
  const items = output.type === 'content' ? output.value : []
  const files = items.flatMap((item) => fileOf(item) ?? [])
  const foreign = items.filter((item) => item.type !== 'text' && fileOf(item) === undefined)
  const kept = fieldsOf({
    // The text of a JSON output is the JSON, so its type is all that has to be kept.
    type: output.type === 'text' || output.type === 'error-text' ? undefined : output.type,
    providerOptions: output.providerOptions,
    foreign: foreign.length > 0 ? foreign : undefined,
  })
  return {
    kind: 'result',
    index,
    callId: toolCallId,
    outcome: outcomes[output.type],
    text: textOf(output),
    ...(files.length > 0 && { files }),
    ...keep('aiSdk', kept && { output: kept }, providerOptions),
  }
}

function textOf(output: AiSdkOutputInput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason ?? deniedWithoutReason
    case 'content':
      return output.value.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
    default:
      return output satisfies never
  }
}

function fileOf(item: Item): FilePart | undefined {
  switch (item.type) {
    case 'media':
    case 'file-data':
    case 'image-data':
      return filePart(item, item.mediaType, { kind: 'base64', data: item.data })
    case 'image-url':
      return filePart(item, item.mediaType ?? anyImage, { kind: 'url', url: item.url })
    case 'file-url':
      return filePart(item, item.mediaType ?? 'application/octet-stream', { kind: 'url', url: item.url })
    default:
      return undefined
  }
}

function filePart(
  { filename, providerOptions }: { filename?: string | undefined; providerOptions?: JsonObject | undefined },
  mediaType: string,
  source: FilePart['source'],
): FilePart {
  const name = filename === undefined ? {} : { name: filename }
  return { type: 'file', mediaType, ...name, source, ...keep('aiSdk', undefined, providerOptions) }
}
