import type { AnswerPart, BackendDone, BackendEvent, JsonObject, ToolCall } from '@loader/session-core'
import { told } from '../ai-sdk/usage.ts'
import { argumentsIn } from '../platform/json-text.ts'
import type { ChatChunk } from './chat-chunk.ts'

type ChunkCall = NonNullable<NonNullable<ChatChunk['message']>['tool_calls']>[number]

/** The answer that the lines of a chat form. */
export class OllamaAnswer {
  readonly #content: AnswerPart[] = []
  readonly #requestId: string
  #calls = 0

  constructor(requestId: string) {
    this.#requestId = requestId
  }

  take({ message }: ChatChunk): BackendEvent[] {
    const { content, thinking, tool_calls: calls } = message ?? {}
    return [
      ...this.#grow('reasoning', thinking ?? ''),
      ...this.#grow('text', content ?? ''),
      ...(calls ?? []).map((call) => this.#call(call)),
    ]
  }

  end(chunk: ChatChunk): BackendDone {
    const usage = told({ inputTokens: chunk.prompt_eval_count, outputTokens: chunk.eval_count })
    return {
      type: 'done',
      content: this.#content,
      finishReason: this.#finishReason(chunk.done_reason ?? 'stop'),
      ...(usage && { usage }),
      ...(chunk.model !== undefined && { model: `ollama/${chunk.model}` }),
      ...durationsOf(chunk),
    }
  }

  #grow(type: 'text' | 'reasoning', delta: string): BackendEvent[] {
    if (delta === '') return []
    const last = this.#content.at(-1)
    if (last?.type === type && typeof last.text === 'string') {
      this.#content[this.#content.length - 1] = { ...last, text: last.text + delta }
    } else {
      this.#content.push({ type, text: delta })
    }
    return [{ type, delta }]
  }

  #call({ id, function: { name, arguments: given } }: ChunkCall): BackendEvent {
    const index = this.#calls
    this.#calls += 1
    const read: Pick<ToolCall, 'input' | 'malformed'> =
      typeof given === 'string' ? argumentsIn(given) : { input: given ?? {} }
    // Older servers send no ids.
    const call = { id: id || `${this.#requestId}_${index + 1}`, name, ...read }
    this.#content.push({ type: 'call', call })
    return { type: 'call_input', index, name, delta: read.malformed ?? JSON.stringify(read.input) }
  }

  #finishReason(reason: string): BackendDone['finishReason'] {
    if (reason === 'length') return 'length'
    if (this.#calls > 0) return 'tool-calls'
    return reason === 'stop' ? 'stop' : 'other'
  }
}

const durations = ['total_duration', 'load_duration', 'prompt_eval_duration', 'eval_duration'] as const

/** Durations in nanoseconds, which show the speed of the model. */
function durationsOf(chunk: ChatChunk): { providerMetadata?: JsonObject } {
  const known = durations.flatMap((name) => (chunk[name] === undefined ? [] : [[name, chunk[name]] as const]))
  return known.length === 0 ? {} : { providerMetadata: { ollama: Object.fromEntries(known) } }
}
