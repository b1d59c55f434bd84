import assert from 'node:assert/strict'
import type { SessionStore, SessionWriter, StoredEvent, StoredText } from '@loader/session-core'
import { clausesOf } from './clause.ts'
import { eventFrom, recorded, timeAt } from './sample-events.ts'
import { begin, readAll, resume } from './steps.ts'

/** What a call has done, and the files as they are then: the two that must not be told apart. */
function resultWithFiles(seq: number, pack: readonly StoredText[]): StoredEvent[] {
  const [tree, rest, commit] = ['a', 'b', 'c'].map((letter) => letter.repeat(40))
  const place = { id: 'place_1', root: '/work', machine: 'linux x64' }
  const saved = { type: 'workspace.saved', seq: seq + 1, at: timeAt(seq + 1), tree, rest, commit, leftOut: [] }
  return [recorded(seq, { outcome: 'ok' }), eventFrom(JSON.stringify({ ...saved, bytes: 1, place, pack }))]
}

/** Other sessions, or other processes, have their turn. */
const others = () => new Promise<void>((resolve) => void setTimeout(resolve, 0))

const rounds = 20

/** The pieces of a pack, as the agent stores them: longer ones as texts of the session, before the event that names them. */
const pieces = (number: number) => [`${number} `.repeat(200_000), `short ${number}`, `${number}+`.repeat(100_000)]

async function stored(text: string, { blobs }: SessionWriter): Promise<StoredText> {
  if (text.length < 1_000) return text
  return { ...(await blobs.put(text)), excerpt: text.slice(0, 10) }
}

async function packIn(store: SessionStore, event: StoredEvent | undefined): Promise<string[]> {
  const { pack } = event as unknown as { readonly pack: readonly StoredText[] }
  const texts: string[] = []
  for (const piece of pack) texts.push(typeof piece === 'string' ? piece : await store.readBlob('one', piece.blob))
  return texts
}

/** A store that keeps files promises that a session goes on anywhere: nothing that it did is without its files. */
export const keepingFiles = clausesOf('keepsFiles', 'files of sessions', {
  'a result and the files that it is about come at once: a reader finds both, or neither': async ({ store }) => {
    const writer = await begin(store)
    const lengths = new Set<number>()
    let isOver = false
    const reading = (async () => {
      while (!isOver) {
        lengths.add((await readAll(store)).length)
        await others()
      }
    })()
    try {
      for (let round = 0; round < rounds; round += 1) {
        await writer.append(resultWithFiles(2 + 2 * round, [`pack ${round}`]), 'flush')
        await others()
      }
    } finally {
      isOver = true
      await reading
    }
    const between = [...lengths].filter((length) => length % 2 === 0)
    assert.deepEqual(between, [], 'a reader has found a result without its files')
  },

  'packs are whole for the next process, piece by piece, after the end of the one that stored them': async (tested) => {
    let writer = await begin(tested.store)
    let { store }: { store: SessionStore } = tested
    for (let number = 1; number <= 2; number += 1) {
      const pack = []
      for (const piece of pieces(number)) pack.push(await stored(piece, writer))
      await writer.append(resultWithFiles(2 * number, pack), 'flush')
      store = await tested.reopen()
      assert.equal(store.keepsFiles, true, 'the next process does not keep files')
      const saves = (await readAll(store)).filter(({ type }) => type === 'workspace.saved')
      for (const [index, save] of saves.entries()) {
        assert.ok(String(await packIn(store, save)) === String(pieces(index + 1)), `pack ${index + 1} is another one`)
      }
      assert.equal(saves.length, number)
      writer = await resume(store)
    }
    await writer.release()
  },
})
