import { type Message, type Part, shownText } from '@loader/session-core'
import { type JsonFields, fieldsOf } from './check.ts'
import { anySignature } from './gemini.ts'

/** A message of a session as contents. */
export function geminiContents({ role, content }: Message): JsonFields[] {
  const unsigned = content.find((part) => part.type === 'call')
  const parts = content.flatMap((part) => partsOf(part, part === unsigned))
  return parts.length === 0 ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts }]
}

function partsOf(part: Part, isFirstCall: boolean): JsonFields[] {
  const signature = signatureOf(part)
  const signed = signature === undefined ? {} : { thoughtSignature: signature }
  switch (part.type) {
    case 'text':
      return [{ text: shownText(part.text), ...signed }]
    case 'reasoning':
      // Reasoning that is not signed may be another model's.
      return signature === undefined ? [] : [{ text: shownText(part.text), thought: true, ...signed }]
    case 'call': {
      const { id, name, input } = part.call
      // What another model has called goes on with what stands for a signature.
      const instead = isFirstCall ? { thoughtSignature: anySignature[0] } : {}
      return [{ functionCall: { id, name, args: input }, ...instead, ...signed }]
    }
    case 'result':
      return [{ functionResponse: { id: part.callId, name: part.name, response: { output: shownText(part.text) } } }]
    case 'file':
      return [{ inlineData: { mimeType: part.mediaType } }]
    default:
      return part satisfies never
  }
}

function signatureOf(part: Part): unknown {
  return 'providerMetadata' in part ? fieldsOf(part.providerMetadata?.['google'])['thoughtSignature'] : undefined
}
