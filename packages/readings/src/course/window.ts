import { messageTokens, textTokens } from '@loader/compaction'
import {
  type EventOf,
  type History,
  isSessionEvent,
  type Message,
  reduce,
  type SessionState,
  shownText,
} from '@loader/session-core'

/** What a window is made of. */
export const windowParts = ['system', 'tools', 'summary', 'user', 'notes', 'model', 'results'] as const
/** One kind of what is in a window. `notes` come from the runtime. */
export type WindowPart = (typeof windowParts)[number]

/** What the window held when a request was made. */
export interface WindowPoint {
  readonly seq: number
  readonly at: string
  readonly purpose: string
  /** Tokens of each part, estimated as for compaction. */
  readonly parts: Readonly<Record<WindowPart, number>>
  /** Size of the request as the server reported it; null where it did not. */
  readonly reported: number | null
  readonly messages: number
}

/** A compaction, and what it did to the window. */
export interface CompactionReading {
  readonly seq: number
  readonly at: string
  readonly method: string
  readonly why: string | null
  readonly before: number
  readonly after: number
  readonly removed: number
  /** The message that stands for what was folded. */
  readonly summary: string
  /** Earlier messages that were carried over behind the summary. */
  readonly carried: number
  /** Whether it was undone later. */
  readonly isUndone: boolean
}

/** What the window held over time. */
export interface WindowReading {
  /** Size of the window of the model in tokens; null when it is not known. */
  readonly window: number | null
  readonly points: readonly WindowPoint[]
  readonly compactions: readonly CompactionReading[]
}

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** What the window held at each request of a session, and where it was compacted. */
export function windowReading(history: History): WindowReading {
  const points: Open<WindowPoint>[] = []
  const asked = new Map<string, Open<WindowPoint>>()
  let state: SessionState | null = null
  for (const event of history) {
    state = reduce(state, event)
    if (!isSessionEvent(event)) continue
    if (event.type === 'model.asked') {
      const { seq, at, purpose } = event
      const { length: messages } = state.messages
      const point = { seq, at, purpose, parts: partsOf(state), reported: null, messages }
      points.push(point)
      asked.set(event.requestId, point)
    }
    if (event.type === 'model.answered' || event.type === 'model.failed' || event.type === 'model.interrupted') {
      const point = asked.get(event.requestId)
      // No request is empty: a server that says 0 does not count.
      if (point !== undefined) point.reported = event.usage?.inputTokens || null
    }
  }
  return { window: state?.policy?.model?.contextWindow ?? null, points, compactions: compactionsOf(history) }
}

/** Every compaction of a session, in order. */
export function compactionsOf(history: History): CompactionReading[] {
  const compactions: Open<CompactionReading>[] = []
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    if (event.type === 'context.compacted') compactions.push(compactionOf(event))
    const undone = event.type === 'context.compaction_undone' ? compactions.at(-1) : undefined
    if (undone !== undefined) undone.isUndone = true
  }
  return compactions
}

function partsOf({ messages, policy, prompts }: SessionState): Record<WindowPart, number> {
  const parts: Record<WindowPart, number> = {
    system: systemTokens(prompts.at(-1)?.text),
    tools: policy?.tools?.tokens ?? 0,
    summary: 0,
    user: 0,
    notes: 0,
    model: 0,
    results: 0,
  }
  for (const message of messages) parts[partOf(message)] += messageTokens(message)
  return parts
}

function systemTokens(text: Parameters<typeof shownText>[0] | undefined): number {
  if (text === undefined) return 0
  return typeof text === 'string' ? textTokens(text) : Math.ceil(text.bytes / 4)
}

function partOf({ origin, role }: Message): WindowPart {
  switch (origin) {
    case 'input':
    case 'steering':
      return 'user'
    case 'model':
      return 'model'
    case 'tool':
      return 'results'
    case 'note':
      return 'notes'
    case 'summary':
      return 'summary'
    case 'import':
      return role === 'assistant' ? 'model' : role === 'tool' ? 'results' : 'user'
    default:
      return origin satisfies never
  }
}

function compactionOf(event: EventOf<'context.compacted'>): CompactionReading {
  const { seq, at, method, why = null, tokensBefore, tokensAfter, removed, text, alsoKept = [] } = event
  return {
    seq,
    at,
    method,
    why,
    before: tokensBefore,
    after: tokensAfter,
    removed,
    summary: shownText(text),
    carried: alsoKept.length,
    isUndone: false,
  }
}
