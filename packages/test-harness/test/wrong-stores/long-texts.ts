import { type Claim, type ClaimOptions, LoaderError } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, texts, wrong, type WrongStore } from './wrong-store.ts'

class ForgetsTexts extends MortalStore {
  #died = false

  override async readBlob(id: string, blob: string): Promise<string> {
    if (this.#died) throw new LoaderError('blob_missing', 'It is forgotten.')
    return super.readBlob(id, blob)
  }

  override async die(): Promise<void> {
    this.#died = true
    await super.die()
  }
}

class LocksTexts extends MortalStore {
  override async readBlob(id: string, blob: string): Promise<string> {
    const { writer } = await super.claim(id, { owner: { type: 'R', path: 'r' }, expect: 'existing' })
    await writer.release()
    return super.readBlob(id, blob)
  }
}

class TakesMissingForEmpty extends MortalStore {
  override async readBlob(id: string, blob: string): Promise<string> {
    try {
      return await super.readBlob(id, blob)
    } catch (error) {
      if (LoaderError.is(error, 'blob_missing')) return ''
      throw error
    }
  }
}

class LeadsElsewhere extends MortalStore {
  override async readBlob(id: string, blob: string): Promise<string> {
    return /[./\\]/.test(blob) ? 'root:x:0:0' : super.readBlob(id, blob)
  }
}

/** Texts of all sessions in one place. */
class SharesTexts extends MortalStore {
  readonly #texts = new Map<string, string>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), ({ blobs }) => ({
      blobs: {
        put: async (text) => {
          const put = await blobs.put(text)
          this.#texts.set(put.blob, text)
          return put
        },
        get: async (blob) => this.#texts.get(blob) ?? blobs.get(blob),
      },
    }))
  }

  override async readBlob(id: string, blob: string): Promise<string> {
    for await (const _ of super.read(id)) break
    return this.#texts.get(blob) ?? super.readBlob(id, blob)
  }
}

let names = 0

export const wrongTexts: readonly WrongStore[] = [
  wrong(
    'normalises long texts',
    texts((blobs) => ({ put: (text) => blobs.put(text.normalize('NFC')) })),
    'a text comes back as it was put',
  ),
  wrong(
    'writes long texts as UTF-8',
    texts((blobs) => ({ put: (text) => blobs.put(Buffer.from(text).toString()) })),
    'a text with halves of surrogate pairs comes back as it was put',
  ),
  wrong(
    'cuts long texts',
    texts((blobs) => ({ get: async (blob) => (await blobs.get(blob)).slice(0, 500_000) })),
    'a text of a megabyte comes back as it was put',
    'a text as long as the largest file of a message comes back as it was put',
  ),
  wrong(
    'counts characters',
    texts((blobs) => ({ put: async (text) => ({ ...(await blobs.put(text)), bytes: text.length }) })),
    'the length of a text is told in bytes of UTF-8',
  ),
  wrong(
    'names every text anew',
    texts((blobs) => {
      const real = new Map<string, string>()
      return {
        put: async (text) => {
          const { blob, bytes } = await blobs.put(text)
          const name = `${blob}_${(names += 1)}`
          real.set(name, blob)
          return { blob: name, bytes }
        },
        get: (blob) => blobs.get(real.get(blob) ?? blob),
      }
    }),
    'the same text has the same name, another text another',
    'a text survives the end of the process',
    'a text is read without a claim, while a writer holds the session',
    'a fork keeps the long texts that its events name, also when the session is deleted',
  ),
  wrong(
    'forgets texts',
    () => new ForgetsTexts(),
    'a text survives the end of the process',
    'a session that is restored has its events and its long texts, and is listed',
  ),
  wrong(
    'locks texts',
    () => new LocksTexts(),
    'the texts of a session are deleted with it',
    'a text is read without a claim, while a writer holds the session',
    'a text that is not there is missing, for the writer and for readers',
    'a name that is no name of a text leads nowhere',
    'a text belongs to its session',
  ),
  wrong(
    'takes a missing text for an empty one',
    () => new TakesMissingForEmpty(),
    'the texts of a session are deleted with it',
    'a text that is not there is missing, for the writer and for readers',
    'a name that is no name of a text leads nowhere',
    'a text belongs to its session',
  ),
  wrong(
    'lets the name of a text lead elsewhere',
    () => new LeadsElsewhere(),
    'a name that is no name of a text leads nowhere',
  ),
  wrong(
    'keeps the texts of all sessions together',
    () => new SharesTexts(),
    'the texts of a session are deleted with it',
    'a text belongs to its session',
  ),
]
