import type { OpenCall, ToolOutcome } from '@loader/session-core'
import type { Observation } from '@loader/session-core/coding'

/** The recorded result of a call that a crash interrupted. */
export interface Reconciliation {
  readonly outcome: ToolOutcome
  /** The result's text for the model. */
  readonly text: string
}

/**
 * The outcome of an interrupted call, as far as it can be known. A write is judged by the current content of its files.
 * The outcome of any other call that may have had an effect is unknown, and must stay so. `moved`: the session goes on in
 * another folder than the call ran in, with the files from before the call.
 */
export function reconciliation(
  open: OpenCall,
  observation: Observation | undefined,
  { moved = false }: { readonly moved?: boolean } = {},
): Reconciliation {
  const { call, examined } = open
  if (examined?.effect === 'none' || examined?.effect === 'probe') {
    return {
      outcome: 'interrupted',
      text: `${call.name} was cut off before it answered. It only looks; run it again if it is needed.`,
    }
  }
  const intent = examined?.intent ?? []
  if (moved && examined?.command !== undefined) return leftElsewhere(open)
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
    const where = moved ? 'in the folder that the session was in before. Here nothing was changed' : undefined
    const text = `${call.name} was cut off ${where ?? 'before it changed anything. Nothing was done'}.`
    return { outcome: 'interrupted', text }
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

/**
 * A command that was cut off in another folder. The files here are those from before it ran, so it did nothing to them;
 * what it did elsewhere is known only where walls kept it from doing anything.
 */
function leftElsewhere({ call, contained }: OpenCall): Reconciliation {
  const here = `${call.name} was cut off in the folder that the session was in before. The files here are those from before it ran: it changed none of them.`
  if (contained === true) {
    return { outcome: 'interrupted', text: `${here} It could not reach anything else. Run it again if it is needed.` }
  }
  return {
    outcome: 'unknown',
    text: `${here} It could reach more than the workspace, and it is unknown whether it did. Find out before doing it again.`,
  }
}

function unknown(name: string): Reconciliation {
  return {
    outcome: 'unknown',
    text: `${name} was cut off while it ran. It is unknown whether, and how far, it took effect. Find out before doing it again.`,
  }
}
