/** The addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>
