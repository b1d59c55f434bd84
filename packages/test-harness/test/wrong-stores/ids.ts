import { type Claim, type ClaimOptions, LoaderError, SessionId, type StoredEvent } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { claiming, orElse, wrong, type WrongStore } from './wrong-store.ts'

type Read = Parameters<MortalStore['read']>

const isPath = (id: string) => /[/\\:\0]|^\.+$/.test(id)
const isReserved = (id: string) => /^(nul|con|com1|lpt9|_index)$/i.test(id)

/** A store that takes these ids, which are none. */
function taking(isTaken: (id: string) => boolean): () => MortalStore {
  const valid = (id: string) => (isTaken(id) ? `id${Buffer.from(id).toString('hex').slice(0, 60)}` : id)
  class Taking extends MortalStore {
    override claim(id: string, options: ClaimOptions): Promise<Claim> {
      return super.claim(valid(id), options)
    }
    override read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
      return super.read(valid(id), options)
    }
    override readBlob(id: string, blob: string): Promise<string> {
      return super.readBlob(valid(id), blob)
    }
    override delete(id: string): Promise<void> {
      return super.delete(valid(id))
    }
  }
  return () => new Taking()
}

/** A store for which ids that differ in case name different sessions. */
class DistinguishesCase extends MortalStore {
  readonly #first = new Map<string, string>()

  #apart(id: string): string {
    const first = this.#first.get(id.toLowerCase())
    return first === undefined || first === id ? id : `${id}-2`
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(this.#apart(id), options)
    if (!this.#first.has(id.toLowerCase())) this.#first.set(id.toLowerCase(), id)
    return claim
  }

  override read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    return super.read(this.#apart(id), options)
  }
}

export const wrongIds: readonly WrongStore[] = [
  wrong('takes paths as ids', taking(isPath), 'paths are no ids'),
  wrong('takes reserved names as ids', taking(isReserved), 'names that systems or stores reserve are no ids'),
  wrong(
    'takes anything but paths and reserved names as ids',
    taking((id) => !isPath(id) && !isReserved(id) && !SessionId.safeParse(id).success),
    'an id has letters, digits, _ and - only',
  ),
  wrong(
    'refuses long ids',
    claiming(async (next, options, _store, id) => {
      if (/^x{60,64}$/.test(id)) throw new LoaderError('invalid_id', 'This is too long.')
      return next(options)
    }),
    'every id of the rule is taken as it is',
  ),
  wrong(
    'opens what is there instead of a new session',
    claiming((next, options) =>
      orElse(next(options), 'session_exists', () => next({ ...options, expect: 'existing' })),
    ),
    'a new session whose id is taken is refused, held or not',
    'takeover does not turn a taken id into a new session',
    'an id that differs only in case is taken',
    'of several new sessions with one id exactly one wins',
  ),
  wrong(
    'opens what is there when a new session takes over',
    claiming((next, options) =>
      orElse(next(options), options.takeover ? 'session_exists' : 'never', () =>
        next({ ...options, expect: 'existing' }),
      ),
    ),
    'takeover does not turn a taken id into a new session',
  ),
  wrong(
    'distinguishes ids by case',
    () => new DistinguishesCase(),
    'an id that differs only in case is taken',
    'a session is found whatever the case of its id',
  ),
  wrong(
    'makes what it is asked to continue',
    claiming((next, options) => orElse(next(options), 'session_not_found', () => next({ ...options, expect: 'new' }))),
    'a session that is not there is not continued, and not made',
    'a new session that got no event leaves nothing behind when it is released',
    'a new session that got no event leaves nothing behind when its process ends',
    'a deleted session is neither read nor claimed',
    'a deleted session does not come back with a new process',
    'a deleted session does not come back by a writer that was released',
    'a deleted session does not come back by a writer that was displaced',
    'what a dead process held can be deleted',
    'of events that make no session, or another one, nothing is restored',
  ),
]
