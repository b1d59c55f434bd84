import { type Message, type ModelRequest, textOf } from '@loader/session-core'
import { call, type Completion, line, ScriptedBackend, type ScriptedCall } from '@loader/test-harness'

/** What one of several conversations does: an answer for each list of calls, and a last one in words. */
export interface Told {
  readonly steps: readonly (readonly ScriptedCall[])[]
  readonly last: string
}

/**
 * A model that several sessions ask. Which conversation it is in, it reads off the first words that are a key; how far it
 * has come, off its own answers. So it goes on in the same way after any crash. With `again` it asks once more for what it
 * is told was cut off, as a model does.
 */
export function toldModel(
  told: Readonly<Record<string, Told>>,
  ask?: (request: ModelRequest) => void,
  { again = false }: { readonly again?: boolean } = {},
): ScriptedBackend {
  const answer = (request: ModelRequest): Completion => {
    ask?.(request)
    const { messages } = request
    const words = messages.find(({ role }) => role === 'user')
    const key = Object.keys(told).find((each) => textOf(words?.content ?? []).includes(each))
    const story = key === undefined ? undefined : told[key]
    if (story === undefined) throw new Error(`Nobody told what to answer to ${JSON.stringify(words)}`)
    const missed = again ? cutOff(messages) : []
    if (missed.length > 0) return { ...line('Again.', ...missed), usage: { inputTokens: 100, outputTokens: 10 } }
    const calls = story.steps[stepsIn(messages)]
    const said = calls === undefined ? line(story.last) : line(`Step ${stepsIn(messages) + 1}.`, ...calls)
    return { ...said, usage: { inputTokens: 100, outputTokens: 10 } }
  }
  return new ScriptedBackend(...Array.from({ length: 400 }, () => answer))
}

function stepsIn(messages: readonly Message[]): number {
  return messages.filter(({ role, content }) => role === 'assistant' && /^Step \d/.test(textOf(content))).length
}

/** Calls that were interrupted and have not been asked for since. */
function cutOff(messages: readonly Message[]): ScriptedCall[] {
  const parts = messages.flatMap(({ content }) => content)
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))
  const interrupted = new Set(
    parts.flatMap((part) => (part.type === 'result' && part.outcome === 'interrupted' ? [part.callId] : [])),
  )
  const same = ({ name, input }: (typeof calls)[number]) => JSON.stringify([name, input])
  return calls
    .filter(
      (each, index) => interrupted.has(each.id) && !calls.slice(index + 1).some((one) => same(one) === same(each)),
    )
    .map(({ name, input }) => call(name, input))
}
