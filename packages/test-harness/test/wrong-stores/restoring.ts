import { type Claim, type ClaimOptions, LoaderError, type WholeHistory } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, wrong, type WrongStore } from './wrong-store.ts'

class LeavesTextsBehind extends MortalStore {
  override restore(history: WholeHistory): Promise<void> {
    return super.restore({ ...history, texts: new Map() })
  }
}

/** Its claims count from the beginning, whatever a history brings. */
class CountsAnew extends MortalStore {
  readonly #restored = new Set<string>()

  override async restore(history: WholeHistory): Promise<void> {
    await super.restore(history)
    this.#restored.add(history.id)
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return this.#restored.has(id) ? altered(claim, () => ({ epoch: 2 })) : claim
  }
}

/** Takes in the first events alone where there are many. */
class RestoresWhatFits extends MortalStore {
  override restore(history: WholeHistory): Promise<void> {
    return super.restore({ ...history, events: history.events.slice(0, 20) })
  }
}

class RestoresOverOthers extends MortalStore {
  override async restore(history: WholeHistory): Promise<void> {
    try {
      return await super.restore(history)
    } catch (error) {
      if (!LoaderError.is(error, 'session_exists')) throw error
      await super.delete(history.id)
      return super.restore(history)
    }
  }
}

/** Stores the events one by one, as far as they go. */
class RestoresOneByOne extends MortalStore {
  override async restore({ id, events, texts }: WholeHistory): Promise<void> {
    const [first] = events
    if (first !== undefined && 'id' in first && first.id === id) await super.restore({ id, events: [first], texts })
    const { writer } = await super.claim(id, { owner: { type: 'Import', path: 'import' }, expect: 'existing' })
    await writer.append(events.slice(1), 'flush')
    await writer.release()
  }
}

export const wrongRestoring: readonly WrongStore[] = [
  wrong(
    'leaves the long texts of what it takes in behind',
    () => new LeavesTextsBehind(),
    'a session that is restored has its events and its long texts, and is listed',
  ),
  wrong(
    'counts the claims of what it takes in from the beginning',
    () => new CountsAnew(),
    'a session that is restored goes on above the claims in it',
  ),
  wrong('takes in what fits', () => new RestoresWhatFits(), 'a session of many megabytes is restored'),
  wrong('restores over other sessions', () => new RestoresOverOthers(), 'nothing is restored where the id is taken'),
  wrong(
    'takes in one event after another',
    () => new RestoresOneByOne(),
    'a session that is restored has its events and its long texts, and is listed',
    'of events that make no session, or another one, nothing is restored',
  ),
]
