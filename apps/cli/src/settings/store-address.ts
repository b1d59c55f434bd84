import { LoaderError } from '@loader/session-core'

/** A database that keeps sessions. */
export interface StoreAddress {
  /** What the driver is told, with everything that is secret about it. */
  readonly connection: string
  readonly tenant?: string
  readonly schema?: string
  /** The same for people: without passwords and parameters. */
  readonly shown: string
  /** The same for a command that is to be typed next: whose sessions they are belongs to it. */
  readonly typed: string
  /** What must not be seen anywhere. */
  readonly secrets: readonly string[]
}

/** The parameters `tenant` and `schema` are ours, all others are for the driver. An error repeats nothing of the address. */
export function parseStoreAddress(text: string): StoreAddress {
  const url = parsed(text)
  const [tenant, schema] = ['tenant', 'schema'].map((name) => url.searchParams.get(name) ?? undefined)
  const ours = new URLSearchParams({ ...(tenant !== undefined && { tenant }), ...(schema !== undefined && { schema }) })
  for (const name of ['tenant', 'schema']) url.searchParams.delete(name)
  const parameters = ['password', 'sslpassword'].flatMap((name) => url.searchParams.get(name) ?? [])
  const shown = `postgres://${url.username && `${url.username}@`}${url.host}${url.pathname}`
  return {
    connection: url.href,
    ...(tenant !== undefined && { tenant }),
    ...(schema !== undefined && { schema }),
    shown,
    typed: ours.size === 0 ? shown : `${shown}?${ours.toString()}`,
    secrets: [...passwordsOf(url), ...parameters].filter((secret) => secret !== ''),
  }
}

/** A store as an option, a setting or the environment names it, without what is secret. */
export function shownStore(text: string): string {
  if (text === 'files') return text
  return addressIn(text) === undefined ? '***' : parseStoreAddress(text).shown
}

function parsed(text: string): URL {
  const url = addressIn(text)
  if (url !== undefined) return url
  throw new LoaderError(
    'invalid_config',
    'The store must be "files", or the address of a PostgreSQL database: postgres://user@host:5432/database. ' +
      'In a password, write / as %2F, @ as %40, # as %23, ? as %3F and : as %3A.',
  )
}

function addressIn(text: string): URL | undefined {
  // Without the slashes everything is a path, the password too.
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** As it is written, and as it is meant. */
function passwordsOf({ password }: URL): readonly string[] {
  try {
    return [password, decodeURIComponent(password)]
  } catch (error) {
    if (error instanceof URIError) return [password]
    throw error
  }
}
