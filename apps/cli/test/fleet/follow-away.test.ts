import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError, MemoryStore, parseEvent, type WatchItem } from '@loader/session-core'
import { expect, test } from 'vitest'
import { parse } from '../../src/arguments/parse.ts'
import { commands, main } from '../../src/commands/table.ts'
import { follow, type FollowPorts } from '../../src/fleet/follow.ts'
import { root } from '../programs.ts'

test('a database that is away for a moment is waited for, with a word, and each event is printed once', async () => {
  const lines = readFileSync(join(root, 'packages/readings/test/sessions/invoices.jsonl'), 'utf8').trim().split('\n')
  const events = lines.map((line) => parseEvent(JSON.parse(line)))
  const input = events.find(({ type }) => type === 'input.queued')
  const id = String((events[0] as { id?: unknown }).id)
  const memory = new MemoryStore()
  await memory.restore({ id, events, texts: new Map() })
  let cuts = 2
  const store = Object.assign(Object.create(memory) as MemoryStore, {
    async *watch(...of: Parameters<MemoryStore['watch']>): AsyncGenerator<WatchItem> {
      let given = 0
      for await (const item of memory.watch(...of)) {
        yield item
        given += 1
        if (given === 9 && (cuts -= 1) >= 0) throw new LoaderError('storage_refused', 'It is away.')
      }
    },
    read: memory.read.bind(memory),
  })
  const notes: string[] = []
  const seqs: number[] = []
  const ports = {
    store,
    dispatch: { fleet: async () => ({ workers: [{ isThere: true }], sessions: [] }) },
    given: parse(['run', '-r', id], commands, main),
    printer: { begin: () => {}, event: ({ seq }: { readonly seq: number }) => seqs.push(seq) },
    interruption: { onFirst: () => {}, cause: undefined },
    note: (text: string) => notes.push(text),
  } as unknown as FollowPorts
  const inputId = input !== undefined && 'inputId' in input ? String(input.inputId) : ''
  const end = await follow({ id, fromSeq: 3, inputId, task: 'Mend it.' }, ports)
  expect(end.kind).toBe('finished')
  expect(new Set(seqs).size).toBe(seqs.length)
  expect(notes).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('It is away.')))
})
