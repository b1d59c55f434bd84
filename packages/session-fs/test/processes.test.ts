import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold, type StoredEvent } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing, sample, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { FileSessionStore } from '../src/index.ts'
import { type Child, startChild } from './child.ts'
import { claimedBy, eventBy, opened, owner, randomNumbers } from './children/events.ts'

const kills = times({ quick: 4, ci: 40, long: 1000 })
const races = times({ quick: 4, ci: 200, long: 1000 })
const takeovers = times({ quick: 4, ci: 80, long: 1000 })
const seals = times({ quick: 2, ci: 100 })
const readersBeside = times({ quick: 2, ci: 4 })

/** What came of all kills. */
interface Count {
  kills: number
  acknowledged: number
  unacknowledgedKept: number
  looksAtSnapshots: number
  readonly findings: Record<string, number>
}

describe('writers that are killed at random moments', () => {
  test(`lose nothing that was acknowledged (${kills} kills)`, { timeout: 3_600_000 }, async () => {
    await using workspace = await temporaryWorkspace()
    const random = randomNumbers(kills)
    const count: Count = { kills: 0, acknowledged: 0, unacknowledgedKept: 0, looksAtSnapshots: 0, findings: {} }
    for (let round = 0; count.kills < kills; round += 1) {
      const directory = workspace.path(`sessions-${round}`)
      // Each run goes on where the one before was killed.
      const histories = new Map(['s1', 's2', 's3', 's4'].map((id) => [id, [] as readonly string[]]))
      for (let run = 0; run < 5 && count.kills < kills; run += 1) {
        const child = await killAtRandom(directory, run, [...histories.keys()], random, count)
        for (const [id, before] of histories)
          histories.set(id, await lookAfter(child, directory, id, run, before, count))
        expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([])
      }
    }
    console.log(`${count.kills} writers killed`, count)
    // A killed process tears nothing that matters: what it wrote is in the memory of the system.
    expect(Object.keys(count.findings).filter((what) => what !== 'torn_tail' && what !== 'missing_snapshot')).toEqual(
      [],
    )
  })
})

/** Starting a process is what takes time, so each writes to several sessions. */
async function killAtRandom(
  directory: string,
  run: number,
  sessions: readonly string[],
  random: () => number,
  count: Count,
): Promise<Child> {
  const child = startChild('writer.ts', directory, String(run), String(Math.floor(random() * 1e9)), ...sessions)
  // The first time all of them are under way; later it may also hit a claim.
  const awaited = run === 0 || random() < 0.7 ? sessions : []
  for (const id of awaited) await child.line((line) => line.startsWith(`${id} `))
  if (awaited.length === 0) await child.line(() => true)
  const end = performance.now() + random() * 150
  while (performance.now() < end) {
    for (const id of sessions) count.looksAtSnapshots += lookAtSnapshot(directory, id)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  child.signal('SIGKILL')
  expect(await child.ended).toBe('SIGKILL')
  return child
}

/** What is there of a session, which must be all that was acknowledged, and nothing that was not written. */
async function lookAfter(
  child: Child,
  directory: string,
  id: string,
  run: number,
  before: readonly string[],
  count: Count,
): Promise<readonly string[]> {
  const said = child.lines.filter((line) => line.startsWith(`${id} `)).map((line) => Number(line.split(' ')[1]))
  const acknowledged = Math.max(before.length, ...said)
  const { lines, findings } = await claimAndRead(directory, id)
  expect(lines.length, `${id}, run ${run}`).toBeGreaterThanOrEqual(acknowledged)
  const epoch = epochOf(lines.slice(before.length))
  expect(lines).toEqual([...before, ...expectedFrom(id, before.length, lines.length, String(run), epoch)])
  count.kills += 1
  count.acknowledged += acknowledged - before.length
  count.unacknowledgedKept += lines.length - acknowledged
  count.looksAtSnapshots += lookAtSnapshot(directory, id)
  for (const what of findings) count.findings[what] = (count.findings[what] ?? 0) + 1
  return lines
}

describe('two processes that want one session', () => {
  test('race for it, and one gets it each time', async () => {
    await using workspace = await temporaryWorkspace()
    const directory = workspace.path('sessions')
    await leaveSession(directory, 'one')
    const rivals = [startChild('rival.ts', directory, 'one'), startChild('rival.ts', directory, 'one')]
    await Promise.all(rivals.map((rival) => rival.line((line) => line === 'ready')))
    const epochs = new Set<string>()
    for (let round = 0; round < races; round += 1) {
      const marks = rivals.map((rival) => rival.lines.length)
      const when = Date.now() + 3
      for (const rival of rivals) rival.say(`claim ${when} plain`)
      const answers = await Promise.all(
        rivals.map((rival, index) => rival.line((line) => /^(claimed|refused)/.test(line), marks[index])),
      )
      const winner = answers.findIndex((answer) => answer.startsWith('claimed'))
      const loser = answers[1 - winner] as string
      expect(winner, `${answers.join(' | ')}`).toBeGreaterThanOrEqual(0)
      expect(loser).toContain('refused session_busy')
      expect(loser).toContain(`process ${rivals[winner]?.pid} on `)
      epochs.add((answers[winner] as string).split(' ')[1] as string)
      rivals[winner]?.say('release')
      await rivals[winner]?.line((line) => line === 'released', marks[winner])
    }
    expect(epochs.size).toBe(races)
    await endAll(rivals)
  })

  test.runIf(fromCi)('take it from each other while they write, and lose nothing', async () => {
    await using workspace = await temporaryWorkspace()
    const directory = workspace.path('sessions')
    await leaveSession(directory, 'one')
    const rivals = [startChild('rival.ts', directory, 'one'), startChild('rival.ts', directory, 'one')]
    await Promise.all(rivals.map((rival) => rival.line((line) => line === 'ready')))
    const random = randomNumbers(7)
    let fenced = 0
    for (let round = 0; round < takeovers; round += 1) {
      const [taker, displaced] = round % 2 === 0 ? rivals : [...rivals].reverse()
      const marks = { taker: taker?.lines.length, displaced: displaced?.lines.length }
      taker?.say('claim 0 takeover')
      expect(await taker?.line((line) => /^(claimed|refused)/.test(line), marks.taker)).toContain('claimed')
      taker?.say(`write r${round}`)
      if (round > 0) {
        const stopped = await displaced?.line((line) => line.startsWith('stopped'), marks.displaced)
        expect(stopped).toContain('stopped writer_fenced')
        expect(stopped).toContain(`process ${taker?.pid} on `)
        fenced += 1
      }
      await new Promise((resolve) => setTimeout(resolve, random() * 15))
    }
    const last = rivals[(takeovers - 1) % 2]
    last?.say('stop')
    await last?.line((line) => line === 'idle')
    await endAll(rivals)
    const lines = await linesOf(new FileSessionStore({ directory }), 'one')
    const acknowledged = rivals.flatMap(({ lines: said }) => said.filter((line) => /^r\d+ \d+$/.test(line)))
    const lost = acknowledged.filter((line) => {
      const [by, seq] = line.split(' ') as [string, string]
      return lines[Number(seq) - 1] !== JSON.stringify(eventBy(by, Number(seq)))
    })
    console.log(
      `${takeovers} takeovers, ${acknowledged.length} acknowledged, ${lost.length} lost, ${fenced} stopped by themselves`,
    )
    expect(lost).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(takeovers)
    expect(fenced).toBe(takeovers - 1)
  })
})

/** Where a writer is stopped: before which of its calls, on what, and the how manieth of those. */
const stops = [
  ['write', 'one\\.journal', 3, 'an append'],
  ['fdatasync', 'one\\.journal', 4, 'the flush of an append'],
  ['open', 'one\\.1\\.json', 1, 'a seal'],
  ['link', 'one\\.1\\.json', 1, 'the publication of a segment'],
  ['link', 'one\\.2\\.json', 1, 'the publication of the next segment'],
  ['rename', 'one\\.journal', 2, 'the change to the next journal'],
  ['rename', 'one\\.json', 2, 'the change to the next snapshot'],
  // The first is the one that makes it.
  ['write', 'one\\.lock\\.1', 2, 'a mark of what is durable, or giving the session free'],
] as const

describe('a process that is stopped while another takes its session, and then goes on', () => {
  test.each(sample(stops, { quick: 1 }))(
    'harms nothing, stopped before %s of %s (%i): %s',
    async (call, path, which) => {
      await using workspace = await temporaryWorkspace()
      const directory = workspace.path('sessions')
      const child = startChild('stopping.ts', directory, 'one', call, path, String(which))
      await child.line((line) => line === 'stopping')
      while (!child.isStopped) await new Promise((resolve) => setTimeout(resolve, 1))

      const store = new FileSessionStore({ directory })
      await expect(store.claim('one', { owner, expect: 'existing' })).rejects.toThrow(`process ${child.pid} on `)
      const claim = await store.claim('one', { owner, expect: 'existing', takeover: true })
      const from = fold(claim.events, claim.state)?.seq ?? 0
      for (const ahead of [1, 2, 3]) await claim.writer.append([eventBy('new', from + ahead)], 'flush')
      child.signal('SIGCONT')
      expect(await child.ended, `${child.lines.join('\n')}`).toBe(0)

      const [, ...outcomes] = child.lines.at(-1)?.split(' ') ?? []
      // A lock is written to say what is durable, too: whether anything is written behind that is a matter of the moment.
      if (!path.includes('lock')) expect(outcomes).toContain('writer_fenced')
      expect([...new Set(outcomes)].filter((outcome) => outcome !== 'ok' && outcome !== 'writer_fenced')).toEqual([])
      const lines = await linesOf(store, 'one')
      for (const ahead of [1, 2, 3]) expect(lines[from + ahead - 1]).toBe(JSON.stringify(eventBy('new', from + ahead)))
      for (const said of child.lines.filter((line) => line.startsWith('stored ')))
        expect(lines).toContain(said.slice(7))
      // Nothing was appended since it went on: what it may have put in the way is still there.
      const next = await store.claim('one', { owner, expect: 'existing', takeover: true })
      expect(fold(next.events, next.state)?.seq).toBe(lines.length)
    },
  )
})

describe.skipIf(process.platform !== 'linux')(
  needing(
    process.platform !== 'linux' && 'only on Linux',
    'a process that was killed and that its parent has not taken note of',
  ),
  () => {
    test('holds nothing any more', async () => {
      await using workspace = await temporaryWorkspace()
      const directory = workspace.path('sessions')
      await leaveSession(directory, 'one')
      const parent = startChild('careless-parent.ts', directory, 'one')
      const pid = Number(await parent.line((line) => /^\d+$/.test(line)))
      const store = new FileSessionStore({ directory })
      await expect(store.claim('one', { owner, expect: 'existing' })).rejects.toThrow(`process ${pid} on `)

      process.kill(pid, 'SIGKILL')
      while (!/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) {
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      const { writer } = await store.claim('one', { owner, expect: 'existing' })
      await writer.release()
      await endAll([parent])
    })
  },
)

describe('readers beside a writer', () => {
  test(`see every event, in order, and never go back, across ${seals} seals`, async () => {
    await using workspace = await temporaryWorkspace()
    const directory = workspace.path('sessions')
    const writer = startChild('writer.ts', directory, '0', '1', 'one')
    await writer.line(() => true)
    const readers = Array.from({ length: readersBeside }, () => startChild('reader.ts', directory, 'one'))
    await Promise.all(readers.map((reader) => reader.line((line) => line === 'ready')))
    const first = sealsOf(directory)
    while (sealsOf(directory) - first < seals) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const reader of readers) reader.endInput()
    await Promise.all(readers.map(({ ended }) => ended))
    await endAll([writer])
    const seen = readers.map(
      ({ lines }) => JSON.parse(lines.at(-1) ?? '') as { reads: number; last: number; wrong: string[] },
    )
    const reads = seen.reduce((sum, each) => sum + each.reads, 0)
    console.log(
      `${sealsOf(directory) - first} seals, ${reads} whole reads, up to event ${Math.max(...seen.map(({ last }) => last))}`,
    )
    for (const { reads: own, wrong } of seen) {
      expect(wrong).toEqual([])
      expect(own).toBeGreaterThan(1)
    }
  })
})

function sealsOf(directory: string): number {
  return readdirSync(directory).filter((name) => /^one\.\d+\.json$/.test(name)).length
}

async function leaveSession(directory: string, id: string): Promise<void> {
  const { writer } = await new FileSessionStore({ directory }).claim(id, { owner, expect: 'new' })
  await writer.append([opened(id)], 'flush')
  await writer.release()
}

async function endAll(children: readonly Child[]): Promise<void> {
  for (const child of children) child.signal('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
}

/** One, if there is a snapshot and it is whole. */
function lookAtSnapshot(directory: string, id: string): number {
  try {
    JSON.parse(readFileSync(join(directory, `${id}.json`), 'utf8'))
    return 1
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

async function claimAndRead(directory: string, id: string): Promise<{ lines: string[]; findings: string[] }> {
  const store = new FileSessionStore({ directory })
  const { writer, state, events, report } = await store.claim(id, { owner, expect: 'existing' })
  const lines = await linesOf(store, id)
  expect(fold(events, state)?.seq).toBe(lines.length)
  await writer.release()
  return { lines, findings: report.findings.map(({ what }) => what) }
}

async function linesOf(store: FileSessionStore, id: string, fromSeq = 1): Promise<string[]> {
  const lines: string[] = []
  for await (const event of store.read(id, { fromSeq })) lines.push(JSON.stringify(event))
  return lines
}

/** The epoch that a run says it has, in its first event or the second. */
function epochOf(lines: readonly string[]): number {
  const events = lines.slice(0, 2).map((line) => JSON.parse(line) as StoredEvent)
  const claimed = events.find(({ type }) => type === 'session.claimed')
  return claimed !== undefined && 'epoch' in claimed ? Number(claimed.epoch) : 0
}

function expectedFrom(id: string, from: number, to: number, run: string, epoch: number): string[] {
  const greeting = from === 0 ? [opened(id), claimedBy(epoch, 2)] : [claimedBy(epoch, from + 1)]
  return Array.from({ length: to - from }, (_unused, index) =>
    JSON.stringify(greeting[index] ?? eventBy(run, from + index + 1)),
  )
}
