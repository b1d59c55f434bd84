import { type AnswerPart, type BackendDone, type BackendEvent, shownText } from '@loader/session-core'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { toModelMetadata } from './metadata.ts'
import { modelContent } from './model-content.ts'
import { toModelUsage } from './usage.ts'

type TextPart = Extract<AnswerPart, { type: 'text' | 'reasoning' }>

/** Consecutive deltas of one kind. */
interface Run {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  text: string
}

/**
 * Converts events of a backend to stream parts of the AI SDK.
 *
 * Deltas do not show where a block ends or what its metadata is; only the final answer does. So all blocks stay open
 * until then, and get their metadata when they end. Calls are also emitted at the end: until then they have no id.
 */
export class AnswerStream {
  readonly #runs: Run[] = []

  take(event: Exclude<BackendEvent, BackendDone>): LanguageModelV4StreamPart[] {
    if (event.type === 'status' || event.type === 'call_input') return []
    const { type, delta } = event
    const last = this.#runs.at(-1)
    if (last?.type === type) {
      last.text += delta
      return [{ type: `${type}-delta`, id: last.id, delta }]
    }
    const run = { type, id: `${type}-${this.#runs.length}`, text: delta }
    this.#runs.push(run)
    return [
      { type: `${type}-start`, id: run.id },
      { type: `${type}-delta`, id: run.id, delta },
    ]
  }

  end(done: BackendDone): LanguageModelV4StreamPart[] {
    const [ends, unseen] = this.#settle(done.content)
    return [
      ...ends,
      ...unseen.flatMap((part, place) => wholePart(part, `late-${place}`)),
      {
        type: 'finish',
        finishReason: { unified: done.finishReason, raw: done.finishReason },
        usage: toModelUsage(done.usage),
        ...toModelMetadata(done),
      },
    ]
  }

  /** The last parts of an interrupted stream, as the AI SDK expects them. */
  cutOff(): LanguageModelV4StreamPart[] {
    return [
      ...this.#runs.map(({ type, id }): LanguageModelV4StreamPart => ({ type: `${type}-end`, id })),
      { type: 'finish', finishReason: { unified: 'interrupted', raw: undefined }, usage: toModelUsage() },
    ]
  }

  /** Ends the open blocks. Returns their end parts, and the parts of the answer that were not streamed. */
  #settle(content: readonly AnswerPart[]): [LanguageModelV4StreamPart[], AnswerPart[]] {
    const ends: LanguageModelV4StreamPart[] = []
    let parts = [...content]
    for (const { type, id, text } of this.#runs) {
      const covered = coveredBy(type, text, parts)
      // A run that covers several parts has no room for the metadata of each, and wrong metadata is worse than none.
      const metadata = covered.length === 1 && covered[0] ? toModelMetadata(covered[0]) : {}
      ends.push({ type: `${type}-end`, id, ...metadata })
      parts = parts.filter((part) => !covered.some((one) => one === part))
    }
    return [ends, parts]
  }
}

/** The first parts of the kind whose joined text is the text of the run; none if the final answer differs. */
function coveredBy(type: Run['type'], text: string, parts: readonly AnswerPart[]): TextPart[] {
  const covered: TextPart[] = []
  let rest = text
  for (const part of parts) {
    if (rest === '') break
    if (part.type !== type) continue
    const shown = shownText(part.text)
    if (shown === '' || !rest.startsWith(shown)) break
    covered.push(part)
    rest = rest.slice(shown.length)
  }
  return covered
}

function wholePart(part: AnswerPart, id: string): LanguageModelV4StreamPart[] {
  const metadata = toModelMetadata(part)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, delta: shownText(part.text) },
        { type: `${part.type}-end`, id, ...metadata },
      ]
    case 'call':
      return modelContent(part).flatMap((content) => (content.type === 'tool-call' ? callParts(content) : []))
    case 'file':
      return modelContent(part).flatMap((content) => (content.type === 'file' ? [content] : []))
    default:
      return part satisfies never
  }
}

type ToolCallPart = Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>

function callParts(call: ToolCallPart): LanguageModelV4StreamPart[] {
  const { toolCallId: id, toolName, input } = call
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: input },
    { type: 'tool-input-end', id },
    call,
  ]
}
