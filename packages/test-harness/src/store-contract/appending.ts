import assert from 'node:assert/strict'
import { clauses } from './clause.ts'
import { opened, recorded, titled } from './sample-events.ts'
import { assertClaimFolds, assertHolds, assertRefused, begin, linesOf, resume } from './steps.ts'

const seqs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const appending = clauses('appending', {
  'what was appended is read back, byte for byte and in order': async ({ store }) => {
    const events = [titled(2), recorded(3, { deep: [{ list: [1, 'two', null, true] }] }), titled(4)]
    const writer = await begin(store)
    await writer.append(events, 'flush')
    await assertHolds(store, 'one', [opened('one'), ...events])
  },

  'an acknowledged append is readable at once': async ({ store }) => {
    const writer = await begin(store)
    for (const seq of seqs(2, 6)) {
      await writer.append([titled(seq)], seq % 2 === 0 ? 'flush' : 'os')
      assert.equal((await linesOf(store)).length, seq)
    }
  },

  'appends that are enqueued at once keep their order, whatever their levels': async ({ store }) => {
    const writer = await begin(store)
    const events = seqs(2, 41).map((seq) => titled(seq))
    await Promise.all(events.map((event, index) => writer.append([event], index % 3 === 0 ? 'flush' : 'os')))
    await assertHolds(store, 'one', [opened('one'), ...events])
  },

  'appends of one level are acknowledged in their order': async ({ store }) => {
    const writer = await begin(store)
    const acknowledged: number[] = []
    const enqueue = (seq: number) => writer.append([titled(seq)], 'flush').then(() => acknowledged.push(seq))
    await Promise.all(seqs(2, 21).map(enqueue))
    assert.deepEqual(acknowledged, seqs(2, 21))
  },

  'an event that leaves a gap is refused': async ({ store }) => {
    const writer = await begin(store)
    await assertRefused('impossible_event', writer.append([titled(3)], 'flush'))
    await assertHolds(store, 'one', [opened('one')])
  },

  'an event whose place is taken is refused': async ({ store }) => {
    const writer = await begin(store)
    await writer.append([titled(2, 'First')], 'flush')
    await assertRefused('impossible_event', writer.append([titled(2, 'Second')], 'flush'))
    await assertHolds(store, 'one', [opened('one'), titled(2, 'First')])
  },

  'of events appended together either all are kept or none': async ({ store }) => {
    const writer = await begin(store)
    await assertRefused('impossible_event', writer.append([titled(2), titled(4)], 'flush'))
    await assertHolds(store, 'one', [opened('one')])
  },

  '2,000 events are kept': async ({ store }) => {
    const writer = await begin(store)
    const events = seqs(2, 2001).map((seq) => titled(seq))
    const batches = seqs(0, 39).map((batch) => events.slice(batch * 50, batch * 50 + 50))
    await Promise.all(batches.map((batch) => writer.append(batch, 'flush')))
    await assertHolds(store, 'one', [opened('one'), ...events])
    await writer.release()
    await assertClaimFolds(store, 'one', [opened('one'), ...events])
  },

  'an event of a megabyte is kept': async ({ store }) => {
    const writer = await begin(store)
    const large = recorded(2, 'Größe ✓ '.repeat(1024 * 128))
    await writer.append([large, titled(3)], 'flush')
    await assertHolds(store, 'one', [opened('one'), large, titled(3)])
  },

  'sessions do not mix, however alike their ids': async ({ store }) => {
    const ids = ['one', 'one_1', 'one-1', 'on', 'one1']
    for (const id of ids) await begin(store, id)
    for (const id of ids) await assertHolds(store, id, [opened(id)])
  },
})

export const durability = clauses('durability', {
  'what was acknowledged at level flush survives the end of the process': async (tested) => {
    const writer = await begin(tested.store)
    await writer.append([titled(2)], 'flush')
    await writer.append([titled(3), titled(4)], 'flush')
    await assertHolds(await tested.reopen(), 'one', [opened('one'), titled(2), titled(3), titled(4)])
  },

  'what was acknowledged at level os survives the end of the process': async (tested) => {
    const writer = await begin(tested.store)
    await writer.append([titled(2)], 'flush')
    await writer.append([titled(3)], 'os')
    await assertHolds(await tested.reopen(), 'one', [opened('one'), titled(2), titled(3)])
  },

  'what was never saved is there after a release': async (tested) => {
    const writer = await begin(tested.store)
    await writer.append([titled(2)], 'os')
    await writer.release()
    await assertHolds(await tested.reopen(), 'one', [opened('one'), titled(2)])
  },

  'a session goes on after the end of its process, and keeps both halves': async (tested) => {
    const before = await begin(tested.store)
    await before.append([titled(2)], 'flush')
    const store = await tested.reopen()
    const after = await resume(store)
    await after.append([titled(3)], 'flush')
    await after.release()
    await assertClaimFolds(store, 'one', [opened('one'), titled(2), titled(3)])
  },
})
