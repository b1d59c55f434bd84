import {
  isSessionEvent,
  type EventOf,
  reduce,
  type History,
  type SessionState,
  shownText,
  type StoredEvent,
  type ToolDescription,
  type Usage,
} from '@loader/session-core'
import { messagesTokens } from './message-tokens.ts'
import { overheadTokens } from './overhead.ts'

/**
 * What servers have reported about the size of requests: plain data, folded from the events of a session.
 *
 * Invariants:
 * 1. It follows from the events and the tools alone, so that a resumed session estimates like the original one.
 * 2. A server's number is used only if it is plausible: some servers leave out what they had cached.
 */
export interface Calibration {
  /** For each model, the tokens that it counts per token of our estimate. */
  readonly ratios: Readonly<Record<string, number>>
  /** The latest request whose size a server has reported. */
  readonly anchor: Anchor | null
}

/** The last request whose size a server reported. Estimates count only what was added since. */
export interface Anchor {
  readonly model: string
  /** Also the id of the message made from the answer. */
  readonly requestId: string
  readonly usage: Usage & { readonly inputTokens: number }
  /** The messages that were counted. */
  readonly messages: { readonly count: number; readonly firstId: string; readonly lastId: string }
  /** Our own estimate for system prompt and tools, to detect changes of them. */
  readonly overhead: number
}

/** What `calibrate` cannot read from a history. */
export interface CalibrationOptions {
  /** The tools sent with each request; a history has only their digest. */
  readonly tools?: readonly ToolDescription[]
}

/** For a session without an answer: estimates are guesses. */
export const noCalibration: Calibration = { ratios: {}, anchor: null }

const believable = { least: 0.4, most: 3 } as const
/** The weight of the newest request against all before it. */
const weight = 0.5

/** Folds one event into the calibration; `before` is the state before the event. */
export function calibrate(
  calibration: Calibration,
  before: SessionState | null,
  event: StoredEvent,
  { tools = [] }: CalibrationOptions = {},
): Calibration {
  if (before === null || !isSessionEvent(event) || event.type !== 'model.answered') return calibration
  const { usage } = event
  const [first, last] = [before.messages.at(0), before.messages.at(-1)]
  // Only requests for an answer are known to carry exactly the window.
  if (usage?.inputTokens === undefined || first === undefined || last === undefined) return calibration
  if (before.turn?.request?.purpose !== 'answer') return calibration

  const overhead = overheadTokens({ system: systemPrompt(before), tools })
  const sample = usage.inputTokens / Math.max(1, overhead + messagesTokens(before.messages))
  if (sample < believable.least || sample > believable.most) return calibration
  const model = modelName(before, event)
  const messages = { count: before.messages.length, firstId: first.id, lastId: last.id }
  return {
    ratios: { ...calibration.ratios, [model]: blend(calibration.ratios[model], sample) },
    anchor: {
      model,
      requestId: event.requestId,
      usage: { ...usage, inputTokens: usage.inputTokens },
      messages,
      overhead,
    },
  }
}

/** The calibration of a whole history. */
export function calibrationOf(history: History, options: CalibrationOptions = {}): Calibration {
  let calibration = noCalibration
  let state: SessionState | null = null
  for (const event of history) {
    calibration = calibrate(calibration, state, event, options)
    state = reduce(state, event)
  }
  return calibration
}

export function ratioOf({ ratios }: Calibration, model: string | undefined): number | undefined {
  return model !== undefined && Object.hasOwn(ratios, model) ? ratios[model] : undefined
}

/** The latest rendered system prompt, as far as the state has it. */
export function systemPrompt({ prompts }: SessionState): string {
  const text = prompts.at(-1)?.text
  return text === undefined ? '' : shownText(text)
}

function blend(before: number | undefined, sample: number): number {
  return before === undefined ? sample : before * (1 - weight) + sample * weight
}

function modelName({ policy }: SessionState, event: EventOf<'model.answered'>): string {
  // Estimates use the requested name; servers answer with dated variants of it.
  return policy?.model?.model ?? event.model ?? 'unknown'
}
