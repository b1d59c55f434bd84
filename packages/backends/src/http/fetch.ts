/** The `fetch` type of the program that uses this package. */
export type Fetch = typeof globalThis extends { fetch: infer Platform } ? Platform : FetchLike

/** The part of it that is needed when the platform's type is unknown. */
type FetchLike = (url: string, init?: object) => Promise<unknown>
