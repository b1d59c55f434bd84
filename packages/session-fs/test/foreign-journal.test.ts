import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { LoaderError, type StoredEvent } from '@loader/session-core'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { eventBy, opened, owner } from './children/events.ts'
import { environment, type Place, place } from './sample-sessions.ts'

const eventsOf = (id: string, count: number, by = id) => [
  opened(id),
  ...Array.from({ length: count - 1 }, (_unused, index) => eventBy(by, index + 2)),
]
const journalOf = (id: string) => `${id}.journal.jsonl`

/** Writes events up to each of these; what was written before is sealed then. */
async function write(at: Place, id: string, upTo: readonly number[], by = id): Promise<void> {
  let written = 0
  for (const last of upTo) {
    const next = eventsOf(id, last, by).slice(written)
    // The first write behind what is to be sealed seals it.
    if (written > 0) await append(at, id, next.splice(0, 1), 1)
    await append(at, id, next, 1_000_000)
    written = last
  }
}

async function append(at: Place, id: string, events: readonly StoredEvent[], rotateAfterBytes: number): Promise<void> {
  const { writer } = await at.open({ rotateAfterBytes }).claim(id, {
    owner,
    expect: events[0]?.seq === 1 ? 'new' : 'existing',
  })
  for (const event of events) await writer.append([event], 'flush')
  await writer.release()
}

async function read(at: Place, id: string, gaps: 'refuse' | 'mark') {
  const events: StoredEvent[] = []
  try {
    for await (const event of at.store.read(id, { gaps })) events.push(event)
    return { events, code: undefined }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return { events, code: error.code }
  }
}

async function watched(at: Place, id: string) {
  const events: StoredEvent[] = []
  const stop = new AbortController()
  try {
    for await (const item of at.store.watch(id, 1, { signal: stop.signal })) {
      if (item.kind !== 'event') continue
      events.push(item.event)
      if (events.length > 6) stop.abort()
    }
    return { events, code: undefined }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return { events, code: error.code }
  }
}

/** What every way to look at the session says: that these events are its own, and that the journal is not. */
async function expectForeign(at: Place, id: string, own: readonly StoredEvent[]): Promise<void> {
  const bytes = readFileSync(at.path(journalOf(id)))
  expect(await read(at, id, 'refuse')).toEqual({ events: own, code: 'session_damaged' })
  expect(await read(at, id, 'mark')).toEqual({ events: own, code: undefined })
  expect(await watched(at, id)).toEqual({ events: own, code: 'session_damaged' })
  const { intact, events, findings } = await at.store.verify(id)
  expect({ intact, last: events.last }).toEqual({ intact: false, last: own.length })
  expect(findings.map(({ what }) => what)).toContain('foreign_journal')
  await expect(at.store.fork(id, undefined, { id: 'fork', environment })).rejects.toMatchObject({
    code: 'session_damaged',
  })
  await at.store.salvage(id, { as: 'salvaged', environment })
  expect((await read(at, 'salvaged', 'refuse')).events.slice(0, own.length)).toEqual(own)
  expect((await read(at, 'salvaged', 'refuse')).events.length).toBe(own.length + 1)
  expect(readFileSync(at.path(journalOf(id))).equals(bytes)).toBe(true)
  const { writer, report } = await at.store.claim(id, { owner, expect: 'existing' })
  const finding = report.findings.find(({ what }) => what === 'foreign_journal')
  expect(finding?.message).toMatch(/another session.*Nothing was taken from it.*Events after 6.*lost/)
  expect(readFileSync(finding?.kept ?? '').equals(bytes)).toBe(true)
  await writer.append([eventBy('later', own.length + 1)], 'flush')
  await writer.release()
  expect(await read(at, id, 'refuse')).toEqual({ events: [...own, eventBy('later', own.length + 1)], code: undefined })
}

describe('a journal that is not the one behind the segments gives no event', () => {
  const snapshots = [
    ['without a snapshot', false],
    ['with a snapshot', true],
  ] as const

  test.each(sample(snapshots, { quick: 1 }))(
    'that of another session, from its beginning, %s',
    async (_what, hasSnapshot) => {
      await using at = await place()
      await write(at, 'aa', [6, 7])
      await write(at, 'bb', [12])
      copyFileSync(at.path(journalOf('bb')), at.path(journalOf('aa')))
      if (!hasSnapshot) rmSync(at.path('aa.json'))
      await expectForeign(at, 'aa', eventsOf('aa', 6))
    },
  )

  test.runIf(fromCi)('that of another session, from the last event that is sealed here', async () => {
    await using at = await place()
    await write(at, 'aa', [6, 7])
    await write(at, 'bb', [5, 12])
    copyFileSync(at.path(journalOf('bb')), at.path(journalOf('aa')))
    await expectForeign(at, 'aa', eventsOf('aa', 6))
  })

  test.runIf(fromCi)('that of another history of the same session', async () => {
    await using at = await place()
    await write(at, 'aa', [12], 'other')
    const other = readFileSync(at.path(journalOf('aa')))
    await at.store.delete('aa')
    await write(at, 'aa', [6, 7])
    writeFileSync(at.path(journalOf('aa')), other)
    await expectForeign(at, 'aa', eventsOf('aa', 6))
  })

  test.runIf(fromCi)('an older one of the same session, which was sealed since', async () => {
    await using at = await place()
    await write(at, 'aa', [4])
    const older = readFileSync(at.path(journalOf('aa')))
    await at.store.delete('aa')
    await write(at, 'aa', [6, 7])
    writeFileSync(at.path(journalOf('aa')), older)
    await expectForeign(at, 'aa', eventsOf('aa', 6))
  })

  test('a piece of that of another session, from its middle, which names none and begins behind a gap', async () => {
    await using at = await place()
    await write(at, 'aa', [6, 9])
    await write(at, 'bb', [14])
    await write(at, 'cc', [6, 14])
    for (const [source, from] of [
      ['bb', 10],
      ['cc', 0],
      ['cc', 3],
    ] as const) {
      const lines = readFileSync(at.path(journalOf(source)), 'latin1').split('\n')
      writeFileSync(
        at.path(journalOf('aa')),
        `${lines.slice(from).join('\n')}${'\n'.repeat(4096)}`.slice(0, 4096),
        'latin1',
      )
      rmSync(at.path('aa.json'), { force: true })
      const found = await at.store.verify('aa')
      expect(found.findings.map(({ what }) => what)).toContain('foreign_journal')
      expect(found.events).toMatchObject({ last: 6, missing: [] })
      expect(await read(at, 'aa', 'mark')).toEqual({ events: eventsOf('aa', 6), code: undefined })
    }
    await expectForeign(at, 'aa', eventsOf('aa', 6))
  })

  test('of which so little is left that it cannot be told from damage', async () => {
    await using at = await place()
    await write(at, 'aa', [6, 9])
    await write(at, 'bb', [14])
    const lines = readFileSync(at.path(journalOf('bb')), 'latin1').split('\n')
    for (const count of [1, 2]) {
      const piece = lines.slice(9, 9 + count).join('\n')
      writeFileSync(at.path(journalOf('aa')), piece.padEnd(4096, '\n'), 'latin1')
      const { events } = await read(at, 'aa', 'mark')
      expect(events.filter(({ type }) => type !== 'event.lost')).toEqual(eventsOf('aa', 6))
      expect((await at.store.verify('aa')).intact).toBe(false)
    }
  })

  test('that of another session, and nothing else is there', async () => {
    await using at = await place()
    await write(at, 'bb', [12])
    copyFileSync(at.path(journalOf('bb')), at.path(journalOf('aa')))
    const bytes = readFileSync(at.path(journalOf('aa')))
    expect(await read(at, 'aa', 'refuse')).toEqual({ events: [], code: 'session_damaged' })
    expect((await at.store.verify('aa')).findings.map(({ what }) => what)).toContain('foreign_journal')
    await expect(at.store.claim('aa', { owner, expect: 'existing' })).rejects.toMatchObject({ code: 'session_damaged' })
    await expect(at.store.claim('aa', { owner, expect: 'new' })).rejects.toMatchObject({ code: 'session_exists' })
    expect(readFileSync(at.path(journalOf('aa'))).equals(bytes)).toBe(true)
  })
})

describe('a journal that continues from the same segment, as checksums have it', () => {
  /** `bb` shares the segment of `aa` with the events 1 to 6, and both go on behind it. */
  async function forked(at: Place): Promise<readonly StoredEvent[]> {
    await write(at, 'aa', [6, 9])
    await at.store.fork('aa', 8, { id: 'bb', environment })
    await append(at, 'bb', [eventBy('bb', 10)], 1_000_000)
    return eventsOf('aa', 6)
  }

  test('of the session that a fork comes from is none of the fork', async () => {
    await using at = await place()
    const own = await forked(at)
    copyFileSync(at.path(journalOf('aa')), at.path(journalOf('bb')))
    await expectNamed(at, 'bb', own, 'aa')
  })

  test('of a fork is none of the session that it comes from', async () => {
    await using at = await place()
    const own = await forked(at)
    copyFileSync(at.path(journalOf('bb')), at.path(journalOf('aa')))
    await expectNamed(at, 'aa', own, 'bb')
  })

  test('of one fork is none of another, and of a fork of a fork', async () => {
    await using at = await place()
    const own = await forked(at)
    await at.store.fork('bb', undefined, { id: 'cc', environment })
    await at.store.fork('cc', undefined, { id: 'dd', environment })
    copyFileSync(at.path(journalOf('bb')), at.path(journalOf('cc')))
    await expectNamed(at, 'cc', own, 'bb')
    expect(await at.store.verify('dd')).toMatchObject({ intact: true })
  })

  test('is known by the own event where a segment of the fork is lost', async () => {
    await using at = await place()
    await forked(at)
    // The first event of its own is sealed with this, and what follows names nobody.
    await append(at, 'bb', [eventBy('bb', 11)], 1)
    rmSync(at.path('bb.2.json'))
    expect((await at.store.verify('bb')).findings.map(({ what }) => what)).not.toContain('foreign_journal')
    const marked = await read(at, 'bb', 'mark')
    expect(marked.events.at(-1)).toEqual(eventBy('bb', 11))
  })

  async function expectNamed(at: Place, id: string, own: readonly StoredEvent[], other: string): Promise<void> {
    const marked = await read(at, id, 'mark')
    expect(marked.events.filter(({ type }) => type !== 'event.lost')).toEqual(own)
    expect((await read(at, id, 'refuse')).code).toBe('session_damaged')
    const finding = (await at.store.verify(id)).findings.find(({ what }) => what === 'foreign_journal')
    expect(finding?.message).toContain(`another session: of ${other}.`)
    const { writer, report } = await at.store.claim(id, { owner, expect: 'existing' })
    expect(report.findings.find(({ what }) => what === 'foreign_journal')?.message).toContain(`of ${other}.`)
    await writer.release()
  }
})

// What docs/session-format.md says cannot be known: this is the limit, and not what anybody wants.
test('an older version of the own journal, of behind the snapshot, is the session as it was then', async () => {
  await using at = await place()
  const { writer } = await at.open({ rotateAfterBytes: 1_000_000 }).claim('aa', { owner, expect: 'new' })
  const events = eventsOf('aa', 9)
  await writer.append(events.slice(0, 6), 'flush')
  const older = readFileSync(at.path(journalOf('aa')))
  await writer.append(events.slice(6), 'flush')
  // The writer is killed before it writes again, which is when it would see this.
  writeFileSync(at.path(journalOf('aa')), older)
  expect(await at.store.verify('aa')).toMatchObject({ intact: true, events: { last: 6 } })
  await writer.release()
})

test('a segment of another session, or from another place of this one, is told as what it is', async () => {
  await using at = await place()
  await write(at, 'aa', [4, 10, 11])
  await write(at, 'bb', [3, 9, 20, 21])
  for (const [source, told] of [
    ['bb.3.json', 'segment 3 of session bb (events 10 to 20)'],
    ['aa.1.json', 'segment 1 of this session (events 1 to 4)'],
  ] as const) {
    copyFileSync(at.path(source), at.path('aa.2.json'))
    const { findings, files } = await at.store.verify('aa')
    expect(findings.find(({ what }) => what === 'foreign_segment')?.message).toContain(`but ${told}.`)
    expect(files.find(({ file }) => file === 'aa.2.json')?.found).toBe(told)
  }
  const { writer, report } = await at.store.claim('aa', { owner, expect: 'existing' })
  expect(report.findings.find(({ what }) => what === 'foreign_segment')?.message).toContain('segment 1 of this session')
  await writer.release()
})

test('a damaged segment of another history of the same session gives no event', async () => {
  await using at = await place()
  await write(at, 'aa', [4, 10, 11], 'other')
  const other = readFileSync(at.path('aa.2.json'))
  await at.store.delete('aa')
  await write(at, 'aa', [4, 10, 11])
  const damaged = other.toString('latin1').replace('"seq":7,', '"seq":?,')
  writeFileSync(at.path('aa.2.json'), damaged, 'latin1')
  expect((await read(at, 'aa', 'refuse')).events).toEqual(eventsOf('aa', 4))
  expect((await at.store.verify('aa')).events.missing).toEqual([{ first: 5, last: 10 }])
  expect((await read(at, 'aa', 'mark')).events.filter(({ type }) => type !== 'event.lost')).toEqual([
    ...eventsOf('aa', 4),
    eventBy('aa', 11),
  ])
})

test('a damaged segment is made whole where a text has line ends of its own', async () => {
  await using at = await place()
  const { writer } = await at.open({ rotateAfterBytes: 1_000_000 }).claim('aa', { owner, expect: 'new' })
  const odd: StoredEvent = {
    type: 'custom.recorded',
    seq: 2,
    at: eventBy('aa', 2).at,
    name: 'odd',
    data: 'a\u2028b\u2029c',
  }
  await writer.append([opened('aa'), odd], 'flush')
  await writer.release()
  await append(at, 'aa', [eventBy('aa', 3)], 1)
  // Where the checksum of an event is hit, only the whole document proves it; and its first line is hit as well.
  at.damage('aa.1.json', (bytes) => {
    bytes.write('?', bytes.indexOf('","', bytes.indexOf('"eventChecksums":["')) + 4)
    bytes.write('?', 2)
  })
  expect(await at.store.verify('aa')).toMatchObject({ events: { last: 3, missing: [] } })
  expect((await read(at, 'aa', 'refuse')).events).toEqual([opened('aa'), odd, eventBy('aa', 3)])
})

test('what stands in the journal behind a segment that was cut off is read', async () => {
  await using at = await place()
  await write(at, 'aa', [6, 9])
  at.damage('aa.1.json', (bytes) => bytes.subarray(0, 500))
  expect((await at.store.verify('aa')).events).toMatchObject({ last: 9, missing: [{ first: 1, last: 6 }] })
  const events: StoredEvent[] = []
  for await (const event of at.store.read('aa', { fromSeq: 7 })) events.push(event)
  expect(events).toEqual(eventsOf('aa', 9).slice(6))
})

describe('the own journal is known', () => {
  /** The segment 1 to 6 is there, and a journal from 1 to 9 besides, as after a seal that came half the way. */
  async function overlapping(at: Place): Promise<void> {
    await write(at, 'aa', [9])
    const journal = readFileSync(at.path(journalOf('aa')))
    await at.store.delete('aa')
    await write(at, 'aa', [6, 7])
    writeFileSync(at.path(journalOf('aa')), journal)
    if (existsSync(at.path('aa.json'))) rmSync(at.path('aa.json'))
  }

  test('by the events that were sealed meanwhile', async () => {
    await using at = await place()
    await overlapping(at)
    expect(await at.store.verify('aa')).toMatchObject({ intact: true, events: { last: 9 } })
    expect(await read(at, 'aa', 'refuse')).toEqual({ events: eventsOf('aa', 9), code: undefined })
  })

  test('by these also when its first line is damaged, which costs nothing', async () => {
    await using at = await place()
    await overlapping(at)
    at.damage(journalOf('aa'), (bytes) => void (bytes[60] = (bytes[60] as number) ^ 1))
    expect(await read(at, 'aa', 'refuse')).toEqual({ events: eventsOf('aa', 9), code: undefined })
    const { writer, report } = await at.store.claim('aa', { owner, expect: 'existing' })
    expect(report.findings.map(({ what }) => what)).toEqual(['missing_snapshot'])
    await writer.release()
  })

  test('and a damaged first line costs itself where no event was sealed meanwhile', async () => {
    await using at = await place()
    await write(at, 'aa', [6, 12])
    at.damage(journalOf('aa'), (bytes) => void (bytes[60] = (bytes[60] as number) ^ 1))
    const marked = await read(at, 'aa', 'mark')
    expect(marked.events.map(({ type }) => type === 'event.lost')).toEqual(
      Array.from({ length: 12 }, (_unused, index) => index === 6),
    )
    const { writer, report } = await at.store.claim('aa', { owner, expect: 'existing' })
    expect(report.findings.map(({ what }) => what)).toEqual(['damaged_journal', 'lost_events'])
    await writer.release()
  })

  test('in a fork, whose first event names the session that it comes from', async () => {
    await using at = await place()
    await write(at, 'aa', [6])
    await at.store.fork('aa', 4, { id: 'bb', environment })
    rmSync(at.path('bb.json'))
    expect(await at.store.verify('bb')).toMatchObject({ intact: true, events: { last: 5 } })
    expect((await read(at, 'bb', 'refuse')).events.slice(0, 4)).toEqual(eventsOf('aa', 4))
  })

  test('when all that it has is one record whose newline was hit', async () => {
    await using at = await place()
    await write(at, 'aa', [6, 7])
    at.damage(journalOf('aa'), (bytes) => void (bytes[bytes.indexOf('\n')] = 'x'.charCodeAt(0)))
    expect(await read(at, 'aa', 'refuse')).toEqual({ events: eventsOf('aa', 7), code: undefined })
    expect(await at.store.verify('aa')).toMatchObject({ events: { last: 7, missing: [] } })
  })
})
