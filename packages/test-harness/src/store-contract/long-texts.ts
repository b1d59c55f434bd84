import assert from 'node:assert/strict'
import { fileLimits, utf8Length } from '@loader/session-core'
import { clauses } from './clause.ts'
import { assertRefused, begin } from './steps.ts'

export const longTexts = clauses('long texts', {
  'a text comes back as it was put': async ({ store }) => {
    const { blobs } = await begin(store)
    for (const text of ['', 'plain', 'Zürich 🎈\r\n\u0000\u2028\uFEFF', 'שלום', 'e\u0301']) {
      assert.equal(await blobs.get((await blobs.put(text)).blob), text)
    }
  },

  'a text with halves of surrogate pairs comes back as it was put': async ({ store }) => {
    const { blobs } = await begin(store)
    const text = 'left \uD83D, right \uDE00, wrong way \uDE00\uD83D'
    assert.equal(await blobs.get((await blobs.put(text)).blob), text)
  },

  'a text of a megabyte comes back as it was put': async ({ store }) => {
    const { blobs } = await begin(store)
    const text = 'Größe ✓ 🎈\n'.repeat(1024 * 64)
    assert.ok((await blobs.get((await blobs.put(text)).blob)) === text, 'another text came back')
  },

  'a text as long as the largest file of a message comes back as it was put': async ({ store }) => {
    const { blobs } = await begin(store)
    const text = 'iVBORw0KGgo+'.repeat(fileLimits.documentBase64Bytes / 12)
    assert.ok((await blobs.get((await blobs.put(text)).blob)) === text, 'another text came back')
  },

  'the length of a text is told in bytes of UTF-8': async ({ store }) => {
    const { blobs } = await begin(store)
    for (const text of ['', 'plain', 'Zürich 🎈', 'half \uD800']) {
      assert.equal((await blobs.put(text)).bytes, utf8Length(text))
    }
  },

  'the same text has the same name, another text another': async ({ store }) => {
    const { blobs } = await begin(store)
    const [first, second, other] = [await blobs.put('same'), await blobs.put('same'), await blobs.put('other')]
    assert.equal(second.blob, first.blob)
    assert.notEqual(other.blob, first.blob)
  },

  'a text survives the end of the process': async (tested) => {
    const writer = await begin(tested.store)
    const { blob } = await writer.blobs.put('Still there')
    assert.equal(await (await tested.reopen()).readBlob('one', blob), 'Still there')
  },

  'a text is read without a claim, while a writer holds the session': async ({ store }) => {
    const writer = await begin(store)
    const { blob } = await writer.blobs.put('For everybody')
    assert.equal(await store.readBlob('one', blob), 'For everybody')
  },

  'a text that is not there is missing, for the writer and for readers': async ({ store }) => {
    const { blobs } = await begin(store)
    await assertRefused('blob_missing', blobs.get('nothing'))
    await assertRefused('blob_missing', store.readBlob('one', 'nothing'))
  },

  'a name that is no name of a text leads nowhere': async ({ store }) => {
    await begin(store)
    for (const blob of ['', '.', '..', '../one.json', '/etc/passwd', 'a/b', 'a\\b', 'a\u0000b']) {
      await assertRefused('blob_missing', store.readBlob('one', blob))
    }
  },

  'a text belongs to its session': async ({ store }) => {
    const writer = await begin(store)
    const { blob } = await writer.blobs.put('Mine')
    const other = await begin(store, 'two')
    await assertRefused('blob_missing', store.readBlob('two', blob))
    await assertRefused('blob_missing', other.blobs.get(blob))
  },
})
