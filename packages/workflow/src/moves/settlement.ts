import type { OpenCall, ToolOutcome } from '@loader/session-core'
import type { Observation } from '@loader/session-core/coding'

/** The recorded result of a call that a crash interrupted. */
export interface Settlement {
  readonly outcome: ToolOutcome
  /** The result's text for the model. */
  readonly text: string
}

/**
 * The outcome of an interrupted call, as far as it can be known. A write is judged by the current content of its files.
 * The outcome of any other call that may have had an effect is unknown, and must stay so.
 */
export function settlement(open: OpenCall, observation: Observation | undefined): Settlement {
  const { call, examined } = open
  if (examined?.effect === 'none' || examined?.effect === 'probe') {
    return {
      outcome: 'interrupted',
      text: `${call.name} was cut off before it answered. It only looks; run it again if it is needed.`,
    }
  }
  const intent = examined?.intent ?? []
  if (observation === undefined || intent.length === 0) return unknown(call.name)
  const now = new Map(observation.files.map((file) => [file.path, file.now]))
  if (intent.every(({ path, after }) => now.get(path) === after)) {
    const files = intent.map(({ path }) => path).join(', ')
    return {
      outcome: 'ok',
      text: `${call.name} was cut off, but its change is there: ${files} is as it was meant to be.`,
    }
  }
  if (intent.every(({ path, before }) => now.get(path) === before)) {
    return { outcome: 'interrupted', text: `${call.name} was cut off before it changed anything. Nothing was done.` }
  }
  const others = intent.filter(({ path, before, after }) => now.get(path) !== before && now.get(path) !== after)
  if (others.length === 0) {
    const done = intent.filter(({ path, after }) => now.get(path) === after).map(({ path }) => path)
    const text = `${call.name} was cut off half way. Changed already: ${done.join(', ')}. Look before going on.`
    return { outcome: 'unknown', text }
  }
  const changed = others.map(({ path }) => path).join(', ')
  return {
    outcome: 'unknown',
    text: `${call.name} was cut off, and ${changed} is neither as it was nor as it was meant to be: something else changed it. Look before going on.`,
  }
}

function unknown(name: string): Settlement {
  return {
    outcome: 'unknown',
    text: `${name} was cut off while it ran. It is unknown whether, and how far, it took effect. Find out before doing it again.`,
  }
}
