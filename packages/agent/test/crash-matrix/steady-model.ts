import { type Message, type ModelRequest, textOf } from '@loader/session-core'
import { type Completion, line, ScriptedBackend, type ScriptedCall } from '@loader/test-harness'

export interface SteadyScript {
  /** What each answer does, in order. */
  readonly steps: readonly (readonly ScriptedCall[])[]
  /** The answer when all of them are done. */
  readonly last: Completion
  /** What it says where it is not asked for an answer. */
  readonly also?: Readonly<Partial<Record<Exclude<ModelRequest['purpose'], 'answer'>, Completion>>>
}

/**
 * A model that keeps to its plan whatever happens to the process: where it stands it reads off the conversation alone.
 * A step that was cut off before it took effect is done again; one of which nobody knows is left as it is.
 */
export function steadyModel(script: SteadyScript): ScriptedBackend {
  const answer = (request: ModelRequest) => answerTo(request, script)
  return new ScriptedBackend(...Array.from({ length: 200 }, () => answer))
}

function answerTo({ purpose, messages }: ModelRequest, { steps, last, also = {} }: SteadyScript): Completion {
  if (purpose !== 'answer') return also[purpose] ?? missing(purpose)
  const step = messages.findLast((message) => stepIn(message) > 0)
  if (step === undefined) return stepLine(steps, 1) ?? last
  const number = stepIn(step)
  const since = messages.slice(messages.findIndex((message) => stepIn(message) === number))
  const again = cutOff(since, steps[number - 1] ?? [])
  return again.length > 0 ? line(`Step ${number}, once more.`, ...again) : (stepLine(steps, number + 1) ?? last)
}

function stepLine(steps: SteadyScript['steps'], step: number): Completion | undefined {
  const calls = steps[step - 1]
  return calls && line(`Step ${step}.`, ...calls)
}

/** The number of the step that an answer is, or 0. */
function stepIn({ role, content }: Message): number {
  return role === 'assistant' ? Number(/^Step (\d+)/.exec(textOf(content))?.[1] ?? 0) : 0
}

/** The calls of a step that have not taken effect. No tool is called twice in one step, so its name tells which. */
function cutOff(since: readonly Message[], calls: readonly ScriptedCall[]): readonly ScriptedCall[] {
  const parts = since.flatMap(({ content }) => content)
  const results = new Map(parts.flatMap((part) => (part.type === 'result' ? [[part.callId, part.outcome]] : [])))
  const standing = parts.flatMap((part) => {
    return part.type === 'call' && results.get(part.call.id) !== 'interrupted' ? [part.call.name] : []
  })
  return calls.filter(({ name }) => !standing.includes(name))
}

function missing(purpose: string): never {
  throw new Error(`The script does not say what to answer when asked for a ${purpose}.`)
}
