import * as z from 'zod/mini'
import { LoaderError } from './errors.ts'
import type { Immutable } from './immutable.ts'
import { described, lazyObject } from './schema.ts'

/** The step that a turn is at. `reduce` allows only the changes in `phaseTransitions`. */
export const Phase = /* @__PURE__ */ z.enum(['prepare', 'assistant', 'repair', 'tools', 'completion', 'finalize'])
export type Phase = z.infer<typeof Phase>

/** Which phase may follow which. A turn that is not there is idle and can only be prepared. */
export const phaseTransitions: Readonly<Record<Phase | 'idle', readonly Phase[]>> = {
  idle: ['prepare'],
  prepare: ['assistant', 'finalize'],
  assistant: ['repair', 'tools', 'completion', 'finalize'],
  repair: ['assistant', 'tools', 'completion', 'finalize'],
  tools: ['assistant', 'completion', 'finalize'],
  completion: ['assistant', 'finalize'],
  finalize: [],
}

/** One change of phase, with its reason. The state keeps the last one. */
export const Transition = /* @__PURE__ */ lazyObject(() => ({
  from: described(z.nullable(Phase), 'null at the start of a turn'),
  to: Phase,
  kind: z.enum(['normal', 'retry', 'reroute', 'recovery', 'terminal']),
  reasonCode: z.string(),
  summary: z.string(),
}))
export type Transition = Immutable<z.infer<typeof Transition>>

/** Why a phase changes, for `transition`, which adds the phases themselves. */
export type TransitionCause = Pick<Transition, 'kind' | 'reasonCode'> & { readonly reason: string }

/** The step from one phase to another, or undefined when the turn is already there. */
export function transition(from: Phase | null, to: Phase, cause: TransitionCause): Transition | undefined {
  if (from === to) return undefined
  if (!phaseTransitions[from ?? 'idle'].includes(to)) {
    const next = phaseTransitions[from ?? 'idle']
    throw new LoaderError(
      'impossible_event',
      `A turn cannot go from phase ${from ?? 'idle'} to phase ${to}. From ${from ?? 'idle'} it can go to ` +
        `${next.length > 0 ? next.join(', ') : 'no other phase'}.`,
    )
  }
  const { kind, reasonCode, reason } = cause
  return { from, to, kind, reasonCode, summary: `${from ?? 'start'} -> ${to} [${kind}] ${reason}` }
}
