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
  #counts = { toolCalls: 0, iterations: 0, turns: 0 }

  see(event: AgentEvent): void {
    if (!('seq' in event)) return
    this.#count(event)
    if (!withUsage.has(event.type)) return
    this.#events.push(event)
    if (event.type === 'model.answered') this.answers += 1
  }

  get byModel(): ReadonlyMap<string, Totals> {
    return usageByModel(this.#events)
  }

  get total(): Totals {
    return [...this.byModel.values(), this.#ofAgents].reduce(addTotals, addTotals(noTotals, this.#counts))
  }

  /** These events are not kept: results of calls can be long. */
  #count(event: SessionEvent): void {
    if (event.type === 'child.finished') this.#ofAgents = addTotals(this.#ofAgents, event.usage)
    if (event.type === 'tool.finished') this.#counts.toolCalls += 1
    if (event.type === 'turn.finished') this.#counts.turns += 1
    if (event.type === 'model.asked' && event.purpose === 'answer' && event.attempt === 1) this.#counts.iterations += 1
  }
}

const withUsage: ReadonlySet<string> = new Set([
  'policy.applied',
  'model.asked',
  'answer.progressed',
  'model.answered',
  'model.failed',
  'model.interrupted',
])
