import { type Claim, type ClaimOptions, LoaderError } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, claiming, orElse, tick, wrong, type WrongStore, writing } from './wrong-store.ts'

/** A store that looks who holds a session, and a moment later takes it. */
class LooksThenTakes extends MortalStore {
  readonly #held = new Map<string, number>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    if (options.expect === 'new' || options.takeover) return this.#hold(id, await super.claim(id, options))
    if (this.#held.has(id)) return super.claim(id, options)
    await tick()
    return this.#hold(id, await super.claim(id, { ...options, takeover: true }))
  }

  override async die(): Promise<void> {
    this.#held.clear()
    await super.die()
  }

  #hold(id: string, claim: Claim): Claim {
    this.#held.set(id, claim.writer.epoch)
    return altered(claim, (writer) => ({
      release: async () => {
        if (this.#held.get(id) === writer.epoch) this.#held.delete(id)
        await writer.release()
      },
    }))
  }
}

class ForgetsEpochs extends MortalStore {
  #base = 0
  #epoch = 0

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), ({ epoch }) => ({ epoch: (this.#epoch = epoch) - this.#base }))
  }

  override async die(): Promise<void> {
    this.#base = this.#epoch
    await super.die()
  }
}

class KeepsTheLocksOfTheDead extends MortalStore {
  override async die(): Promise<void> {}
}

export const wrongClaiming: readonly WrongStore[] = [
  wrong(
    'does not say who holds a session',
    claiming((next, options) =>
      orElse(next(options), 'session_busy', () => Promise.reject(new LoaderError('session_busy', 'It is held.'))),
    ),
    'a session that is held is refused, and the holder named',
  ),
  wrong(
    'lets two writers in',
    claiming((next, options) => next({ ...options, takeover: options.expect === 'existing' })),
    'a session that is held is refused, and the holder named',
    'a refused claim does not disturb the holder',
    'of several claims at once exactly one wins',
    'releasing twice does not free what another writer holds by now',
    'a displaced writer that is released does not free the session',
    'takeover of a session without a holder is a claim like any other',
  ),
  wrong(
    'displaces the holder and then refuses',
    claiming(async (next, options) =>
      orElse(next(options), 'session_busy', async () => {
        const { writer } = await next({ ...options, takeover: true })
        throw new LoaderError('session_busy', `It is held by ${writer.id} rival-of-the-contract.`)
      }),
    ),
    'a refused claim does not disturb the holder',
  ),
  wrong(
    'looks who holds a session before it takes it',
    () => new LooksThenTakes(),
    'of several claims at once exactly one wins',
  ),
  wrong(
    'lets everybody into a session that has no event yet',
    claiming(async (next, options, store) => {
      if (options.expect === 'existing') return next(options)
      const taken = await next(options).catch((error: unknown) => ({ error }))
      if (!('error' in taken)) return taken
      const { rows } = await store.list()
      if (rows.length > 0) throw taken.error
      return next({ ...options, expect: 'existing', takeover: true })
    }),
    'of several new sessions with one id exactly one wins',
  ),
  wrong(
    'has one epoch for all',
    writing(() => ({ epoch: 1 })),
    'reading what a dead process left behind changes nothing',
    'reading takes no epoch',
    'a claim of a history that was made elsewhere has an epoch above those in it',
    'every claim has a higher epoch than the one before',
    'the epoch grows over the end of the process as well',
    'an id of long ago is refused to every later writer',
    'watching says when another writer has the session, before what it writes',
    'watching disturbs no writer, and takes no epoch',
    'asking who holds a session takes no epoch, and disturbs no writer',
    'a claim that is not the newest removes nothing',
    'a session that is restored goes on above the claims in it',
  ),
  wrong(
    'begins with the epochs anew in every process',
    () => new ForgetsEpochs(),
    'reading what a dead process left behind changes nothing',
    'the epoch grows over the end of the process as well',
    'an id of long ago is refused to every later writer',
  ),
  wrong(
    'keeps the locks of the dead',
    () => new KeepsTheLocksOfTheDead(),
    'a session goes on after the end of its process, and keeps both halves',
    'reading what a dead process left behind changes nothing',
    'the epoch grows over the end of the process as well',
    'what a dead process held is free',
    'a new session that got no event leaves nothing behind when its process ends',
    'a saved state survives the end of the process',
    'what a dead process held can be deleted',
    'what a dead process held has no holder',
  ),
  wrong(
    'hands out what came after the saved state, without the state',
    claiming(async (next, options) => ({ ...(await next(options)), state: null })),
    'a claim hands out state and events that fold to the history',
    'a displaced writer saves nothing more',
    'a saved state is what the next claim begins with',
    'a saved state survives the end of the process',
    'a state that is older than the events comes with the events after it',
    'a session goes on after it was saved',
    'an id of long ago is refused to every later writer',
    'a session that is restored has its events and its long texts, and is listed',
  ),
  wrong(
    'keeps a new session that got no event',
    writing((writer) => {
      let appended = writer.epoch > 1
      return {
        append: async (events, level) => {
          await writer.append(events, level)
          appended = true
        },
        release: async () => {
          if (appended) await writer.release()
        },
      }
    }),
    'a new session that got no event leaves nothing behind when it is released',
  ),
]
