import { useRef, useState } from 'preact/hooks'
import type { ActAnswers, ActBodies, ActName } from '../../protocol.ts'
import { act, newRequest } from '../connection/act.ts'
import { RequestError } from '../connection/login.ts'

/** Something that can be asked for, and what became of it. */
export interface Act<Name extends ActName> {
  /** Asked for, and not known to be durable yet. */
  readonly isPending: boolean
  readonly failure: RequestError | null
  /** Undefined where it was refused, or no answer came: then `failure` says why. */
  readonly run: (body: ActBodies[Name], request?: string) => Promise<ActAnswers[Name] | undefined>
  readonly forget: () => void
}

/** The requests of this page. With them it tells its own answers from those of others. */
export const ownRequests = new Set<string>()

/**
 * One kind of act, with its state for the component that asks for it. If the result of an act is unknown, it is sent again
 * with the same request id, so that it is carried out once.
 */
export function useAct<Name extends ActName>(name: Name): Act<Name> {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<RequestError | null>(null)
  const running = useRef(false)
  const unsettled = useRef<{ readonly body: string; readonly request: string } | null>(null)
  const run = async (body: ActBodies[Name], given?: string) => {
    if (running.current) return undefined
    running.current = true
    setPending(true)
    setFailure(null)
    const written = JSON.stringify(body)
    const request = given ?? (unsettled.current?.body === written ? unsettled.current.request : newRequest())
    unsettled.current = { body: written, request }
    ownRequests.add(request)
    try {
      const answer = await act(name, body, request)
      unsettled.current = null
      return answer
    } catch (error) {
      const known = error instanceof RequestError ? error : new RequestError('failed', String(error))
      if (known.isRefusal) unsettled.current = null
      setFailure(known)
      return undefined
    } finally {
      running.current = false
      setPending(false)
    }
  }
  return { isPending, failure, run, forget: () => setFailure(null) }
}
