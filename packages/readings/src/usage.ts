import {
  addTotals,
  excerptOf,
  isSessionEvent,
  type History,
  type SessionState,
  shownText,
  type Totals,
  turns,
  usageByModel,
} from '@loader/session-core'
import { agentsReading } from './agents.ts'
import { sessionNameOf } from './words/session-name.ts'
import type { UsageOutput, UsedTurn } from './schemas/usage.ts'

/** Tokens, requests and calls by turn, and their totals. */
export function usageReading(history: History, state: SessionState): UsageOutput {
  return {
    session: sessionNameOf(state),
    turns: usedTurns(history, state),
    models: usedModels(history),
    total: state.usage,
    ...usageWithAgents(history, state.usage),
  }
}

/** What each agent has used, and all of it with what the session has used itself; nothing where there are no agents. */
function usageWithAgents(history: History, total: Totals): Pick<UsageOutput, 'agents'> {
  const { agents, usage } = agentsReading(history)
  if (agents.length === 0) return {}
  const sessions = agents.map(({ id, title, standing, usage: used = null }) => ({ id, title, standing, usage: used }))
  return {
    agents: {
      sessions,
      usage: usage ?? null,
      all: addTotals(total, usage ?? {}),
      notKnown: sessions.filter((each) => each.usage === null).length,
    },
  }
}

/** The usage of each turn, the open one last. */
function usedTurns(history: History, { turn }: SessionState): UsedTurn[] {
  const words = new Map(
    history.flatMap((event) =>
      isSessionEvent(event) && event.type === 'input.queued'
        ? [[event.inputId, excerptOf(shownText(event.text))] as const]
        : [],
    ),
  )
  const ended = turns(history).map(({ id, inputId, startedAt, finishedAt, reason, usage }) => {
    return { turnId: id, input: words.get(inputId) ?? '', startedAt, finishedAt, reason, usage }
  })
  if (turn === null) return ended
  const { id, inputId, startedAt, usage } = turn
  return [...ended, { turnId: id, input: words.get(inputId) ?? '', startedAt, finishedAt: null, reason: null, usage }]
}

/** The usage of each model, the most used one first. */
function usedModels(history: History): UsageOutput['models'] {
  return [...usageByModel(history)]
    .map(([model, usage]) => ({ model, usage }))
    .toSorted((one, other) => other.usage.inputTokens - one.usage.inputTokens)
}
