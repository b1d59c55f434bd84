import type { AgentEvent } from '@loader/agent'
import type { Usage } from '@loader/session-core'

/** Token counts by the names that wrappers use. */
export interface PlainUsage {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  readonly output_tokens: number
}

export const noUsage: PlainUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
}

/** Input excludes cached tokens, so that the three numbers add up. */
export function plainUsage({
  inputTokens = 0,
  outputTokens = 0,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: Usage = {}): PlainUsage {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}

function addUsage(one: PlainUsage, other: PlainUsage): PlainUsage {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    cache_creation_input_tokens: one.cache_creation_input_tokens + other.cache_creation_input_tokens,
    cache_read_input_tokens: one.cache_read_input_tokens + other.cache_read_input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
  }
}

/** The usage of one run, in total and by model, collected from its events. */
export class RunUsage {
  total = noUsage
  answers = 0
  readonly byModel = new Map<string, PlainUsage>()

  see(event: AgentEvent, model: string): void {
    if (event.type !== 'model.answered' && event.type !== 'model.failed' && event.type !== 'model.interrupted') return
    const used = plainUsage(event.usage)
    const name = ('model' in event ? event.model : undefined) ?? model
    this.total = addUsage(this.total, used)
    this.byModel.set(name, addUsage(this.byModel.get(name) ?? noUsage, used))
    if (event.type === 'model.answered') this.answers += 1
  }
}
