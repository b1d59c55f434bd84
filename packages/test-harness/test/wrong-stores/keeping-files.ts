import { type Claim, type ClaimOptions, LoaderError } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, tick, wrong, type WrongStore } from './wrong-store.ts'

/** What keeps the promise. */
export class KeepsFiles extends MortalStore {
  readonly keepsFiles = true
}

/** Stores what was appended at once in two appends, and something else has its turn between them. */
class StoresResultsFirst extends KeepsFiles {
  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), (writer) => ({
      append: async (events, level) => {
        const files = events.findIndex(({ type }) => type === 'workspace.saved')
        if (files > 0) {
          await writer.append(events.slice(0, files), level)
          for (let turns = 0; turns < 5; turns += 1) await tick()
        }
        await writer.append(events.slice(Math.max(files, 0)), level)
      },
    }))
  }
}

/** Long texts are only in the process that has stored them, but for small ones. */
class KeepsLargePiecesToItself extends KeepsFiles {
  readonly #large = new Set<string>()
  #died = false

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), ({ blobs }) => ({
      blobs: {
        get: (blob) => blobs.get(blob),
        put: async (text) => {
          const reference = await blobs.put(text)
          if (reference.bytes > 50_000) this.#large.add(reference.blob)
          return reference
        },
      },
    }))
  }

  override async readBlob(id: string, blob: string): Promise<string> {
    if (this.#died && this.#large.has(blob)) throw new LoaderError('blob_missing', 'It was never written.')
    return super.readBlob(id, blob)
  }

  override async die(): Promise<void> {
    this.#died = true
    await super.die()
  }
}

export const wrongKeepingFiles: readonly WrongStore[] = [
  wrong(
    'stores results before the files that they are about',
    () => new StoresResultsFirst(),
    'a result and the files that it is about come at once: a reader finds both, or neither',
  ),
  wrong(
    'keeps large pieces of packs to itself',
    () => new KeepsLargePiecesToItself(),
    'packs are whole for the next process, piece by piece, after the end of the one that stored them',
  ),
]
