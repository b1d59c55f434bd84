/** A moment at which an agent is killed. */
export interface CommandBoundary {
  /** Counted from 1. */
  readonly number: number
  /** The number of the request that it is about, from 1. */
  readonly request: number
  readonly moment: 'before' | 'after'
  readonly name: string
}

/** Before and after the answer to every request. */
export function boundariesOf(requests: number): readonly CommandBoundary[] {
  const moments = ['before', 'after'] as const
  return Array.from({ length: requests * 2 }, (_, at) => {
    const request = Math.floor(at / 2) + 1
    const moment = moments[at % 2] ?? 'before'
    return { number: at + 1, request, moment, name: `request ${request}, ${moment} its answer` }
  })
}
