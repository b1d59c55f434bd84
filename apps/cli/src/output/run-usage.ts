import type { AgentEvent } from '@loader/agent'
import { addTotals, noTotals, type SessionEvent, type Totals, type Usage, usageByModel } from '@loader/session-core'

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

/** The usage of one run, in total and by model, collected from its events. */
export class RunUsage {
  answers = 0
  /** What usage is read from. */
  readonly #events: SessionEvent[] = []
  /** Of child sessions that finished. Their own logs tell by which models. */
  #ofAgents = noTotals

  see(event: AgentEvent): void {
    if (!counted.has(event.type) || !('seq' in event)) return
    if (event.type === 'child.finished') {
      this.#ofAgents = addTotals(this.#ofAgents, event.usage)
      return
    }
    this.#events.push(event)
    if (event.type === 'model.answered') this.answers += 1
  }

  get byModel(): ReadonlyMap<string, Totals> {
    return usageByModel(this.#events)
  }

  get total(): Totals {
    return [...this.byModel.values(), this.#ofAgents].reduce(addTotals, noTotals)
  }
}

const counted: ReadonlySet<string> = new Set([
  'policy.applied',
  'model.asked',
  'answer.progressed',
  'model.answered',
  'model.failed',
  'model.interrupted',
  'child.finished',
])
