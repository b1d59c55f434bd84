import {
  isSessionEvent,
  type EventOf,
  reduce,
  type Recording,
  type SessionState,
  shownText,
  type StoredEvent,
  type ToolDescription,
  type Usage,
} from '@loader/session-core'
import { messagesTokens } from './message-tokens.ts'
import { overheadTokens } from './overhead.ts'

/**
 * What servers have told about the size of requests: plain data, a fold of the events of a session.
 *
 * Invariants:
 * 1. It follows from the events and the tools alone, so a resumed session estimates like the one before it.
 * 2. What a server says is believed only if it can be true; some count nothing that they had in a cache.
 */
export interface Calibration {
  /** For each model, how many tokens it counts for one that we guess. */
  readonly ratios: Readonly<Record<string, number>>
  /** The latest request whose size a server has told. */
  readonly anchor: Anchor | null
}

/** The last request whose size a server reported. Estimates count only what was added since. */
export interface Anchor {
  readonly model: string
  /** Also the id of the message that the answer became. */
  readonly requestId: string
  readonly usage: Usage & { readonly inputTokens: number }
  /** The messages that were counted. */
  readonly messages: { readonly count: number; readonly firstId: string; readonly lastId: string }
  /** Our own guess for system prompt and tools, to tell when they differ. */
  readonly overhead: number
}

/** What `calibrate` cannot read off a recording. */
export interface CalibrationOptions {
  /** The tools that go with each request; a recording has only their digest. */
  readonly tools?: readonly ToolDescription[]
}

/** For a session without any answer yet: estimates are guesses. */
export const noCalibration: Calibration = { ratios: {}, anchor: null }

const believable = { least: 0.4, most: 3 } as const
/** How much the newest request counts against all before it. */
const weight = 0.5

/** Takes in one event; `before` is the state that it was reduced into. */
export function calibrate(
  calibration: Calibration,
  before: SessionState | null,
  event: StoredEvent,
  { tools = [] }: CalibrationOptions = {},
): Calibration {
  if (before === null || !isSessionEvent(event) || event.type !== 'model.answered') return calibration
  const { usage } = event
  const [first, last] = [before.messages.at(0), before.messages.at(-1)]
  // A request for anything but an answer may carry something else than the window.
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

/** The calibration that a whole recording gives. */
export function calibrationOf(recording: Recording, options: CalibrationOptions = {}): Calibration {
  let calibration = noCalibration
  let state: SessionState | null = null
  for (const event of recording) {
    calibration = calibrate(calibration, state, event, options)
    state = reduce(state, event)
  }
  return calibration
}

export function ratioOf({ ratios }: Calibration, model: string | undefined): number | undefined {
  return model !== undefined && Object.hasOwn(ratios, model) ? ratios[model] : undefined
}

/** The system prompt as it was rendered last, as far as the state has it. */
export function systemPrompt({ prompts }: SessionState): string {
  const text = prompts.at(-1)?.text
  return text === undefined ? '' : shownText(text)
}

function blend(before: number | undefined, sample: number): number {
  return before === undefined ? sample : before * (1 - weight) + sample * weight
}

function modelName({ policy }: SessionState, event: EventOf<'model.answered'>): string {
  // The name that was asked for is the one that estimates are asked for; servers answer with dated variants of it.
  return policy?.model?.model ?? event.model ?? 'unknown'
}
