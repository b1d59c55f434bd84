import { type Message, type Part, shownText } from '@loader/session-core'
import { type JsonFields, fieldsOf } from './check.ts'

/** A message of a session as items. */
export function responsesItems({ role, content }: Message): JsonFields[] {
  return content.flatMap((part): JsonFields[] => {
    switch (part.type) {
      case 'text':
        return [
          {
            type: 'message',
            role,
            content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: shownText(part.text) }],
          },
        ]
      case 'file':
        return role === 'assistant' ? [] : [{ type: 'message', role: 'user', content: [fileOf(part)] }]
      case 'reasoning':
        return reasoningOf(part)
      case 'call': {
        const { id, name, input, malformed } = part.call
        return [{ type: 'function_call', call_id: id, name, arguments: malformed ?? JSON.stringify(input) }]
      }
      case 'result':
        return [{ type: 'function_call_output', call_id: part.callId, output: shownText(part.text) }]
      default:
        return part satisfies never
    }
  })
}

/** Reasoning that is not sealed is another model's; it cannot go back. */
function reasoningOf(part: Extract<Part, { type: 'reasoning' }>): JsonFields[] {
  const { itemId, reasoningEncryptedContent: sealed } = fieldsOf(part.providerMetadata?.['openai'])
  if (typeof sealed !== 'string') return []
  const summary = [{ type: 'summary_text', text: shownText(part.text) }]
  return [{ type: 'reasoning', ...(typeof itemId === 'string' && { id: itemId }), summary, encrypted_content: sealed }]
}

function fileOf({ mediaType, name }: Extract<Part, { type: 'file' }>): JsonFields {
  return mediaType.startsWith('image/') ? { type: 'input_image', file_id: name } : { type: 'input_file', file_id: name }
}
