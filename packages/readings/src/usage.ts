import {
  addTotals,
  excerptOf,
  isSessionEvent,
  noTotals,
  type Recording,
  type SessionState,
  shownText,
  type Totals,
  turns,
} from '@loader/session-core'
import { sessionNameOf } from './schemas/session.ts'
import type { UsageOutput, UsedTurn } from './schemas/usage.ts'

/** Tokens, requests and calls by turn, and their totals. */
export function usageReading(recording: Recording, state: SessionState): UsageOutput {
  return {
    session: sessionNameOf(state),
    turns: usedTurns(recording, state),
    models: usedModels(recording),
    total: state.usage,
  }
}

/** The usage of each turn, the open one last. */
function usedTurns(recording: Recording, { turn }: SessionState): UsedTurn[] {
  const words = new Map(
    recording.flatMap((event) =>
      isSessionEvent(event) && event.type === 'input.queued'
        ? [[event.inputId, excerptOf(shownText(event.text))] as const]
        : [],
    ),
  )
  const ended = turns(recording).map(({ id, inputId, startedAt, finishedAt, reason, usage }) => {
    return { turnId: id, input: words.get(inputId) ?? '', startedAt, finishedAt, reason, usage }
  })
  if (turn === null) return ended
  const { id, inputId, startedAt, usage } = turn
  return [...ended, { turnId: id, input: words.get(inputId) ?? '', startedAt, finishedAt: null, reason: null, usage }]
}

/** The usage of each model, the most used one first. A fork counts only its own requests. */
function usedModels(recording: Recording): UsageOutput['models'] {
  const used = new Map<string, Totals>()
  const names = new Map<string, string>()
  for (const event of recording) {
    if (!isSessionEvent(event)) continue
    if (event.type === 'session.forked') used.clear()
    if (event.type === 'model.asked' && event.model !== undefined) names.set(event.requestId, event.model)
    if (event.type !== 'model.answered' && event.type !== 'model.failed' && event.type !== 'model.interrupted') continue
    const model = ('model' in event ? event.model : undefined) ?? names.get(event.requestId) ?? 'not known'
    used.set(model, addTotals(used.get(model) ?? noTotals, { ...event.usage, requests: 1 }))
  }
  return [...used]
    .map(([model, usage]) => ({ model, usage }))
    .toSorted((one, other) => other.usage.inputTokens - one.usage.inputTokens)
}
