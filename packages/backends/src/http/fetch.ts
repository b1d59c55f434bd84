/** The `fetch` of the program that uses this package. */
export type Fetch = typeof globalThis extends { fetch: infer Platform } ? Platform : FetchLike

/** The part of it that is needed where the platform's type is not known. */
type FetchLike = (url: string, init?: object) => Promise<unknown>
