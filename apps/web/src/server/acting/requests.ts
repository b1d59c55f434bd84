import { createHash } from 'node:crypto'
import { ActRefused } from './act-refused.ts'

interface Known {
  readonly digest: string
  readonly answer: Promise<object>
}

/** Answers are remembered as long as a page may ask again because it has lost its connection. */
const mostKnown = 2_000

/**
 * What was asked for in this server. The same request, sent again, gets the same answer and changes nothing. A refusal is
 * forgotten: what it was about may be possible the next time.
 */
export class Requests {
  readonly #known = new Map<string, Known>()

  /** `work` is begun at most once for a request, even if the request is sent again meanwhile. */
  async once<Answer extends object>(
    request: string,
    what: readonly [name: string, body: object],
    work: () => Promise<Answer>,
  ): Promise<Answer & { readonly repeated?: true }> {
    const digest = createHash('sha256').update(JSON.stringify(what)).digest('base64url')
    const known = this.#known.get(request)
    if (known !== undefined) {
      if (known.digest === digest) return { ...((await known.answer) as Answer), repeated: true }
      throw new ActRefused('request_reused', 'Another request had this id. Nothing was done. Load the page again.')
    }
    const answer = work()
    this.#known.set(request, { digest, answer })
    answer.catch(() => this.#known.delete(request))
    this.#forgetOldest()
    return answer
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
  }
}
