import { callsOf, type OpenCall, type SessionState, type ToolOutcome, type Turn } from '@loader/session-core'
import { couldWriteSince } from '@loader/session-core/coding'
import type { Step } from '../words/step.ts'
import { type KnownTools, toolsOfPolicy } from '../permission/rules/known-tools.ts'
import { detectLoop, type PastCall } from '../recovery/detect-loop.ts'

/** How many earlier calls are compared: many for a change, few for other calls, since loops are short. */
const most = { change: 40, other: 10 } as const

/**
 * A repeated call, with nothing changed since, is answered instead of run: the model already has its result. A repeated
 * sequence of calls counts as a failure, so that it ends.
 */
export function repeatedCallStep(state: SessionState, turn: Turn, open: OpenCall): Step | undefined {
  const world = { tools: toolsOfPolicy(state.policy), moves: couldWriteSince(state, turn.startedSeq) }
  const past = asPast(open, world)
  const count = past.effect === 'write' ? most.change : most.other
  const loop = detectLoop([...callsBefore(state, turn, open, { count, world }), past])
  if (loop === undefined) return undefined
  const callId = open.call.id
  if (loop.kind === 'duplicate') {
    const text = `[Skipped - duplicate action: ${loop.summary}.] Its result is in the conversation; go on from it.`
    return { type: 'refuse_call', callId, outcome: 'denied', text }
  }
  const text = `[Blocked - ${loop.summary}.] This leads nowhere. Try something else, or say what stands in the way.`
  return { type: 'refuse_call', callId, outcome: 'failed', text }
}

/** Calls of the turn whose results still hold, oldest first. A message of the user starts the comparison anew. */
function callsBefore(
  { messages }: SessionState,
  turn: Turn,
  open: OpenCall,
  { count, world }: { readonly count: number; readonly world: World },
): PastCall[] {
  const outcomes = new Map<string, ToolOutcome>()
  const found: PastCall[] = []
  for (let index = messages.length - 1; index >= 0 && found.length < count; index--) {
    const message = messages.at(index)
    if (message === undefined || message.origin === 'input' || message.origin === 'steering') break
    for (const part of message.content) if (part.type === 'result') outcomes.set(part.callId, part.outcome)
    const known = callsOf(message.content).filter(({ id }) => id !== open.call.id && hasResult(outcomes.get(id)))
    found.unshift(
      ...known.map(({ id, name, input }) => asPast(openOf(turn, id) ?? { call: { id, name, input } }, world)),
    )
  }
  return found
}

function hasResult(outcome: ToolOutcome | undefined): boolean {
  return outcome === 'ok' || outcome === 'failed'
}

function openOf({ calls }: Turn, id: string): OpenCall | undefined {
  return calls.find(({ call }) => call.id === id)
}

interface World {
  readonly tools: KnownTools
  /** Whether a background command may change files between calls: then the result of a call depends on its time. */
  readonly moves: boolean
}

/** The effect of a call from an earlier answer is taken from what its tool declares. */
function asPast({ call, examined }: Pick<OpenCall, 'call' | 'examined'>, { tools, moves }: World): PastCall {
  const { name, input } = call
  const known = tools.get(name)
  if (known?.rule?.takes === 'command') return { name, input, effect: 'unknown' }
  const effect = examined?.effect ?? known?.effect ?? 'unknown'
  return { name, input, effect: moves && effect === 'probe' ? 'unknown' : effect }
}
