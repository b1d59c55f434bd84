import { describe, expect, test } from 'vitest'
import { acceptJudgement, beforeAt, type BeforeEvent, moveBefore, judgementRecord } from '../../src/index.ts'
import { acceptable } from '../../src/judging/accept-judgement.ts'
import { play, type World } from './world.ts'

const bent: World = {
  changed: { product: ['src/sum.js'], aside: ['test/a.js', 'test/b.js'] },
  rooms: {
    now: 'a+ b+',
    strict: 'a- b-',
    'strict +test/a.js': 'a+ b-',
    'strict +test/b.js': 'a- b+',
  },
}
const user = { by: 'user', at: '2026-01-31T09:30:00.000Z' }

describe('accepting', () => {
  const { judgement } = play(bent)

  test('needs all that the judgement rests on', () => {
    expect(acceptable(judgement)).toEqual({ files: ['test/a.js', 'test/b.js'], packages: [], tests: [] })
    expect(acceptJudgement(judgement, { ...user, files: ['test/a.js'] }).word).toBe('rests_on')
    const accepted = acceptJudgement(judgement, { ...user, files: ['test/a.js', 'test/b.js'] })
    expect(accepted).toMatchObject({ word: 'accepted', ...user, what: { files: ['test/a.js', 'test/b.js'] } })
    expect(judgementRecord(accepted)).toMatchObject({ word: 'accepted', by: 'user', files: { count: 2 } })
  })

  test('does not help a failure, and changes nothing about what is verified', () => {
    const product = { product: ['src/sum.js'] }
    const failed = play({ changed: product, rooms: { now: 'a-', before: 'a+' } }).judgement
    expect(acceptable(failed)).toBeUndefined()
    expect(acceptJudgement(failed, { ...user, files: ['src/sum.js'], tests: ['a'] }).word).toBe('failed')
    const verified = play({ changed: product, rooms: { now: 'a+', before: 'a-' } }).judgement
    expect(acceptJudgement(verified, { ...user, files: ['src/sum.js'] })).toEqual(verified)
  })

  test('works for tests that are gone and for packages', () => {
    const gone = play({ changed: { product: ['src/sum.js'] }, rooms: { now: 'a+', before: 'a+ b+' } }).judgement
    expect(acceptJudgement(gone, { ...user, tests: ['b'] }).word).toBe('accepted')
    const packages = [{ name: 'left-pad', change: 'edited', byInstall: false }] as const
    const edited = play({ packages, rooms: { now: 'a+' } }).judgement
    expect(acceptJudgement(edited, { ...user, packages: ['left-pad'] }).word).toBe('accepted')
  })

  test('ends what was still unaccepted', () => {
    const later = play({
      ...bent,
      unaccepted: ['test/a.js', 'test/b.js'],
      rooms: { ...bent.rooms, before: 'a+ b+', reversed: 'a+ b+' },
    })
    expect(later.judgement.notes.unaccepted).toEqual(['test/a.js', 'test/b.js'])
    expect(acceptJudgement(later.judgement, { ...user, files: ['test/a.js'] }).notes.unaccepted).toEqual(['test/b.js'])
  })
})

describe('the tree before the work', () => {
  const after = (...events: BeforeEvent[]) => events.reduce(moveBefore, beforeAt('b0'))

  test('takes product and new files when a turn is verified, and no changed file aside', () => {
    const event = {
      kind: 'verified',
      tree: 'n1',
      product: ['src/sum.js'],
      aside: [
        { path: 'test/new.js', change: 'new' },
        { path: 'test/old.js', change: 'changed' },
        { path: 'test/gone.js', change: 'deleted' },
      ],
    } as const
    expect(after(event)).toEqual({ base: 'b0', layers: [{ tree: 'n1', paths: ['src/sum.js', 'test/new.js'] }] })
  })

  test('takes what the user accepts, commits and edits while no call runs', () => {
    const moved = after(
      { kind: 'accepted', tree: 'n1', paths: ['test/old.js'] },
      { kind: 'edited', while: 'no_call_ran', tree: 'n2', paths: ['README.md'] },
      { kind: 'committed', while: 'no_call_ran', tree: 'n3', paths: ['src/sum.js'] },
    )
    expect(moved.layers.map(({ tree }) => tree)).toEqual(['n1', 'n2', 'n3'])
  })

  test('does not move by a commit or a switch of branch that a call makes', () => {
    const event = { while: 'a_call_ran', tree: 'n1', paths: ['test/old.js'] } as const
    expect(after({ kind: 'committed', ...event }, { kind: 'edited', ...event })).toEqual(beforeAt('b0'))
  })

  test('has each path from the latest tree only', () => {
    const moved = after(
      { kind: 'accepted', tree: 'n1', paths: ['a', 'b'] },
      { kind: 'accepted', tree: 'n2', paths: ['b'] },
      { kind: 'accepted', tree: 'n1', paths: ['b'] },
    )
    expect(moved.layers).toEqual([{ tree: 'n1', paths: ['a', 'b'] }])
  })

  test('is that of the point to which a session goes back, and one tree once it was made', () => {
    const then = { base: 'b7', layers: [] }
    expect(after({ kind: 'accepted', tree: 'n1', paths: ['a'] }, { kind: 'rewound', before: then })).toBe(then)
    expect(after({ kind: 'accepted', tree: 'n1', paths: ['a'] }, { kind: 'made', tree: 'm1' })).toEqual(beforeAt('m1'))
  })
})
