import type { BackendDone, BackendEvent } from '@loader/session-core'
import { argumentsText } from './answer.ts'
import { type Chunks, piecesOf, type ScriptedPart, type TextChunks } from './script.ts'

export type BackendChunk = Exclude<BackendEvent, BackendDone>

/** The chunks that arrive before the end. Files are not streamed: they come with the end. */
export function chunksOf(parts: readonly ScriptedPart[], chunks: Chunks = 'whole'): BackendChunk[] {
  const { text = 'whole', arguments: fragment } = isByKind(chunks) ? chunks : { text: chunks }
  const spoken = piecesOf({ chunks }) === undefined ? text : 'whole'
  let index = -1
  return parts.flatMap((part): BackendChunk[] => {
    switch (part.type) {
      case 'text':
        return split(part.text, text).map((delta) => ({ type: 'text', delta }))
      case 'reasoning':
        return split(part.text, spoken).map((delta) => ({ type: 'reasoning', delta }))
      case 'call': {
        index += 1
        const call = { type: 'call_input', index, name: part.call.name } as const
        return fragments(argumentsText(part.call), fragment).map((delta) => ({ ...call, delta }))
      }
      case 'file':
        return []
      default:
        return part satisfies never
    }
  })
}

function isByKind(chunks: Chunks): chunks is Exclude<Chunks, TextChunks> {
  return typeof chunks === 'object' && !Array.isArray(chunks)
}

function split(text: string, chunks: TextChunks): readonly string[] {
  if (typeof chunks !== 'string') return chunks
  switch (chunks) {
    case 'whole':
      return text === '' ? [] : [text]
    case 'word':
      return text.match(/\s*\S+|\s+$/g) ?? []
    case 'character':
      return Array.from(text)
    default:
      return chunks satisfies never
  }
}

/** A call without arguments still gets one chunk, so that it is visible. */
function fragments(text: string, size: number | undefined): readonly string[] {
  if (size === undefined || text === '') return [text]
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
}
