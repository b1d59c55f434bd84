import { LoaderError } from '@loader/session-core'

/**
 * How a statement failed, and so whether it took effect. `full` and `refused` come from the server: it has taken back all
 * that the statement did. `unreached`: there was no connection to send it over, or one to a server that takes no writes, as a
 * replica does until it is the primary. After `lost` it is not known whether the statement took effect, or still will.
 */
export type DatabaseFailure = 'full' | 'refused' | 'unreached' | 'lost'

/** No connection could be had, so nothing was sent. */
export class Unreached extends Error {
  constructor(reason: unknown) {
    super(messageOf(reason), { cause: reason })
  }
}

/** SQLSTATE classes after which the connection, or the server, was going down, perhaps behind the commit. */
const goingDown = /^(08|57P0[1-5])/
/** `disk_full`, and the limits of a quota. */
const outOfSpace = new Set(['53100', '53400'])

export function failureOf(error: unknown): DatabaseFailure {
  if (error instanceof Unreached) return 'unreached'
  const state = sqlStateOf(error)
  if (takesNoWrites(error)) return 'unreached'
  if (state === undefined || goingDown.test(state)) return 'lost'
  return outOfSpace.has(state) ? 'full' : 'refused'
}

/** The server takes no writes, as a replica does. A new connection may reach another server. */
export function takesNoWrites(error: unknown): boolean {
  return sqlStateOf(error) === '25006'
}

/** The five characters that a server gives with each of its errors; undefined where no server spoke. */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof Unreached) return sqlStateOf(error.cause)
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** What the caller of a failed call is told. `reads`: it would have changed nothing in any case. */
export function storageError(
  error: unknown,
  what: string,
  { reads = false }: { readonly reads?: boolean } = {},
): LoaderError {
  if (LoaderError.is(error)) return error
  const failure = failureOf(error)
  const cause = { cause: error }
  const reason = messageOf(error)
  if (failure === 'lost' && !reads) {
    const message = `PostgreSQL was asked to ${what}, and did not answer: ${reason}. It is not known whether it did so. ${hint}`
    return new LoaderError('storage_uncertain', message, cause)
  }
  if (failure === 'full') {
    const message = `PostgreSQL could not ${what}: ${reason}. Nothing was changed. Make room where the database lies, and try again.`
    return new LoaderError('storage_full', message, cause)
  }
  const nothing = reads ? '' : ' Nothing was changed.'
  if (failure === 'unreached') {
    const message = `PostgreSQL could not be reached to ${what}: ${reason}.${nothing} ${hintFor(error)}`
    return new LoaderError('storage_refused', message, cause)
  }
  return new LoaderError(
    'storage_refused',
    `PostgreSQL could not ${what}: ${reason}.${nothing} ${hintFor(error)}`,
    cause,
  )
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // Where several addresses were tried, Node says what happened in the errors inside.
  const inside = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : ''
  return message === '' ? inside || 'no reason was given' : message
}

const hint = 'Look whether the server runs and can be reached, and try again.'

function hintFor(error: unknown): string {
  const state = sqlStateOf(error)
  if (state === undefined) return hint
  if (takesNoWrites(error)) return 'It takes no writes: it may be a replica. Use the address of the primary.'
  if (state === '42501') return 'The user of this connection needs the right to do so.'
  if (state === '3D000' || state === '28P01' || state === '28000')
    return 'Check the address, the user and the password.'
  return `The server gave SQLSTATE ${state}.`
}
