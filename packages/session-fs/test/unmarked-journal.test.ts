import { cpSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseJournal } from '../src/format/journal-content.ts'
import { firstSeed, shownSum } from '../src/format/segment.ts'
import { unmarkedSessions } from './sample-shapes.ts'
import { eventsOf, load, place, type Place, turn } from './sample-sessions.ts'

async function older(): Promise<Place> {
  const at = await place()
  cpSync(unmarkedSessions, at.directory, { recursive: true })
  return at
}

/** How many records of the journal check with the mark of the session, and how many without one. */
function marked(at: Place, id: string, segment: number): { readonly marked: number; readonly unmarked: number } {
  const bytes = readFileSync(at.path(`${id}.journal.jsonl`))
  const seed = shownSum(readFileSync(at.path(`${id}.${segment}.json`))) as number
  const count = (mark: number) => parseJournal(bytes, mark, () => seed).records.length
  return { marked: count(firstSeed(id)), unmarked: count(0) }
}

describe.each(['closed', 'killed'])('a session that was left %s by a version whose journals have no mark', (id) => {
  test('is intact, with and without its snapshot', async () => {
    await using at = await older()
    expect(marked(at, id, 1)).toEqual({ marked: 0, unmarked: 6 })
    expect(await at.store.verify(id)).toMatchObject({ intact: true, events: { last: 14, missing: [] } })
    rmSync(at.path(`${id}.json`))
    expect(await at.store.verify(id)).toMatchObject({ intact: true, events: { last: 14, missing: [] } })
    expect((await eventsOf(at.store, id)).map(({ seq }) => seq)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1))
  })

  test('goes on in a journal that has one', async () => {
    await using at = await older()
    const before = await eventsOf(at.store, id)
    const session = await load(at.open({ rotateAfterBytes: 1_000_000 }), id)
    expect(session.recovery.findings).toEqual([])
    await session.append(turn('next', 'It goes on.'))
    await session.close()
    expect(marked(at, id, 1)).toEqual({ marked: 12, unmarked: 0 })
    expect((await eventsOf(at.store, id)).slice(0, 14)).toEqual(before)
    expect(await at.store.verify(id)).toMatchObject({ intact: true, events: { last: 20, missing: [] } })
  })

  test('loses a record that is damaged, and no other', async () => {
    await using at = await older()
    rmSync(at.path(`${id}.json`))
    at.damage(`${id}.journal.jsonl`, (bytes) => void bytes.write('?', bytes.indexOf(`${id} 9`)))
    expect((await at.store.verify(id)).events).toMatchObject({ last: 14, missing: [{ first: 12, last: 12 }] })
    const session = await load(at.store, id)
    expect(session.recovery.findings.map(({ what }) => what)).toContain('lost_events')
    await session.close()
    const events = await eventsOf(at.store, id)
    expect(events.flatMap(({ type, seq }) => (type === 'event.lost' ? [seq] : []))).toEqual([12])
  })
})
