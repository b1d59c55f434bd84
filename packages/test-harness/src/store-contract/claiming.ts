import assert from 'node:assert/strict'
import { LoaderError } from '@loader/session-core'
import { clauses } from './clause.ts'
import { opened, timeAt, titled } from './sample-events.ts'
import {
  assertClaimFolds,
  assertGone,
  assertHolds,
  assertRefused,
  begin,
  leave,
  linesOf,
  owner,
  readAll,
  resume,
  rival,
  stateOf,
} from './steps.ts'

export const claiming = clauses('claiming', {
  'a session that is held is refused, and the holder named': async ({ store }) => {
    const { writer } = await store.claim('one', { owner: rival, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    const error = await assertRefused('session_busy', store.claim('one', { owner, expect: 'existing' }))
    assert.ok(error.message.includes(rival.path), `${error.message} names ${rival.path}`)
  },

  'a refused claim does not disturb the holder': async ({ store }) => {
    const writer = await begin(store)
    await outcomeOf(store.claim('one', { owner: rival, expect: 'existing' }))
    await writer.append([titled(2)], 'flush')
    await assertHolds(store, 'one', [opened('one'), titled(2)])
  },

  'of several claims at once exactly one wins': async ({ store }) => {
    await leave(store)
    const claims = Array.from({ length: 8 }, () => store.claim('one', { owner, expect: 'existing' }))
    await assertOneWins(claims, ['session_busy'])
  },

  'of several new sessions with one id exactly one wins': async ({ store }) => {
    const claims = Array.from({ length: 8 }, () => store.claim('one', { owner, expect: 'new' }))
    await assertOneWins(claims, ['session_exists', 'session_busy'])
  },

  'a claim of a history that was made elsewhere has an epoch above those in it': async ({ store }) => {
    const claimed = { type: 'session.claimed', seq: 2, at: timeAt(2), epoch: 7, owner } as const
    await leave(store, 'saved', [claimed])
    const writer = await begin(store, 'unsaved')
    await writer.append([claimed], 'flush')
    await writer.release()
    for (const id of ['saved', 'unsaved']) {
      const { epoch } = await resume(store, id)
      assert.ok(epoch > 7, `the epoch of ${id} is above 7, but: ${epoch}`)
    }
  },

  'every claim has a higher epoch than the one before': async ({ store }) => {
    const epochs: number[] = []
    const first = await begin(store)
    epochs.push(first.epoch)
    await first.release()
    for (const takeover of [false, true, true]) {
      const { writer } = await store.claim('one', { owner, expect: 'existing', takeover })
      epochs.push(writer.epoch)
    }
    assert.ok(
      epochs.every((epoch, index) => epoch > (epochs[index - 1] ?? 0)),
      `epochs grow, but: ${epochs.join(', ')}`,
    )
  },

  'the epoch grows over the end of the process as well': async (tested) => {
    const before = await begin(tested.store)
    const after = await resume(await tested.reopen())
    assert.ok(after.epoch > before.epoch, `${after.epoch} is above ${before.epoch}`)
  },

  'what a dead process held is free': async (tested) => {
    await begin(tested.store)
    const after = await resume(await tested.reopen())
    await after.append([titled(2)], 'flush')
  },

  'a claim hands out state and events that fold to the history': async ({ store }) => {
    const events = [opened('one'), titled(2), titled(3)]
    const writer = await begin(store)
    await writer.append(events.slice(1), 'flush')
    await writer.release()
    await assertClaimFolds(store, 'one', events)
    const again = await resume(store)
    await again.save(stateOf(events))
    await again.append([titled(4)], 'flush')
    await again.release()
    await assertClaimFolds(store, 'one', [...events, titled(4)])
  },

  'a new session that got no event leaves nothing behind when it is released': async ({ store }) => {
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await writer.release()
    await assertGone(store)
    await begin(store)
  },

  'a new session that got no event leaves nothing behind when its process ends': async (tested) => {
    await tested.store.claim('one', { owner, expect: 'new' })
    const store = await tested.reopen()
    await assertGone(store)
    await begin(store)
  },
})

export const releasing = clauses('releasing', {
  'a released session can be claimed at once': async ({ store }) => {
    const writer = await begin(store)
    await writer.release()
    await resume(store)
  },

  'a released writer appends nothing more': async ({ store }) => {
    const writer = await begin(store)
    await writer.release()
    await assertRefused('session_closed', writer.append([titled(2)], 'flush'))
    assert.equal((await readAll(store)).length, 1)
  },

  'a released writer saves nothing more': async ({ store }) => {
    const writer = await begin(store)
    await writer.release()
    await assertRefused('session_closed', writer.save(stateOf([opened('one')])))
  },

  'releasing twice does not free what another writer holds by now': async ({ store }) => {
    const writer = await begin(store)
    await writer.release()
    await resume(store)
    await writer.release()
    await assertRefused('session_busy', store.claim('one', { owner, expect: 'existing' }))
  },
})

export const takeover = clauses('takeover', {
  'takeover takes a session from a live writer, and goes on': async ({ store }) => {
    const displaced = await begin(store)
    await displaced.append([titled(2)], 'flush')
    const { writer } = await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    await writer.append([titled(3)], 'flush')
    await assertHolds(store, 'one', [opened('one'), titled(2), titled(3)])
  },

  'a displaced writer appends nothing more': async ({ store }) => {
    const displaced = await begin(store)
    const { writer } = await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    await assertRefused('writer_fenced', displaced.append([titled(2, 'Displaced')], 'flush'))
    await writer.append([titled(2, 'Owner')], 'flush')
    await assertHolds(store, 'one', [opened('one'), titled(2, 'Owner')])
  },

  'a displaced writer saves nothing more': async ({ store }) => {
    const displaced = await begin(store)
    const { writer } = await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    const events = [opened('one'), titled(2, 'Owner')]
    await writer.append([titled(2, 'Owner')], 'flush')
    await writer.save(stateOf(events))
    await assertRefused('writer_fenced', displaced.save(stateOf([opened('one')])))
    await writer.release()
    assert.equal((await store.list()).rows[0]?.title, 'Owner')
    await assertClaimFolds(store, 'one', events)
  },

  'a displaced writer that is released does not free the session': async ({ store }) => {
    const displaced = await begin(store)
    await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    await displaced.release()
    await assertRefused('session_busy', store.claim('one', { owner, expect: 'existing' }))
  },

  'an append that is acknowledged while the session is taken over is not lost': async ({ store }) => {
    const displaced = await begin(store)
    const append = displaced.append([titled(2)], 'flush').then(
      () => true,
      () => false,
    )
    await store.claim('one', { owner: rival, expect: 'existing', takeover: true })
    const acknowledged = await append
    assert.ok(!acknowledged || (await linesOf(store)).length === 2, 'it was acknowledged, but is not there')
  },

  'takeover of a session without a holder is a claim like any other': async ({ store }) => {
    await leave(store)
    const { writer } = await store.claim('one', { owner, expect: 'existing', takeover: true })
    await writer.append([titled(2)], 'flush')
    await assertRefused('session_busy', store.claim('one', { owner: rival, expect: 'existing' }))
  },
})

async function assertOneWins(claims: readonly Promise<unknown>[], refusals: readonly string[]): Promise<void> {
  const outcomes = await Promise.all(claims.map(outcomeOf))
  assert.equal(outcomes.filter((outcome) => outcome === 'won').length, 1, `one wins, but: ${outcomes.join(', ')}`)
  for (const outcome of outcomes) assert.ok(outcome === 'won' || refusals.includes(outcome), `refused with ${outcome}`)
}

async function outcomeOf(claim: Promise<unknown>): Promise<string> {
  try {
    await claim
    return 'won'
  } catch (error) {
    if (LoaderError.is(error)) return error.code
    throw error
  }
}
