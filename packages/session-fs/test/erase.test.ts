import { copyFileSync, writeFileSync } from 'node:fs'
import { JsonValue, Session } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { systemProcesses } from '../src/disk/process-table.ts'
import { environment, type Place, place } from './sample-sessions.ts'

const secret = 'zebra crossing'

/** Two sessions; all that the first one says is in it, and in the row of it, several times. */
async function twoSessions({ store }: Place): Promise<void> {
  for (const [id, words] of [
    ['one', secret],
    ['two', 'nothing of note'],
  ] as const) {
    const session = await Session.open(store, { environment, id, title: words, metadata: { words } })
    await session.append({ type: 'input.queued', inputId: 'in', text: words })
    await session.save()
    await session.append({
      type: 'custom.recorded',
      name: 'words',
      data: JsonValue.parse(await session.storeText(words.repeat(9_000))),
    })
    await session.close()
  }
}

/** Whatever lies in the folder and has the words in it. */
function filesWith(at: Place, words: string): string[] {
  return Object.entries(at.bytes()).flatMap(([path, bytes]) => (bytes.includes(words) ? [path] : []))
}

describe('erasing a session', () => {
  test('leaves no word of it in any file, and the others as they are', async () => {
    await using at = await place()
    await twoSessions(at)
    expect(filesWith(at, secret)).toContain('_index.journal.jsonl')
    await at.store.delete('one', { erase: true })
    expect(filesWith(at, secret)).toEqual([])
    expect((await at.store.list()).rows.map(({ id }) => id)).toEqual(['two'])
    expect((await at.store.list({ check: true })).rows.map(({ id }) => id)).toEqual(['two'])
  })

  test('leaves a number beside its id, and nothing of who erased it', async () => {
    await using at = await place()
    await twoSessions(at)
    await at.store.delete('one', { erase: true })
    const { self } = systemProcesses()
    const left = Object.entries(at.bytes('one'))
    expect(left.map(([path]) => path)).toEqual(['one.lock.0'])
    const mark = JSON.parse(left[0]?.[1] ?? '') as { readonly process: object }
    expect(mark).toMatchObject({ state: 'deleted', id: 'one', epoch: 2 })
    expect(mark.process).toEqual({ pid: 0, host: '', bootId: null, pidNamespace: null, startedAt: null })
    for (const known of [self.host, self.bootId, self.machineId, self.startedAt]) {
      if (known) expect(left[0]?.[1]).not.toContain(`"${known}"`)
    }
    // It is as good a fence as one that says more.
    const session = await Session.open(at.open(), { environment, id: 'one' })
    expect(session.epoch).toBeGreaterThan(2)
    await session.close()
  })

  test('also where a fold of the index was cut off before', async () => {
    await using at = await place()
    await twoSessions(at)
    copyFileSync(at.path('_index.journal.jsonl'), at.path('_index.folding.jsonl'))
    await at.store.delete('one', { erase: true })
    expect(filesWith(at, secret)).toEqual([])
    expect((await at.store.list()).rows.map(({ id }) => id)).toEqual(['two'])
  })

  test('also while another process writes the index, which then has to be made anew', async () => {
    await using at = await place()
    await twoSessions(at)
    writeFileSync(at.path('_index.lock'), JSON.stringify(systemProcesses().self))
    await at.store.delete('one', { erase: true })
    expect(filesWith(at, secret)).toEqual([])
    expect((await at.store.list()).rows.map(({ id }) => id)).toEqual(['two'])
  })

  test('is what moving it to the trash is not', async () => {
    await using at = await place()
    await twoSessions(at)
    await at.store.delete('one')
    expect(filesWith(at, secret).length).toBeGreaterThan(0)
  })
})
