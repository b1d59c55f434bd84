import type { CallKind } from './calls.ts'
import type { SystemErrorCode } from './system-error.ts'

/** Which calls go wrong. */
export interface Where {
  /** One kind, some kinds, or any. */
  readonly on: CallKind | readonly CallKind[] | 'any'
  /** Only calls with such a path, or on what was opened with one. */
  readonly path?: RegExp
  /** The first matching call is 1, and what is meant unless said. */
  readonly nth?: number
  /** The nth call alone, as it is unless said, or all from there on. */
  readonly lasts?: 'once' | 'forever'
}

/** What goes wrong with one call of a file system, and with which one. */
export type Fault = Where &
  (
    | {
        readonly fault: 'error'
        readonly code: SystemErrorCode
        /** Whether the call does its work before it fails; unless said it does not, and a flush never does. */
        readonly work?: 'done' | 'not done'
      }
    /** Fewer bytes than asked for are written, and the call says so. */
    | { readonly fault: 'short write'; readonly bytes: number }
    /** The call takes longer; a synchronous one blocks. */
    | { readonly fault: 'delay'; readonly milliseconds: number }
  )

/** Counts calls, and says which faults strike. */
export class FaultPlan {
  readonly #faults: { readonly fault: Fault; calls: number }[] = []

  constructor(faults: readonly Fault[]) {
    for (const fault of faults) this.add(fault)
  }

  /** The calls of a fault are counted from here on. */
  add(fault: Fault): void {
    this.#faults.push({ fault, calls: 0 })
  }

  strike(kind: CallKind, paths: readonly string[]): readonly Fault[] {
    const matching = this.#faults.filter(({ fault }) => isMeant(fault, kind, paths))
    for (const each of matching) each.calls += 1
    return matching.filter(({ fault, calls }) => isItsTurn(fault, calls)).map(({ fault }) => fault)
  }
}

function isMeant({ on, path }: Where, kind: CallKind, paths: readonly string[]): boolean {
  if (on !== 'any' && on !== kind && !on.includes(kind)) return false
  return path === undefined || paths.some((each) => each.search(path) >= 0)
}

function isItsTurn({ nth = 1, lasts = 'once' }: Where, calls: number): boolean {
  return lasts === 'once' ? calls === nth : calls >= nth
}
