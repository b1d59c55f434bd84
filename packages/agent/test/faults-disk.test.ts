import { LoaderError, type History } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { call, line, ScriptedBackend } from '@loader/test-harness'
import { type Fault, faulty, SimulatedFileSystem } from '@loader/test-harness/faults'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { Agent, AgentEvent, RunResult } from '../src/index.ts'
import { Acknowledged } from './scene/acknowledged.ts'
import { quickEnvironment } from './scene/environment.ts'
import { LimitedStore } from './scene/limited-store.ts'
import { type Scene, scene } from './scene/scene.ts'
import { steadily } from './scene/steady.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const words = 'Create hello.txt in the workspace root.'
const thanks = 'thanks'
const lines = () =>
  steadily({
    [words]: [
      line('I look around first.', call('read', { file_path: 'notes.txt' }), call('glob', { pattern: '*' })),
      line('Now the file.', call('write', { file_path: 'hello.txt', content: 'hello\n' })),
      { text: 'The file is there.', chunks: 'word' },
    ],
    [thanks]: [line('You are welcome.')],
  })

async function stage(store: LimitedStore | FileSessionStore) {
  const backend = new ScriptedBackend(...lines())
  const place = await scene({
    files: { 'notes.txt': 'some\n' },
    // While files are looked at, what came before is written: with trees there are more writes.
    trees: 'kept from CI on',
    backend,
    store,
    environment: quickEnvironment(),
  })
  return { place, requests: backend.requests }
}

/** What came of a run on a disk that may be full: an end, or the one error that may come of it. */
async function attempt(agent: Agent, acknowledged: Acknowledged): Promise<RunResult | 'rejected'> {
  try {
    return await agent.run(words, { onEvent: acknowledged.onEvent })
  } catch (error) {
    if (!LoaderError.is(error, 'storage_full')) throw error
    return 'rejected'
  }
}

async function recorded(place: Scene): Promise<History> {
  try {
    return await place.history()
  } catch (error) {
    if (!LoaderError.is(error, 'session_not_found')) throw error
    return []
  }
}

async function countAppends(): Promise<number> {
  const store = new LimitedStore()
  const { place } = await stage(store)
  await using _ = place
  await place.agent.run(words)
  return store.appends
}

const appends = await countAppends()
const places = Array.from({ length: appends }, (_, index) => index + 1)

describe('a disk on which one write does not fit', () => {
  test.for(places)(`is told of when it is write %i of ${appends}, and the turn ends`, async (from) => {
    const { place, requests } = await stage(new LimitedStore({ from, lasts: 'once' }))
    await using _ = place
    const acknowledged = new Acknowledged()
    const result = await attempt(place.agent, acknowledged)
    const history = await recorded(place)
    expect(acknowledged.missingIn(history)).toEqual([])
    expect(faultsOf({ history, requests })).toEqual([])
    const [finished] = eventsOf(history, 'turn.finished')
    // Before the turn has begun there is nothing to end, and nothing was done.
    if (result === 'rejected') expect(finished).toBeUndefined()
    else {
      expect(result.reason).toBe('storage_full')
      expect(finished).toMatchObject({ reason: 'storage_full', notStored: expect.stringContaining('did not fit') })
      expect(place.agent.messages[0]).toMatchObject({ role: 'user', content: [{ text: words }] })
    }
    expect(await place.agent.run(thanks)).toMatchObject({ reason: 'turn_complete', response: 'You are welcome.' })
    const after = await place.history()
    expect(acknowledged.missingIn(after)).toEqual([])
    expect(faultsOf({ history: after, requests, state: place.agent.session.state })).toEqual([])
  })
})

describe('a disk that stays full', () => {
  test.for(places)(
    `from write %i of ${appends} on rejects the run, and with space the session goes on`,
    async (from) => {
      const store = new LimitedStore({ from, lasts: 'until there is space' })
      const { place, requests } = await stage(store)
      await using _ = place
      const acknowledged = new Acknowledged()
      expect(await attempt(place.agent, acknowledged)).toBe('rejected')
      store.makeSpace()
      const before = await recorded(place)
      expect(acknowledged.missingIn(before)).toEqual([])
      const agent = from % 4 === 1 ? place.agent : await another(place)
      expect(await agent.run(thanks)).toMatchObject({ reason: 'turn_complete', response: 'You are welcome.' })
      const after = await place.history(agent.session.id)
      if (agent.session.id === place.agent.session.id) expect(acknowledged.missingIn(after)).toEqual([])
      expect(faultsOf({ history: after, requests, state: agent.session.state })).toEqual([])
      // What was begun ends when something else is asked for; words that no turn had taken up yet have their turn.
      const [said] = eventsOf(before, 'input.queued')
      const [begun] = eventsOf(before, 'turn.started')
      const earlier = begun !== undefined ? ['interrupted'] : said !== undefined ? ['turn_complete'] : []
      expect(eventsOf(after, 'turn.finished').map(({ reason }) => reason)).toEqual([...earlier, 'turn_complete'])
    },
  )
})

/** Another process takes the session up, if there is one. */
async function another(place: Scene): Promise<Agent> {
  await place.agent.close()
  const agent = place.again()
  await agent.resumeSession(place.agent.session.id)
  return agent
}

type CommitMode = 'inline' | 'pool'

const enough = 10_000_000

async function stageOnDisk(space: number, commit: CommitMode) {
  const disk = faulty(new SimulatedFileSystem({ directories: ['/w'] }), { space })
  const options = { fileSystem: disk, commit, rotateAfterBytes: 8 * 1024 }
  const store = new FileSessionStore({ directory: '/w/sessions' }, options)
  return { ...(await stage(store)), disk }
}

/** How many bytes a turn takes. */
async function measure(commit: CommitMode): Promise<number> {
  const { place, disk } = await stageOnDisk(enough, commit)
  await using _ = place
  await place.agent.run(words)
  return enough - disk.freeSpace
}

const taken = { inline: await measure('inline'), pool: await measure('pool') }

describe('a disk with so many bytes', () => {
  const count = times({ quick: 2, ci: 20, long: 150 })
  const sizes = Array.from({ length: count }, (_, index) => (index + 1) / count)

  test.for(sizes.flatMap((share) => [[share, 'inline'] as const, [share, 'pool'] as const]))(
    'of what a turn takes (%f, %s) loses nothing that was acknowledged',
    async ([share, commit]) => {
      const { place, requests, disk } = await stageOnDisk(Math.floor(taken[commit] * share), commit)
      await using _ = place
      const acknowledged = new Acknowledged()
      const result = await attempt(place.agent, acknowledged)
      if (result !== 'rejected') expect(['turn_complete', 'storage_full']).toContain(result.reason)
      disk.addSpace(enough)
      expect(acknowledged.missingIn(await recorded(place))).toEqual([])
      expect(await place.agent.run(thanks)).toMatchObject({ reason: 'turn_complete', response: 'You are welcome.' })
      const after = await place.history()
      expect(acknowledged.missingIn(after)).toEqual([])
      expect(faultsOf({ history: after, requests, state: place.agent.session.state })).toEqual([])
    },
  )
})

/** A session that is there and rests, on a disk that knows what was asked of it. */
async function restingOnDisk() {
  const disk = faulty(new SimulatedFileSystem({ directories: ['/w'] }))
  const store = new FileSessionStore({ directory: '/w/sessions' }, { fileSystem: disk, commit: 'pool' })
  const set = await stage(store)
  await set.place.agent.run(thanks)
  return { ...set, disk }
}

/**
 * Fails one flush of a turn, or of closing behind it, and tells whether there was so late a one. How many there are rests
 * on which appends come while another one is written, so no run can count them for the next.
 */
async function failFlush(nth: number): Promise<'failed' | 'there was none'> {
  const { place, requests, disk } = await restingOnDisk()
  await using _ = place
  const { agent } = place
  const { id } = agent.session
  const fault: Fault = { on: ['fdatasync', 'fsync'], nth, fault: 'error', code: 'EIO' }
  disk.add(fault)
  const isMet = () => disk.calls.some(({ faults }) => faults.includes(fault))
  const acknowledged = new Acknowledged()
  const result: unknown = await agent.run(words, { onEvent: acknowledged.onEvent }).catch((error: unknown) => error)
  const isInTurn = isMet()
  if (!isInTurn) expect(result).toMatchObject({ reason: 'turn_complete' })
  const end = isInTurn ? result : await agent.close().catch((error: unknown) => error)
  if (!isMet()) {
    expect(end).toBeUndefined()
    return 'there was none'
  }
  expect(end).toMatchObject({ code: 'storage_uncertain' })
  expect(await agent.resumeSession(id)).toBe(true)
  expect(acknowledged.missingIn(await place.history(id))).toEqual([])
  expect(await agent.run(thanks)).toMatchObject({ reason: 'turn_complete', response: 'You are welcome.' })
  const after = await place.history(id)
  expect(acknowledged.missingIn(after)).toEqual([])
  expect(faultsOf({ history: after, requests, state: agent.session.state })).toEqual([])
  return 'failed'
}

describe('a disk that fails with an unknown error', () => {
  test('at any of its flushes ends the run with an error, and the session can be loaded again', async () => {
    let nth = 1
    while ((await failFlush(nth)) === 'failed') nth += 1
    // The input, three requests, three calls and the end are each waited for.
    expect(nth).toBeGreaterThan(8)
  })
})

describe('a session that another process takes over', () => {
  test.for(['model.asked', 'call.examined', 'tool.started', 'tool.finished', 'model.answered'] as const)(
    'at %s goes on there, and the first one writes nothing more',
    async (type) => {
      const { place, requests } = await stage(new LimitedStore())
      await using _ = place
      let taken: Promise<RunResult | null> | undefined
      const take = async () => {
        const agent = place.again()
        await agent.resumeSession(place.agent.session.id, { takeover: true })
        return agent.continue()
      }
      const onEvent = (event: AgentEvent) => void (event.type === type && (taken ??= take()))
      await expect(place.agent.run(words, { onEvent })).rejects.toMatchObject({ code: 'writer_fenced' })
      expect(await taken).toMatchObject({ reason: 'turn_complete' })
      const history = await place.history()
      expect(faultsOf({ history, requests: requests.slice(-1) })).toEqual([])
      expect(await place.workspace.files()).toEqual({ 'notes.txt': 'some\n', 'hello.txt': 'hello\n' })
    },
  )
})
