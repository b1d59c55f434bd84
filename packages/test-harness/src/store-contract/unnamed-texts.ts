import assert from 'node:assert/strict'
import { clausesOf } from './clause.ts'
import { opened, recorded } from './sample-events.ts'
import { begin, resume, stateOf } from './steps.ts'

/** A writer stores a long text before the event that names it, and can die in between. */
export const unnamedTexts = clausesOf('verify', 'texts that no event names', {
  'such a text is told as a note, and is no damage': async ({ store }) => {
    const writer = await begin(store)
    await writer.save(stateOf([opened('one')]))
    await writer.blobs.put('about to be named')
    const { intact, findings } = await store.verify('one')
    assert.ok(intact, 'it was told as damage')
    assert.deepEqual(
      findings.filter(({ what }) => what === 'unnamed_blob').map(({ severity }) => severity),
      ['note'],
    )
  },

  'it goes with the first claim after the end of its process, and what is named stays': async (tested) => {
    const writer = await begin(tested.store)
    const { blob, bytes } = await writer.blobs.put('named')
    await writer.append([recorded(2, { text: { blob, bytes, excerpt: '' } })], 'flush')
    const unnamed = await writer.blobs.put('about to be named')
    const store = await tested.reopen()
    const next = await resume(store)
    assert.equal(await next.blobs.get(blob), 'named')
    await assert.rejects(next.blobs.get(unnamed.blob), 'it is still there')
    // The same text can be put anew.
    assert.equal(await next.blobs.get((await next.blobs.put('about to be named')).blob), 'about to be named')
    await next.release()
  },
})
