import type { StoredEvent } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, wrong, type WrongStore } from './wrong-store.ts'

type Read = Parameters<MortalStore['read']>
type Claimed = Parameters<MortalStore['claim']>

/** A store that loses what it decides to lose when its process ends. */
abstract class Losing extends MortalStore {
  /** For each session, the first event that would be lost now. */
  protected readonly atRisk = new Map<string, number>()
  readonly #lost = new Map<string, number>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    for await (const event of super.read(id, options)) if (event.seq < this.#kept(id)) yield event
  }

  override async claim(...[id, options]: Claimed): ReturnType<MortalStore['claim']> {
    const claim = await super.claim(id, options)
    const events = claim.events.filter(({ seq }) => seq < this.#kept(id))
    return altered({ ...claim, events }, (writer) => ({
      append: async (appended, level) => {
        await writer.append(appended, level)
        this.appended(id, appended[0]?.seq ?? 0, level)
      },
      save: async (state, saving) => {
        await writer.save(state, saving)
        this.saved(id)
      },
      release: async () => {
        await writer.release()
        this.released(id)
      },
    }))
  }

  override async die(): Promise<void> {
    await super.die()
    for (const [id, seq] of this.atRisk) this.lose(id, seq)
  }

  protected lose(id: string, seq: number): void {
    this.#lost.set(id, seq)
  }

  protected abstract appended(id: string, seq: number, level: string): void

  protected saved(id: string): void {
    this.atRisk.delete(id)
  }

  protected released(id: string): void {
    this.atRisk.delete(id)
  }

  #kept(id: string): number {
    return this.#lost.get(id) ?? Number.POSITIVE_INFINITY
  }
}

class LosesTheLastAppend extends Losing {
  protected override appended(id: string, seq: number): void {
    this.atRisk.set(id, seq)
  }
}

class AcknowledgesBeforeWriting extends Losing {
  protected override appended(id: string, seq: number): void {
    if (!this.atRisk.has(id)) this.atRisk.set(id, seq)
    setImmediate(() => this.atRisk.delete(id))
  }
}

class LosesLevelOs extends Losing {
  protected override appended(id: string, seq: number, level: string): void {
    if (level === 'flush') this.atRisk.delete(id)
    else if (!this.atRisk.has(id)) this.atRisk.set(id, seq)
  }
}

class SavesWithoutFlushing extends LosesLevelOs {
  protected override saved(): void {}
}

class ReleasesWithoutFlushing extends LosesLevelOs {
  protected override released(id: string): void {
    const seq = this.atRisk.get(id)
    if (seq !== undefined) this.lose(id, seq)
  }

  override async die(): Promise<void> {
    this.atRisk.clear()
    await super.die()
  }
}

export const wrongDurability: readonly WrongStore[] = [
  wrong(
    'loses the last append when its process ends',
    () => new LosesTheLastAppend(),
    'what was acknowledged at level flush survives the end of the process',
    'what was acknowledged at level os survives the end of the process',
    'a session goes on after the end of its process, and keeps both halves',
  ),
  wrong(
    'acknowledges before it writes',
    () => new AcknowledgesBeforeWriting(),
    'what was acknowledged at level flush survives the end of the process',
    'what was acknowledged at level os survives the end of the process',
    'a session goes on after the end of its process, and keeps both halves',
  ),
  wrong(
    'keeps level os in the memory of its process',
    () => new LosesLevelOs(),
    'what was acknowledged at level os survives the end of the process',
  ),
  wrong(
    'saves without flushing what was appended before',
    () => new SavesWithoutFlushing(),
    'what was acknowledged at level os survives the end of the process',
    'saving makes everything appended before it durable',
  ),
  wrong(
    'releases without flushing what was appended before',
    () => new ReleasesWithoutFlushing(),
    'what was never saved is there after a release',
  ),
]
