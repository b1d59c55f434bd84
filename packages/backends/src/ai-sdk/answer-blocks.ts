import type { AnswerPart, CallPart, FilePart } from '@loader/session-core'
import type { LanguageModelV3File, LanguageModelV4File } from '@ai-sdk/provider'
import { argumentsIn } from '../platform/json-text.ts'
import { type ForeignPart, foreignAnswerParts } from './foreign-parts.ts'
import { metadataOf } from './metadata.ts'

export interface TextBlock {
  readonly kind: 'text' | 'reasoning'
  text: string
  metadata: unknown
}

export interface CallBlock {
  readonly kind: 'call'
  /** 0 for the first call of the answer. */
  readonly index: number
  readonly id: string
  readonly name: string
  text: string
  metadata: unknown
}

/** A piece of an answer that is being written. */
export type Block =
  | TextBlock
  | CallBlock
  | { readonly kind: 'file'; readonly part: FilePart }
  | { readonly kind: 'foreign'; readonly part: ForeignPart }

export function answerPartsOf(blocks: readonly Block[]): AnswerPart[] {
  const foreign = foreignAnswerParts(blocks.flatMap((block) => (block.kind === 'foreign' ? [block.part] : [])))
  const rest = foreign[Symbol.iterator]()
  return blocks.flatMap((block): AnswerPart[] => {
    switch (block.kind) {
      case 'text':
      case 'reasoning':
        return textPart(block)
      case 'call':
        return [callPart(block)]
      case 'file':
        return [block.part]
      case 'foreign':
        return [rest.next().value].filter((part) => part !== undefined)
      default:
        return block satisfies never
    }
  })
}

/** A block without text may still hold a signature that the provider needs back. */
function textPart({ kind, text, metadata }: TextBlock): AnswerPart[] {
  const beyond = metadataOf(metadata)
  return text === '' && beyond.providerMetadata === undefined ? [] : [{ type: kind, text, ...beyond }]
}

function callPart({ id, name, text, metadata }: CallBlock): CallPart {
  return { type: 'call', call: { id, name, ...argumentsIn(text) }, ...metadataOf(metadata) }
}

export function filePartOf({ mediaType, data, providerMetadata }: LanguageModelV3File | LanguageModelV4File): FilePart {
  return { type: 'file', mediaType, source: sourceOf(data), ...metadataOf(providerMetadata) }
}

function sourceOf(data: LanguageModelV3File['data'] | LanguageModelV4File['data']): FilePart['source'] {
  if (typeof data === 'string') return { kind: 'base64', data }
  if (data instanceof Uint8Array) return { kind: 'base64', data: Buffer.from(data).toString('base64') }
  return data.type === 'url' ? { kind: 'url', url: data.url.href } : sourceOf(data.data)
}
