import { isSessionEvent, Session, shownText } from '@loader/session-core'
import { call, line, type ScriptLine } from '@loader/test-harness'
import { everyNth, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { AgentEvent, ShiftEnd } from '../src/index.ts'
import { quickEnvironment } from './scene/environment.ts'
import { type Stage, stage, type StageOptions } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const words = 'Write the answer of the user to answer.txt, and show that it is there.'
const options: StageOptions = { files: { 'notes.txt': 'some\n' }, config: { permissionMode: 'prompt' } }

/** The next answer by what the conversation has: however often a request is cut off, it goes on from there. */
const next: ScriptLine = ({ messages, purpose }) => {
  if (purpose !== 'answer') return line('Scope: nothing to add.')
  const parts = messages.flatMap(({ content }) => content)
  // What was cut off before it changed anything is asked for again.
  const lost = new Set(
    parts.flatMap((part) =>
      part.type === 'result' && /before anything/.test(shownText(part.text)) ? [part.callId] : [],
    ),
  )
  const has = (name: string) =>
    parts.some((part) => part.type === 'call' && part.call.name === name && !lost.has(part.call.id))
  if (!has('read')) return line('I look.', call('read', { file_path: 'notes.txt' }), call('glob', { pattern: '*' }))
  if (!has('ask_user')) return line('I ask.', call('ask_user', { question: 'Which word?' }))
  if (!has('write')) return line('I write it.', call('write', { file_path: 'answer.txt', content: 'blue\n' }))
  if (!has('bash')) return line('And look.', call('bash', { command: 'cat answer.txt' }))
  return line('The word is in the file.')
}
const script = Array.from({ length: 200 }, () => next)

/** Answers what the session waits with, as another process would: only through the store. */
async function answered({ place }: Stage, id: string): Promise<void> {
  const session = await Session.load(place.store, id, { environment: quickEnvironment() })
  const question = session.state.turn?.question
  if (question === null || question === undefined) throw new Error('Nothing is asked.')
  const about = { type: 'question.answered', questionId: question.id, outcome: 'answered', by: 'user' } as const
  await session.append(
    question.kind === 'permit' ? { ...about, permit: 'allow', scope: 'once' } : { ...about, answer: 'blue' },
  )
  await session.close()
}

/** Shifts until the turn has ended; `onEvent` of each is made anew. Says how each shift ended. */
async function shiftsOf(set: Stage, onEvent: () => (event: AgentEvent) => void): Promise<readonly ShiftEnd[]> {
  const { id } = set.agent.session
  await set.agent.queue(words)
  const ends: ShiftEnd[] = []
  for (;;) {
    await set.agent.close()
    if (ends.at(-1) === 'waiting') await answered(set, id)
    expect(await set.agent.resumeSession(id)).toBe(true)
    const end = await set.agent.shift({ onEvent: onEvent() })
    ends.push(end)
    if (end === 'turn_ended' || ends.length > 400) return ends
  }
}

async function eventsOfShifts(): Promise<number> {
  await using set = await stage(script, options)
  let count = 0
  const ends = await shiftsOf(set, () => () => void (count += 1))
  expect(ends).toEqual(['waiting', 'waiting', 'turn_ended'])
  return count
}

const count = await eventsOfShifts()
const every = everyNth({ quick: 25, ci: 10, long: 1 })
const places = Array.from({ length: Math.ceil(count / every) }, (_unused, index) => index * every)

describe('a turn that is left at any moment, and gone on with', () => {
  test.each(
    places.flatMap((place) => [
      { place, now: true },
      ...(place % 2 === 0 || tier === 'long' ? [{ place, now: false }] : []),
    ]),
  )('at event $place (cut off: $now) ends as if it had not been left', async ({ place, now }) => {
    await using set = await stage(script, options)
    let seen = 0
    const ends = await shiftsOf(set, () => () => {
      seen += 1
      if (seen === place + 1) set.agent.pause({ now })
    })
    const history = await set.expectWhole()
    expect(ends.at(-1)).toBe('turn_ended')
    expect(ends.length).toBeGreaterThanOrEqual(3)
    expect(set.agent.lastTurnSummary).toMatchObject({ reason: 'turn_complete', response: 'The word is in the file.' })
    expect(eventsOf(history, 'turn.started')).toHaveLength(1)
    expect(eventsOf(history, 'stop.requested')).toEqual([])
    // Leaving in order is no crash, and counts as none.
    expect(eventsOf(history, 'model.interrupted').filter(({ reason }) => reason === 'crashed')).toEqual([])
    expect(await set.place.workspace.files()).toMatchObject({ 'answer.txt': 'blue\n' })
  })

  test('that is left at each of its events ends as well', async () => {
    await using set = await stage(script, options)
    const ends = await shiftsOf(set, () => {
      let hasWorked = false
      return ({ type }) => {
        // A shift does something before it is left.
        if (hasWorked) set.agent.pause()
        hasWorked ||= type !== 'session.claimed'
      }
    })
    expect(ends.filter((end) => end === 'paused').length).toBeGreaterThan(3)
    expect(set.agent.lastTurnSummary?.reason).toBe('turn_complete')
    await set.expectWhole()
  })
})

test('a shift with nothing open records nothing', async () => {
  await using set = await stage(script, options)
  expect(await set.agent.shift()).toBe('rest')
  await set.agent.queue('Hello!')
  const { id } = set.agent.session
  await set.agent.close()
  await set.agent.resumeSession(id)
  await set.agent.shift()
  const { length } = (await set.place.history()).filter(isSessionEvent)
  expect(await set.agent.shift()).toBe('rest')
  expect(await set.place.history()).toHaveLength(length)
})
