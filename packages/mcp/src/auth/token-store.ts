/** What is kept of a login with a server. The program decides where, and must make sure that only the user can read it. */
export interface KeptLogin {
  /** The address of the server. The login must not be used with any other. */
  readonly url: string
  readonly tokens?: unknown
  readonly client?: unknown
  readonly discovery?: unknown
  /** Scopes that a call needed and the login did not have. The next login asks for them. */
  readonly scope?: string
}

/** Logins by the names of servers. */
export interface LoginStore {
  read(server: string): KeptLogin | undefined
  write(server: string, login: KeptLogin | undefined): void
}

/** The tokens and secrets in what is kept of a login. */
export function secretsOf(login: KeptLogin | undefined): readonly string[] {
  return textsOf([login?.tokens, login?.client])
}

function textsOf(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return /(?:token|secret)$/i.test(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, key))
}
