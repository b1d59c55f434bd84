import type { AgentEvent } from '@loader/agent'
import type { RunRecord } from './run-record.ts'
import { noUsage, plainUsage } from './run-usage.ts'
import { type StreamLine, stopReason } from './stream-json-lines.ts'

interface PlacedLine {
  readonly place: string
  readonly line: StreamLine
}

/** The block of an answer that is being streamed. */
type OpenBlock = { readonly index: number } & (
  | { readonly kind: 'text' | 'thinking' }
  | { readonly kind: 'tool_use'; readonly call: number; readonly name: string }
)

/**
 * Streams an answer as the protocol of wrappers defines it: a message starts, its blocks start, grow and stop, the
 * message stops. The final id of a call is known only when the answer is complete, so the number of its block is used
 * instead.
 */
export class PartialMessages {
  #requestId: string | undefined
  #block: OpenBlock | undefined
  #blocks = 0
  #lines = 0

  linesOf(event: AgentEvent, record: RunRecord, model: string): PlacedLine[] {
    switch (event.type) {
      case 'delta.text':
        return this.#grown(event.requestId, { kind: 'text' }, { type: 'text_delta', text: event.text }, record, model)
      case 'delta.reasoning':
        return this.#grown(
          event.requestId,
          { kind: 'thinking' },
          { type: 'thinking_delta', thinking: event.text },
          record,
          model,
        )
      case 'delta.call': {
        const delta = { type: 'input_json_delta', partial_json: event.text }
        return this.#grown(
          event.requestId,
          { kind: 'tool_use', call: event.index, name: event.name },
          delta,
          record,
          model,
        )
      }
      case 'model.answered':
        return this.#ended(event.requestId, stopReason(event.finishReason), plainUsage(event.usage).output_tokens)
      case 'model.failed':
      case 'model.interrupted':
        return this.#ended(event.requestId, null, 0)
      default:
        return []
    }
  }

  #grown(requestId: string, wanted: Wanted, delta: object, record: RunRecord, model: string): PlacedLine[] {
    if (!record.isForUser(requestId)) return []
    const lines: PlacedLine[] = []
    if (this.#requestId !== requestId) {
      this.#requestId = requestId
      this.#block = undefined
      this.#blocks = 0
      this.#lines = 0
      const about = { id: requestId, type: 'message', role: 'assistant', model, content: [] }
      const message = { ...about, stop_reason: null, stop_sequence: null, usage: noUsage }
      lines.push(this.#line({ type: 'message_start', message }))
    }
    if (!isSame(this.#block, wanted)) {
      lines.push(...this.#stopped())
      this.#block = { ...wanted, index: this.#blocks }
      this.#blocks += 1
      lines.push(
        this.#line({ type: 'content_block_start', index: this.#block.index, content_block: startOf(this.#block) }),
      )
    }
    lines.push(this.#line({ type: 'content_block_delta', index: this.#block?.index ?? 0, delta }))
    return lines
  }

  #ended(requestId: string, stop_reason: string | null, output_tokens: number): PlacedLine[] {
    if (this.#requestId !== requestId) return []
    const delta = { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } }
    const lines = [...this.#stopped(), this.#line(delta), this.#line({ type: 'message_stop' })]
    this.#requestId = undefined
    return lines
  }

  #stopped(): PlacedLine[] {
    const block = this.#block
    this.#block = undefined
    return block === undefined ? [] : [this.#line({ type: 'content_block_stop', index: block.index })]
  }

  #line(event: object): PlacedLine {
    this.#lines += 1
    const line = { type: 'stream_event', event, parent_tool_use_id: null }
    return { place: `partial ${this.#requestId}.${this.#lines}`, line }
  }
}

type Wanted =
  | { readonly kind: 'text' | 'thinking' }
  | { readonly kind: 'tool_use'; readonly call: number; readonly name: string }

function isSame(block: OpenBlock | undefined, wanted: Wanted): boolean {
  if (block?.kind !== wanted.kind) return false
  return block.kind !== 'tool_use' || (wanted.kind === 'tool_use' && block.call === wanted.call)
}

function startOf(block: OpenBlock): object {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: '' }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool_use':
      return { type: 'tool_use', id: `block_${block.index}`, name: block.name, input: {} }
    default:
      return block satisfies never
  }
}
