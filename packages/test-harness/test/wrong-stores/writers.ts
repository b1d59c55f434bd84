import { type Claim, type ClaimOptions, LoaderError, type SessionWriter } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, claiming, wrong, type WrongStore, writing } from './wrong-store.ts'

/** A store that knows the writer of each session by its id alone. */
abstract class KnowsTheCurrentWriter extends MortalStore {
  protected readonly current = new Map<string, SessionWriter>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    this.current.set(id, claim.writer)
    return altered(claim, (writer) => this.alter(writer))
  }

  protected abstract alter(writer: SessionWriter): Partial<SessionWriter>
}

class ReleasesWhoeverHolds extends KnowsTheCurrentWriter {
  protected override alter({ id }: SessionWriter): Partial<SessionWriter> {
    return { release: async () => this.current.get(id)?.release() }
  }
}

class AppendsForWhoeverHolds extends KnowsTheCurrentWriter {
  protected override alter({ id }: SessionWriter): Partial<SessionWriter> {
    return { append: async (events, level) => this.current.get(id)?.append(events, level) }
  }
}

class SavesForWhoeverHolds extends KnowsTheCurrentWriter {
  protected override alter({ id }: SessionWriter): Partial<SessionWriter> {
    return { save: async (state, options) => this.current.get(id)?.save(state, options) }
  }
}

/** A takeover leaves no lock. */
class TakesOverWithoutLock extends MortalStore {
  readonly #open = new Set<string>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, this.#open.has(id) ? { ...options, takeover: true } : options)
    if (options.takeover) this.#open.add(id)
    return claim
  }
}

async function swallow(code: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!LoaderError.is(error) || error.code !== code) throw error
  }
}

/** Writers that were released or displaced, and do not know it. */
export const wrongWriters: readonly WrongStore[] = [
  wrong(
    'frees a session only when it was saved',
    writing((writer) => {
      let saved = false
      return {
        save: async (state, options) => {
          await writer.save(state, options)
          saved = true
        },
        release: async () => {
          if (saved) await writer.release()
        },
      }
    }),
    '2,000 events are kept',
    'a session goes on after the end of its process, and keeps both halves',
    'reading takes no epoch',
    'a claim of a history that was made elsewhere has an epoch above those in it',
    'every claim has a higher epoch than the one before',
    'a claim hands out state and events that fold to the history',
    'a new session that got no event leaves nothing behind when it is released',
    'a released session can be claimed at once',
    'a released writer appends nothing more',
    'a released writer saves nothing more',
    'releasing twice does not free what another writer holds by now',
    'the texts of a session are deleted with it',
    'a deleted session does not come back by a writer that was released',
    'a deleted session does not come back by a writer that was displaced',
    'a fork keeps the long texts that its events name, also when the session is deleted',
    'the holder of a session is told, and none once it is released',
    'asking who holds a session takes no epoch, and disturbs no writer',
    'a session that is restored has its events and its long texts, and is listed',
    'a session that is restored goes on above the claims in it',
    'nothing is restored where the id is taken',
    'of events that make no session, or another one, nothing is restored',
  ),
  wrong(
    'lets a released writer append',
    writing((writer, store) => ({
      append: async (events, level) => {
        try {
          await writer.append(events, level)
        } catch (error) {
          if (!LoaderError.is(error, 'session_closed')) throw error
          const claim = await store.claim(writer.id, { owner: { type: 'A', path: 'a' }, expect: 'existing' })
          await claim.writer.append(events, level)
        }
      },
    })),
    'a released writer appends nothing more',
    'a deleted session does not come back by a writer that was released',
  ),
  wrong(
    'ignores the save of a released writer',
    writing((writer) => ({ save: (state, options) => swallow('session_closed', writer.save(state, options)) })),
    'a released writer saves nothing more',
    'a deleted session does not come back by a writer that was released',
  ),
  wrong(
    'releases whoever holds the session',
    () => new ReleasesWhoeverHolds(),
    'releasing twice does not free what another writer holds by now',
    'a displaced writer that is released does not free the session',
  ),
  wrong(
    'refuses to take over',
    claiming((next, options) => next({ ...options, takeover: false })),
    'every claim has a higher epoch than the one before',
    'takeover takes a session from a live writer, and goes on',
    'a displaced writer appends nothing more',
    'a displaced writer saves nothing more',
    'a displaced writer that is released does not free the session',
    'an append that is acknowledged while the session is taken over is not lost',
    'a deleted session does not come back by a writer that was displaced',
    'watching says when another writer has the session, before what it writes',
    'after a takeover it is the new writer that holds the session',
    'a claim that is not the newest removes nothing',
  ),
  wrong(
    'lets a displaced writer append',
    () => new AppendsForWhoeverHolds(),
    'a displaced writer appends nothing more',
    'a deleted session does not come back by a writer that was displaced',
  ),
  wrong('lets a displaced writer save', () => new SavesForWhoeverHolds(), 'a displaced writer saves nothing more'),
  wrong(
    'ignores what a displaced writer appends',
    writing((writer) => ({
      append: async (events, level) => {
        await Promise.resolve()
        await swallow('writer_fenced', writer.append(events, level))
      },
    })),
    'a displaced writer appends nothing more',
    'an append that is acknowledged while the session is taken over is not lost',
    'a deleted session does not come back by a writer that was displaced',
  ),
  wrong(
    'takes over without a lock',
    () => new TakesOverWithoutLock(),
    'a displaced writer that is released does not free the session',
    'takeover of a session without a holder is a claim like any other',
  ),
]
