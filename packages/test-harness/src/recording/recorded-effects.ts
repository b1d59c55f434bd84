import {
  callsOf,
  isSessionEvent,
  type JsonValue,
  type History,
  type SessionEvent,
  type ToolCall,
  type ToolOutcome,
} from '@loader/session-core'

/** The result of one call of the model. */
export interface RecordedEffect {
  readonly name: string
  /** The arguments it ran with; if it did not run, those of the model. */
  readonly input: JsonValue
  readonly outcome: ToolOutcome
}

/** The answered calls of a history, in the order in which the model made them. */
export function effectsOf(history: History): RecordedEffect[] {
  const all: { name: string; input: JsonValue; outcome?: ToolOutcome }[] = []
  let open = new Map<string, (typeof all)[number]>()
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    const made = callsIn(event)
    if (made.length > 0) {
      open = new Map(made.map(({ id, name, input }) => [id, { name, input }]))
      all.push(...open.values())
    }
    const call = 'callId' in event && event.callId !== undefined ? open.get(event.callId) : undefined
    if (call && 'input' in event && event.input !== undefined) call.input = event.input
    if (call && event.type === 'tool.finished') call.outcome = event.outcome
  }
  return all.flatMap(({ name, input, outcome }) => (outcome === undefined ? [] : [{ name, input, outcome }]))
}

function callsIn(event: SessionEvent): readonly ToolCall[] {
  if (event.type === 'model.answered') return callsOf(event.content)
  return event.type === 'calls.recovered' ? event.calls : []
}
