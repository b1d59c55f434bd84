import nodeFileSystem from 'node:fs'
import type { WatchItem } from '@loader/session-core'
import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import type { FileSystem } from '../src/index.ts'
import { fill, place } from './sample-sessions.ts'

/** The file system, and how many bytes were read from it. */
function counting() {
  const found = { read: 0 }
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    readFileSync(path) {
      const bytes = nodeFileSystem.readFileSync(path)
      found.read += bytes.length
      return bytes
    },
    readSync(...args) {
      const count = nodeFileSystem.readSync(...args)
      found.read += count
      return count
    },
  }
  return { found, fileSystem }
}

test('reading from near the end of a long session reads what watching from there reads', async () => {
  const { found, fileSystem } = counting()
  await using at = await place({ fileSystem })
  const count = times({ quick: 300, ci: 3_000 })
  await fill(at.store, 'one', count)
  const [last, from] = [count + 2, count - 3]
  const read: number[] = []
  found.read = 0
  for await (const { seq } of at.store.read('one', { fromSeq: from })) read.push(seq)
  const byReading = found.read
  const watched: number[] = []
  const stop = new AbortController()
  found.read = 0
  for await (const item of at.store.watch('one', from, { signal: stop.signal }) as AsyncIterable<WatchItem>) {
    if (item.kind === 'event') watched.push(item.event.seq)
    if (item.kind === 'event' && item.event.seq === last) stop.abort()
  }
  expect(read).toEqual([from, from + 1, from + 2, from + 3, from + 4, last])
  expect(watched).toEqual(read)
  expect(byReading).toBeLessThanOrEqual(found.read * 1.1)
})
