import { keyHeader, type LoginAnswer, paths, type Refusal } from '../../protocol.ts'

const keyName = 'loader-key'

/** An answer of the server that is not a success, or a missing answer. */
export class RequestError extends Error {
  readonly code: string
  /** If another answer was first: who gave it, and what it was. */
  readonly first: Pick<Refusal['error'], 'by' | 'permit'>
  /** The status of the answer; 0 where none came. */
  readonly status: number

  constructor(code: string, message: string, first: Pick<Refusal['error'], 'by' | 'permit'> = {}, status = 0) {
    super(message)
    this.code = code
    this.first = first
    this.status = status
  }

  /** Whether nothing was done. What failed in the server, or on the way back, may have been done before. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500
  }
}

/**
 * Takes the token out of the address, before anything else looks at it, and logs in with it. The key of a
 * link to one session is kept for this tab alone; the key to everything is kept for all tabs of this server.
 */
export async function logIn(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1))
  const token = given.get('token')
  if (token === null) return
  const session = given.get('session')
  showSession(session)
  const response = await fetch(addressOf(paths.login), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: token }),
  })
  if (!response.ok) throw await refusalIn(response)
  const { key, scope } = (await response.json()) as LoginAnswer
  if (scope.kind === 'all') {
    sessionStorage.removeItem(keyName)
    localStorage.setItem(keyName, key)
  } else {
    sessionStorage.setItem(keyName, key)
    showSession(scope.id)
  }
  // Other tabs get an event from the storage.
  window.dispatchEvent(new Event('loader-login'))
}

/** Leaves no token in the address, which people copy. */
function showSession(id: string | null): void {
  history.replaceState(
    null,
    '',
    `${location.pathname}${location.search}#/${id === null ? '' : `s/${encodeURIComponent(id)}`}`,
  )
}

/** Asks the server for something. Throws a `RequestError` that says why there is none. */
export async function ask(path: string, query: object = {}, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(addressOf(path, query), {
    headers: { [keyHeader]: currentKey() },
    cache: 'no-store',
    ...(signal !== undefined && { signal }),
  })
  if (!response.ok) throw await refusalIn(response)
  return response
}

/** Asks the server to do something. Throws a `RequestError` where it refuses, anything else where no answer came. */
export async function post(path: string, body: object, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(addressOf(path), {
    method: 'POST',
    headers: { [keyHeader]: currentKey(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  if (!response.ok) throw await refusalIn(response)
  return (await response.json()) as unknown
}

function currentKey(): string {
  return sessionStorage.getItem(keyName) ?? localStorage.getItem(keyName) ?? ''
}

export async function askJson<Answer>(path: string, query: object = {}): Promise<Answer> {
  return (await (await ask(path, query)).json()) as Answer
}

/** The page may be served from a folder of a reverse proxy. */
function addressOf(path: string, query: object = {}): string {
  const url = new URL(`.${path}`, document.baseURI.replace(/[?#].*$/, ''))
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}

async function refusalIn(response: Response): Promise<RequestError> {
  try {
    const { error } = (await response.json()) as Refusal
    return new RequestError(error.code, error.message, error, response.status)
  } catch {
    return new RequestError('failed', `The server answered with ${response.status}.`, {}, response.status)
  }
}
