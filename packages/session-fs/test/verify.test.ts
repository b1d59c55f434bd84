import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { everyNth } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { fold, Session, type SessionState, type Verification } from '@loader/session-core'
import { opened, owner } from './children/events.ts'
import {
  environment,
  fill,
  forbidding,
  leaveImpossible,
  linesOf,
  load,
  place,
  type Place,
  record,
  recordLong,
  turn,
} from './sample-sessions.ts'

/** What was found, shortly. */
async function found(at: Place, id = 'one') {
  const { intact, events, findings } = await at.store.verify(id)
  return { intact, ...events, whats: [...new Set(findings.map(({ what }) => what))] }
}

function damagedIn({ findings }: Verification): string[] {
  return findings.flatMap(({ file, severity }) => (severity === 'damage' ? [file] : []))
}

describe('a session that is as it was written', () => {
  test('is intact, and every file of it is named', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const session = await load(at.store, 'one')
    await recordLong(session, 'y'.repeat(70_000))
    await session.close()
    const before = at.bytes()
    const report = await at.store.verify('one')
    expect(report).toMatchObject({ id: 'one', intact: true, findings: [], events: { first: 1, last: 44, missing: [] } })
    expect(report.files.map(({ file }) => file).sort()).toEqual(
      Object.keys(before)
        .filter((name) => name.startsWith('one.'))
        .sort(),
    )
    expect(report.files.find(({ kind }) => kind === 'snapshot')?.found).toBe('the state at event 44')
    expect(at.bytes()).toEqual(before)
  })

  test('is intact while it is written, and says by whom', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await record(session, 30)
    const report = await at.store.verify('one')
    expect(report).toMatchObject({ intact: true, findings: [] })
    expect(report.files.find(({ kind }) => kind === 'lock')?.found).toMatch(/^held by process \d+ on .+ \(session\)$/)
    await session.close()
  })

  test('is intact without its snapshot and after a crash', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    await session.append(turn('a', 'Hello'))
    rmSync(at.path('one.json'))
    expect(await found(at)).toEqual({ intact: true, first: 1, last: 7, missing: [], whats: ['missing_snapshot'] })
    await session.close()
  })

  test('is intact with a torn tail, which is shown with its place', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    await fill(at.store, 'one', 3)
    let end = 0
    at.damage('one.journal.jsonl', (bytes) => {
      end = bytes.lastIndexOf(']\n') + 2
      bytes.write(
        `["0badc0de",1,6,5,{"type":"custom.recorded","name":"${'x'.repeat(1000)}`.slice(0, 1024 - (end % 512)),
        end,
      )
    })
    const report = await at.store.verify('one')
    expect(report).toMatchObject({ intact: true, events: { last: 5 } })
    expect(report.findings).toMatchObject([
      { file: 'one.journal.jsonl', offset: end, what: 'torn_tail', severity: 'note' },
    ])
  })

  test('has a damaged last record where that was written whole', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    await fill(at.store, 'one', 3)
    rmSync(at.path('one.json'))
    const whole = readFileSync(at.path('one.journal.jsonl'))
    const from = whole.lastIndexOf('\n["') + 1
    const end = whole.lastIndexOf(']\n') + 1
    for (let offset = from; offset < end; offset += everyNth({ quick: 31, ci: 1 })) {
      for (const bit of [0, 3, 6]) {
        at.damage('one.journal.jsonl', (bytes) => void (bytes[offset] = (bytes[offset] as number) ^ (1 << bit)))
        const report = await at.store.verify('one')
        expect({ offset, bit, intact: report.intact, missing: report.events.missing }).toEqual({
          offset,
          bit,
          intact: false,
          missing: [{ first: 5, last: 5 }],
        })
        expect(JSON.stringify(report.findings)).not.toContain('did not finish')
        writeFileSync(at.path('one.journal.jsonl'), whole)
      }
    }
    at.damage('one.journal.jsonl', (bytes) => void bytes.write('?', from + 60))
    const session = await load(at.store, 'one')
    expect(session.recovery.findings.map(({ what }) => what)).toEqual([
      'missing_snapshot',
      'damaged_journal',
      'lost_events',
    ])
    expect(session.state.gaps?.ranges).toEqual([{ first: 5, last: 5, bytes: expect.any(Number) }])
    await session.close()
    expect(await linesOf(at.store, 'one')).toHaveLength(6)
    expect(await at.store.verify('one')).toMatchObject({ intact: true })
  })

  test('is found whatever the case of the id', async () => {
    await using at = await place()
    await fill(at.store, 'One', 10)
    expect(await at.store.verify('ONE')).toMatchObject({ intact: true, findings: [] })
  })

  test('that is deleted, or was never there, is not found', async () => {
    await using at = await place()
    await expect(at.store.verify('one')).rejects.toMatchObject({ code: 'session_not_found' })
    await fill(at.store, 'one', 10)
    await at.store.delete('one')
    await expect(at.store.verify('one')).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test('is intact as a fork and as a fork of a fork', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await at.store.fork('one', 30, { id: 'two', environment })
    const two = await load(at.store, 'two')
    await record(two, 20)
    await two.close()
    await at.store.fork('two', 45, { id: 'three', environment })
    for (const id of ['one', 'two', 'three']) expect(await found(at, id)).toMatchObject({ intact: true, whats: [] })
  })
})

describe('damage is found', () => {
  test('in each file, wherever a byte changes', async () => {
    await using at = await place()
    await fill(at.store, 'one', 14)
    for (const name of at.names().filter((each) => /^one\.(json|\d+\.json)$/.test(each))) {
      const whole = readFileSync(at.path(name))
      for (let offset = 0; offset < whole.length; offset += everyNth({ quick: 211, ci: 7 })) {
        at.damage(name, (bytes) => void (bytes[offset] = (bytes[offset] as number) ^ 1))
        const report = await at.store.verify('one')
        expect({ name, offset, damaged: damagedIn(report) }).toMatchObject({
          name,
          offset,
          damaged: expect.arrayContaining([name]),
        })
        writeFileSync(at.path(name), whole)
      }
    }
    expect(await at.store.verify('one')).toMatchObject({ intact: true })
  })

  test('in a journal, before its last record', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    await fill(at.store, 'one', 6)
    const whole = readFileSync(at.path('one.journal.jsonl'))
    const lines = whole.toString('utf8').split('\n')
    let offset = 0
    for (const line of lines.slice(0, 8)) {
      at.damage('one.journal.jsonl', (bytes) => void (bytes[offset + 40] = (bytes[offset + 40] as number) ^ 1))
      const report = await at.store.verify('one')
      expect(report.intact).toBe(false)
      expect(report.findings).toContainEqual(expect.objectContaining({ file: 'one.journal.jsonl', offset }))
      writeFileSync(at.path('one.journal.jsonl'), whole)
      offset += Buffer.byteLength(line) + 1
    }
  })

  test('in an event of a segment, with its place and the event that is missing', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    let offset = 0
    at.damage('one.2.json', (bytes) => {
      offset = bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1
      bytes.write('?', offset + 50)
    })
    const report = await at.store.verify('one')
    expect(report.findings).toContainEqual(
      expect.objectContaining({ file: 'one.2.json', offset, what: 'damaged_segment' }),
    )
    expect(report.intact).toBe(false)
    expect(report.events.missing).toHaveLength(1)
    const [{ first, last }] = report.events.missing as [{ first: number; last: number }]
    expect(last).toBe(first)
    expect(JSON.stringify(report.findings)).toContain(`Event ${first} cannot be read.`)
  })

  test('when a file is missing', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    const names = at.names().filter((name) => name.startsWith('one.') && !name.includes('lock') && name !== 'one.json')
    for (const name of names) {
      const whole = readFileSync(at.path(name))
      rmSync(at.path(name))
      const report = await at.store.verify('one')
      expect({ name, damaged: damagedIn(report) }).toMatchObject({ name, damaged: expect.arrayContaining([name]) })
      expect(report.intact).toBe(false)
      writeFileSync(at.path(name), whole)
    }
  })

  test('when a file is cut off', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    for (const name of ['one.1.json', 'one.6.json', 'one.journal.jsonl', 'one.json']) {
      const whole = readFileSync(at.path(name))
      for (const size of [0, 1, Math.floor(whole.length / 3), whole.length - 1]) {
        writeFileSync(at.path(name), whole.subarray(0, size))
        const report = await at.store.verify('one')
        expect({ name, size, damaged: damagedIn(report) }).toMatchObject({
          name,
          size,
          damaged: expect.arrayContaining([name]),
        })
      }
      writeFileSync(at.path(name), whole)
    }
  })

  test('when a segment comes from another session or another place', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await fill(at.store, 'two', 40)
    copyFileSync(at.path('two.2.json'), at.path('one.2.json'))
    expect(await found(at)).toMatchObject({
      intact: false,
      whats: expect.arrayContaining(['foreign_segment', 'missing_events']),
    })
    copyFileSync(at.path('one.3.json'), at.path('one.2.json'))
    expect(await found(at)).toMatchObject({
      intact: false,
      whats: expect.arrayContaining(['foreign_segment', 'missing_events']),
    })
  })

  test('when the snapshot is of another session, or of other events', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    await fill(at.store, 'two', 40)
    copyFileSync(at.path('two.json'), at.path('one.json'))
    expect(await found(at)).toMatchObject({ intact: false, whats: ['damaged_snapshot'] })
  })

  test('when the snapshot says something else than the events', async () => {
    await using at = await place({ rotateAfterBytes: 100_000 })
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    const events = [opened('one')]
    await writer.append(events, 'flush')
    await writer.save({ ...fold(events), title: 'Another title' } as SessionState)
    await writer.release()
    const report = await at.store.verify('one')
    expect(report.findings).toMatchObject([{ file: 'one.json', what: 'snapshot_differs', severity: 'damage' }])
    expect(report.findings[0]?.message).toContain('title')
  })

  test('in blobs that events name', async () => {
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    const blobs = await recordLong(session, ...['a', 'b', 'c'].map((each) => each.repeat(70_000)))
    await session.close()
    rmSync(at.path(`one.blobs/${blobs[0]}`))
    at.damage(`one.blobs/${blobs[1]}`, (bytes) => void bytes.write('z', 100))
    const report = await at.store.verify('one')
    expect(report.findings).toMatchObject([
      { file: `one.blobs/${blobs[0]}`, what: 'missing_blob' },
      { file: `one.blobs/${blobs[1]}`, what: 'damaged_blob' },
    ])
    expect(report.events).toMatchObject({ missing: [] })
  })

  test('when events cannot follow each other, though each is as it was written', async () => {
    await using at = await place()
    await leaveImpossible(at.store, 'one')
    const report = await at.store.verify('one')
    expect(report.findings).toContainEqual(expect.objectContaining({ what: 'impossible_event', severity: 'damage' }))
    expect(report.events).toEqual({ first: 1, last: 3, missing: [] })
  })
})

describe('what is no part of a session', () => {
  test('is named and not read: leftovers, copies, folders, files of others', async () => {
    await using at = await place()
    await fill(at.store, 'one', 10)
    writeFileSync(at.path('one.json.123-abc-1.tmp'), 'half')
    writeFileSync(at.path('one.journal.jsonl.123-abc-2.aside'), 'kept')
    writeFileSync(at.path('one.txt'), 'mine')
    writeFileSync(at.path('one.lock.7'), '')
    writeFileSync(at.path('one-more.json'), '{}')
    const report = await at.store.verify('one')
    expect(report.intact).toBe(true)
    const kinds = Object.fromEntries(report.files.map(({ file, kind }) => [file, kind]))
    expect(kinds).toMatchObject({
      'one.json.123-abc-1.tmp': 'temporary',
      'one.journal.jsonl.123-abc-2.aside': 'aside',
      'one.txt': 'other',
      'one.lock.7': 'lock',
    })
    expect(Object.keys(kinds)).not.toContain('one-more.json')
    expect(report.findings.map(({ what }) => what).sort()).toEqual(['unknown_file', 'unreadable_lock'])
  })

  test('does no harm in the place of a file: a folder with its name', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    for (const name of ['one.2.json', 'one.json', 'one.journal.jsonl']) {
      const whole = readFileSync(at.path(name))
      rmSync(at.path(name))
      mkdirSync(at.path(name))
      const report = await at.store.verify('one')
      expect(report.findings).toContainEqual(expect.objectContaining({ file: name, what: 'unreadable' }))
      rmSync(at.path(name), { recursive: true })
      writeFileSync(at.path(name), whole)
    }
    expect(await linesOf(at.store, 'one')).toHaveLength(42)
  })

  test('is a file that may not be opened, and it is named', async () => {
    await using at = await place()
    await fill(at.store, 'one', 40)
    for (const name of ['one.2.json', 'one.json', 'one.journal.jsonl']) {
      const report = await at.open({ fileSystem: forbidding(at.path(name)) }).verify('one')
      expect(damagedIn(report)).toContain(name)
      expect(report.findings).toContainEqual(expect.objectContaining({ file: name, what: 'unreadable' }))
    }
  })
})
