import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { FilePart } from '@loader/session-core'
import type { ToolContext, ToolResult } from '@loader/session-core/coding'
import { cut } from './cut.ts'
import { told } from './told-text.ts'

const mostFiles = 8
/** Of base64, as providers take them. */
const longestImage = 5 * 1024 * 1024

interface Shown {
  readonly text: string
  readonly file?: FilePart
}

/** The result of a call, for the model: its text, kept within bounds, and images where the model takes them. */
export function resultOf(
  { content = [], structuredContent, isError }: Partial<CallToolResult>,
  { model }: Pick<ToolContext, 'model'>,
  notes: readonly string[],
): ToolResult {
  const shown = content.map((block) => shownBlock(block, model?.images !== false))
  const files = shown.flatMap(({ file }) => file ?? []).slice(0, mostFiles)
  const texts = shown.map(({ text }) => text).filter((text) => text !== '')
  const structured = texts.length === 0 && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : []
  const whole = [...texts, ...structured].join('\n')
  const bytes = Buffer.byteLength(whole)
  const { text, isCut } = cut(whole)
  const said = text === '' && files.length === 0 ? '(no content)' : text
  return {
    outcome: isError === true ? 'failed' : 'ok',
    text: [said, ...notes.map((note) => `[${note}]`)].filter((part) => part !== '').join('\n'),
    ...(files.length > 0 && { files }),
    metadata: { bytes, truncated: isCut },
  }
}

function shownBlock(block: ContentBlock, takesImages: boolean): Shown {
  switch (block.type) {
    case 'text':
      return { text: block.text }
    case 'image':
      return imageOf(block.data, block.mimeType, takesImages)
    case 'audio':
      return { text: `(audio, ${block.mimeType}, ${block.data.length} characters of base64: not passed on)` }
    case 'resource_link':
      return { text: `(a resource: ${block.name} ${block.uri}${block.description ? `: ${block.description}` : ''})` }
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return { text: `${resource.uri}:\n${resource.text}` }
      const { mimeType = '' } = resource
      if (mimeType.startsWith('image/')) return imageOf(resource.blob, mimeType, takesImages)
      return { text: `(${resource.uri}: ${mimeType || 'bytes'}, not passed on)` }
    }
    default:
      return { text: `(content of a kind that is not known here)` }
  }
}

function imageOf(data: string, mediaType: string, takesImages: boolean): Shown {
  const left = (why: string) => ({ text: `(an image, ${told(mediaType, 50)}: ${why})` })
  if (!/^image\/(png|jpeg|gif|webp)$/.test(mediaType)) return left('of a kind that models do not take')
  if (!takesImages) return left('the model does not see images')
  if (data.length > longestImage) return left('it is too large')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return left('it is no base64')
  return { text: '', file: { type: 'file', mediaType, source: { kind: 'base64', data } } }
}
