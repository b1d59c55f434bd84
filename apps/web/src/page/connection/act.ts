import { type ActAnswers, type ActBodies, type ActName, paths } from '../../protocol.ts'
import { post, RequestError } from './login.ts'

/** How long an answer is waited for. After that, the events show what became of the request. */
const patienceMs = 60_000

/**
 * Sends an act to the server. `request` is its id: an act that is sent again with the same id is carried out once, so it
 * can be repeated when no answer came. Throws a `RequestError`, with the code `no_answer` if the result is unknown.
 */
export async function act<Name extends ActName>(
  name: Name,
  body: ActBodies[Name],
  request: string,
): Promise<ActAnswers[Name]> {
  try {
    return (await post(paths.act(name), { request, ...body }, AbortSignal.timeout(patienceMs))) as ActAnswers[Name]
  } catch (error) {
    // A refusal may also come from a proxy in front of the server.
    if (error instanceof RequestError && (error.isRefusal || error.code !== 'failed')) throw error
    throw new RequestError('no_answer', 'The server has not answered.')
  }
}

/** A new id for each action. */
export function newRequest(): string {
  // Browsers offer `randomUUID` only over TLS and on this machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
