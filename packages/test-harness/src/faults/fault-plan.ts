import type { CallKind } from './calls.ts'
import type { SystemErrorCode } from './system-error.ts'

/** Selects the calls to fail. */
export interface Where {
  /** One kind, some kinds, or any. */
  readonly on: CallKind | readonly CallKind[] | 'any'
  /** Only calls with a matching path, or on a descriptor opened with one. */
  readonly path?: RegExp
  /** The first matching call is 1, which is the default. */
  readonly nth?: number
  /** Only the nth call, which is the default, or all calls from there on. */
  readonly lasts?: 'once' | 'forever'
}

/** A fault, and the calls of a file system that it affects. */
export type Fault = Where &
  (
    | {
        readonly fault: 'error'
        readonly code: SystemErrorCode
        /** Whether the call has its effect before it fails. Default: it has not; a flush never has. */
        readonly work?: 'done' | 'not done'
      }
    /** Fewer bytes than requested are written, and the call reports that. */
    | { readonly fault: 'short write'; readonly bytes: number }
    /** The call takes longer; a synchronous one blocks. */
    | { readonly fault: 'delay'; readonly milliseconds: number }
  )

/** Counts calls, and selects the faults for each. */
export class FaultPlan {
  readonly #faults: { readonly fault: Fault; calls: number }[] = []

  constructor(faults: readonly Fault[]) {
    for (const fault of faults) this.add(fault)
  }

  /** Counting for this fault starts here. */
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
