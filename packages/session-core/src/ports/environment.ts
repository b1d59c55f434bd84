/** The clock and the source of ids, passed in: nothing in the core reads a clock or a random source itself. */
export interface Environment {
  /** The time now, in ISO 8601 UTC with milliseconds. */
  now(): string
  /** A new id that begins with the prefix and was never given before, such as `turn_01j…`. */
  newId(prefix: string): string
}

/** The part of AbortSignal that is needed when the platform's type is unknown. */
interface SignalLike {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The AbortSignal of the program that uses this package. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Platform } } ? Platform : SignalLike
