import type { AnswerPart, FilePart } from '@loader/session-core'
import { ClaudeBlock, type Picture } from './records.ts'

export function blocksOf(content: string | readonly unknown[] | undefined): ClaudeBlock[] {
  if (content === undefined) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((value) => {
    const block = ClaudeBlock.safeParse(value)
    return block.success ? [block.data] : []
  })
}

/** The ids of the calls that these results answer. */
export function resultsIn(content: string | readonly unknown[] | undefined): string[] {
  return blocksOf(content).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
}

export function bringsResult(content: string | readonly unknown[] | undefined): boolean {
  return (
    Array.isArray(content) &&
    content.some((block) => typeof block === 'object' && block !== null && 'tool_use_id' in block)
  )
}

export function textsIn(blocks: readonly ClaudeBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

export function filesIn(blocks: readonly ClaudeBlock[]): FilePart[] {
  return blocks.flatMap((block) => (block.type === 'image' || block.type === 'document' ? [filePart(block)] : []))
}

/**
 * The parts of an answer. Signed reasoning keeps its metadata under its provider's name, as only that one accepts it.
 */
export function answerPart(block: ClaudeBlock): AnswerPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'thinking': {
      const { thinking, signature } = block
      return [
        { type: 'reasoning', text: thinking, ...(signature && { providerMetadata: { anthropic: { signature } } }) },
      ]
    }
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', providerMetadata: { anthropic: { redactedData: block.data } } }]
    case 'tool_use':
      return [{ type: 'call', call: { id: block.id, name: block.name, input: block.input } }]
    case 'image':
    case 'document':
      return [filePart(block)]
    case 'tool_result':
      return []
    default:
      return block satisfies never
  }
}

function filePart({ type, source }: Picture): FilePart {
  if (source.type === 'url') {
    const mediaType = type === 'image' ? 'image/*' : 'application/pdf'
    return { type: 'file', mediaType, source: { kind: 'url', url: source.url } }
  }
  return { type: 'file', mediaType: source.media_type, source: { kind: 'base64', data: source.data } }
}
