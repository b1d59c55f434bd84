import { type ActAnswers, type ActBodies, type ActName, paths } from '../../protocol.ts'
import { post, RequestError } from './login.ts'

/** An answer that takes longer is not waited for: what became of the request will be seen in the events. */
const patienceMs = 60_000

/**
 * Asks for something to be done. `request` names the wish: asked again under the same name it is done once, so a wish of
 * which no answer came can be repeated. Throws a `RequestError`; `no_answer` where it is not known what became of it.
 */
export async function act<Name extends ActName>(
  name: Name,
  body: ActBodies[Name],
  request: string,
): Promise<ActAnswers[Name]> {
  try {
    return (await post(paths.act(name), { request, ...body }, AbortSignal.timeout(patienceMs))) as ActAnswers[Name]
  } catch (error) {
    // Also where something in front of the server answers for it.
    if (error instanceof RequestError && (error.isRefusal || error.code !== 'failed')) throw error
    throw new RequestError('no_answer', 'The server has not answered.')
  }
}

/** Another one for each wish. */
export function newRequest(): string {
  // `randomUUID` is for pages behind TLS and for this machine alone.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
