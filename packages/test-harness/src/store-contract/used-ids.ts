import { type EventInput, Session, type SessionStore } from '@loader/session-core'
import { fixedEnvironment } from '../environment/environment.ts'
import { clauses } from './clause.ts'
import { assertRefused } from './steps.ts'

const environment = fixedEnvironment()

const begun = (which: number): EventInput[] => [
  { type: 'input.queued', inputId: `in-${which}`, text: 'Hello' },
  { type: 'turn.started', turnId: `turn-${which}`, inputId: `in-${which}` },
]

const asked = (which: number): EventInput => ({
  type: 'model.asked',
  requestId: `req-${which}`,
  purpose: 'answer',
  attempt: 1,
})

const answered = (which: number): EventInput => ({
  type: 'model.answered',
  requestId: `req-${which}`,
  finishReason: 'tool-calls',
  content: [{ type: 'call', call: { id: `call-${which}`, name: 'look', input: {} } }],
})

const ended = (which: number): EventInput[] => [
  { type: 'tool.finished', callId: `call-${which}`, outcome: 'failed', text: 'No.' },
  { type: 'turn.finished', turnId: `turn-${which}`, reason: 'turn_complete' },
]

const compacted: EventInput = {
  type: 'context.compacted',
  messageId: 'sum-1',
  text: 'They said hello.',
  method: 'local',
  firstKept: null,
  removed: 3,
  tokensBefore: 10,
  tokensAfter: 5,
}

export const usedIds = clauses('used ids', {
  'an id of long ago is refused to every later writer': async (tested) => {
    const session = await Session.open(tested.store, { environment, id: 'one' })
    for (const which of [1, 2]) await session.append([...begun(which), asked(which), answered(which), ...ended(which)])
    await session.append(compacted)
    await session.append([...begun(3), asked(3), answered(3), ...ended(3)])
    await session.close()
    await assertUsed(tested.store)
    await assertUsed(await tested.reopen())
  },
})

/** Each thing of the first turn, of which the window knows nothing any more. */
async function assertUsed(store: SessionStore): Promise<void> {
  const session = await Session.load(store, 'one', { environment })
  const again: readonly (readonly EventInput[])[] = [
    begun(1),
    [begun(9)[0] as EventInput, { type: 'turn.started', turnId: 'turn-1', inputId: 'in-9' }],
    [...begun(9), asked(1)],
    [...begun(9), asked(9), { ...answered(1), requestId: 'req-9' } as EventInput],
  ]
  for (const events of again) await assertRefused('id_used', session.append(events))
  await session.close()
}
