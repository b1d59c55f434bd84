import type { SessionState } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { judgedElsewhere } from '../../src/index.ts'

const machine = 'linux x64, node 26'
const judged = { checkId: 'c', outcome: 'passed', tree: 't', environment: 'e1', judgement: { word: 'verified' } }

function stateWith(place: object, run: object): SessionState {
  const goal = { id: 'goal-1', criteria: [], checks: [{ id: 'c', command: 'test', kind: 'test', source: 'user' }] }
  return { goal, turn: null, place, evidence: [{ ...judged, ...run }] } as unknown as SessionState
}

describe('a judgement of checks', () => {
  const there = { place: { id: 'a', machine } }
  const here = { id: 'b', root: '/b', machine, since: 2 }

  test('made in another folder names its machine, unless this one is known to be the same', () => {
    expect(judgedElsewhere(stateWith(here, there))).toBe(machine)
    expect(judgedElsewhere(stateWith({ ...here, environment: 'e2' }, there))).toBe(machine)
    expect(judgedElsewhere(stateWith({ ...here, environment: 'e1' }, there))).toBeUndefined()
  })

  test('made here, or before sessions went from folder to folder, holds', () => {
    expect(judgedElsewhere(stateWith(here, { place: { id: 'b', machine } }))).toBeUndefined()
    expect(judgedElsewhere(stateWith(here, {}))).toBeUndefined()
    expect(judgedElsewhere(stateWith({ id: 'a', root: '/a', machine }, there))).toBeUndefined()
  })
})
