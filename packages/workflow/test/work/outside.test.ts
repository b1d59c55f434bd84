import { type EventInput, fold, ownerOf, parseEvent } from '@loader/session-core'
import type { Reach, WallsRecord } from '@loader/session-core/coding'
import { expect, test } from 'vitest'
import { endFacts } from '../../src/completion/end-facts.ts'

const tree = { id: 'a', rest: 'none', leftOut: [] }
const walls: WallsRecord = { kind: 'bubblewrap', guarantees: ['files-outside-unwritable'] }

interface Started {
  readonly what: string
  readonly effect?: 'unknown' | 'write' | 'probe'
  readonly reach?: Reach
  readonly walls?: WallsRecord
  readonly isOutside: boolean
}

const cases: readonly Started[] = [
  { what: 'a command in walls', walls, isOutside: false },
  { what: 'one with the network', reach: 'network', walls, isOutside: false },
  { what: 'one that reaches everything', reach: 'open', walls: { kind: 'none', guarantees: [] }, isOutside: true },
  { what: 'one without walls', walls: { kind: 'none', guarantees: [] }, isOutside: true },
  { what: 'one with a folder that the user has opened', walls: { ...walls, writable: ['/data'] }, isOutside: true },
  { what: 'a tool of which nothing is known', isOutside: true },
  { what: 'a write of files that it names', effect: 'write', isOutside: false },
  { what: 'a look', effect: 'probe', reach: 'look', isOutside: false },
]

test.each(cases)('$what: what lies outside of the project may have changed: $isOutside', (started) => {
  const { effect = 'unknown', reach = 'work', isOutside } = started
  const inputs: readonly EventInput[] = [
    { type: 'session.opened', format: 1, id: 'ses' },
    { type: 'session.claimed', epoch: 1, owner: ownerOf('test') },
    { type: 'input.queued', inputId: 'in', text: 'Do it.' },
    { type: 'turn.started', turnId: 't1', inputId: 'in' },
    { type: 'model.asked', requestId: 'r1', purpose: 'answer', attempt: 1 },
    {
      type: 'model.answered',
      requestId: 'r1',
      content: [{ type: 'call', call: { id: 'c1', name: 'bash', input: {} } }],
      finishReason: 'tool-calls',
    },
    { type: 'workspace.observed', tree, baselineOf: 't1' },
    { type: 'call.examined', callId: 'c1', effect, reach },
    { type: 'tool.started', callId: 'c1', ...(started.walls && { walls: started.walls }) },
    { type: 'tool.finished', callId: 'c1', outcome: 'ok', text: '' },
    { type: 'workspace.observed', tree },
  ]
  const at = '2026-01-01T00:00:00.000Z'
  const state = fold(inputs.map((input, index) => parseEvent({ seq: index + 1, at, ...input })))
  if (state?.turn == null) throw new Error('a turn is open')
  const { changed, beside } = endFacts(state, state.turn)
  expect({ changed, beside }).toEqual({ changed: false, beside: isOutside ? { notLooked: ['outside'] } : undefined })
})
