import type { AnswerPart, BackendEvent } from '@loader/session-core'
import type { LanguageModelV3StreamPart, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { answerPartsOf, type Block, type CallBlock, filePartOf, type TextBlock } from './answer-blocks.ts'

export type StreamPart = LanguageModelV3StreamPart | LanguageModelV4StreamPart

type PartOf<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>
type Kind = TextBlock['kind']

/** The answer that the parts of a stream form. Its blocks are in the order in which they began. */
export class GrowingAnswer {
  readonly #blocks: Block[] = []
  /** Open blocks by kind and id. Providers reuse an id when its block has ended. */
  readonly #open = new Map<string, TextBlock>()
  readonly #openCalls = new Map<string, CallBlock>()
  #calls = 0
  #model: string | undefined

  /** The model that answered, by its own name. */
  get model(): string | undefined {
    return this.#model
  }

  get content(): AnswerPart[] {
    return answerPartsOf(this.#blocks)
  }

  /** The events for the next part. Beginning and end of the stream, and errors in it, are handled elsewhere. */
  take(part: StreamPart): readonly BackendEvent[] {
    switch (part.type) {
      case 'response-metadata':
        this.#model = part.modelId ?? this.#model
        return []
      case 'text-start':
        return this.#begin('text', part)
      case 'reasoning-start':
        return this.#begin('reasoning', part)
      case 'text-delta':
        return this.#grow('text', part)
      case 'reasoning-delta':
        return this.#grow('reasoning', part)
      case 'text-end':
        return this.#end('text', part)
      case 'reasoning-end':
        return this.#end('reasoning', part)
      case 'tool-input-start':
        return this.#beginCall(part)
      case 'tool-input-delta':
        return this.#growCall(part)
      case 'tool-call':
        return part.providerExecuted ? this.#keep({ kind: 'foreign', part }) : this.#endCall(part)
      case 'custom':
        // Only marks the beginning of the answer, so it is not kept.
        return part.kind === 'anthropic.message_start' ? [] : this.#keep({ kind: 'foreign', part })
      case 'tool-result':
      case 'tool-approval-request':
      case 'reasoning-file':
        return this.#keep({ kind: 'foreign', part })
      case 'file':
        return this.#keep({ kind: 'file', part: filePartOf(part) })
      case 'stream-start':
      case 'tool-input-end':
      case 'source':
      case 'ping':
      case 'raw':
      case 'error':
      case 'finish':
        return []
      default:
        return part satisfies never
    }
  }

  #keep(block: Block): readonly BackendEvent[] {
    this.#blocks.push(block)
    return []
  }

  #begin(kind: Kind, { id, providerMetadata }: PartOf<'text-start' | 'reasoning-start'>): readonly BackendEvent[] {
    this.#openBlock(kind, id).metadata = providerMetadata
    return []
  }

  #openBlock(kind: Kind, id: string): TextBlock {
    const block: TextBlock = { kind, text: '', metadata: undefined }
    this.#blocks.push(block)
    this.#open.set(`${kind} ${id}`, block)
    return block
  }

  #grow(kind: Kind, part: PartOf<'text-delta' | 'reasoning-delta'>): readonly BackendEvent[] {
    const { id, delta, providerMetadata } = part
    // Some providers continue after the end of a block, or never begin one.
    const block = this.#open.get(`${kind} ${id}`) ?? this.#openBlock(kind, id)
    block.text += delta
    block.metadata = providerMetadata ?? block.metadata
    return delta === '' ? [] : [{ type: kind, delta }]
  }

  #end(kind: Kind, { id, providerMetadata }: PartOf<'text-end' | 'reasoning-end'>): readonly BackendEvent[] {
    const block = this.#open.get(`${kind} ${id}`)
    if (block) block.metadata = providerMetadata ?? block.metadata
    this.#open.delete(`${kind} ${id}`)
    return []
  }

  #beginCall({
    id,
    toolName,
    providerExecuted,
    providerMetadata,
  }: PartOf<'tool-input-start'>): readonly BackendEvent[] {
    // A call that the provider runs itself arrives complete.
    if (providerExecuted) return []
    const { index, name } = this.#openCall(id, toolName, providerMetadata)
    return [{ type: 'call_input', index, name, delta: '' }]
  }

  #openCall(id: string, name: string, metadata: unknown): CallBlock {
    const block: CallBlock = { kind: 'call', index: this.#calls, id, name, text: '', metadata }
    this.#calls += 1
    this.#blocks.push(block)
    this.#openCalls.set(id, block)
    return block
  }

  #growCall({ id, delta, providerMetadata }: PartOf<'tool-input-delta'>): readonly BackendEvent[] {
    const block = this.#openCalls.get(id)
    if (block === undefined) return []
    block.text += delta
    block.metadata = providerMetadata ?? block.metadata
    return delta === '' ? [] : [{ type: 'call_input', index: block.index, name: block.name, delta }]
  }

  /** Completes a call. One that is cut off before this keeps its partial arguments. */
  #endCall({ toolCallId, toolName, input, providerMetadata }: PartOf<'tool-call'>): readonly BackendEvent[] {
    const begun = this.#openCalls.get(toolCallId)
    const block = begun ?? this.#openCall(toolCallId, toolName, undefined)
    block.text = input
    block.metadata = providerMetadata ?? block.metadata
    this.#openCalls.delete(toolCallId)
    return begun ? [] : [{ type: 'call_input', index: block.index, name: block.name, delta: input }]
  }
}
