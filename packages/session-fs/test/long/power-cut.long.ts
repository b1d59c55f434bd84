import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold, type StoredEvent } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FileSessionStore } from '../../src/index.ts'
import { startChild } from '../child.ts'
import { eventBy, owner } from '../children/events.ts'
import { CloningFolder, DiskImage, type ImageKind, lacks } from './disk-images.ts'

const cuts = Number(process.env['LOADER_CUTS'] ?? 50)
const sessions = ['inline', 'pool', 'auto']

/**
 * A store writes to a file system inside an image. At a random moment the image is cloned, at one instant, which is the
 * power cut: what the kernel had not handed to the disk by then is lost. The clone is mounted, and the store opens it.
 */
describe.each<ImageKind>(['ext4', 'ext4, data=writeback', 'xfs', 'btrfs'])('power cuts on %s', (kind) => {
  const lack = lacks(kind)
  const skipped = lack === undefined ? '' : ` (skipped: this machine lacks ${lack})`
  let folder: CloningFolder
  beforeAll(() => {
    if (lack === undefined) folder = new CloningFolder()
  })
  afterAll(() => folder?.[Symbol.dispose]())

  test.skipIf(lack !== undefined)(`lose nothing that was acknowledged${skipped}`, { timeout: 1_800_000 }, async () => {
    const count = { cuts: 0, acknowledged: 0, lost: 0, unacknowledgedKept: 0, findings: new Map<string, number>() }
    for (let round = 0; round < cuts; round += 1) {
      for (const { id, acknowledged, kept, findings } of await cut(kind, folder.path, 'flushing')) {
        count.acknowledged += acknowledged
        count.lost += Math.max(0, acknowledged - kept)
        count.unacknowledgedKept += Math.max(0, kept - acknowledged)
        for (const what of findings) count.findings.set(what, (count.findings.get(what) ?? 0) + 1)
        expect(kept, `${id}, cut ${round}`).toBeGreaterThanOrEqual(acknowledged)
      }
      count.cuts += 1
    }
    console.log(kind, count)
    expect([...count.findings.keys()].filter((what) => what !== 'torn_tail' && what !== 'missing_snapshot')).toEqual([])
  })
})

describe('a store that never flushes', () => {
  const lack = lacks('ext4')
  const skipped = lack === undefined ? '' : ` (skipped: this machine lacks ${lack})`

  test.skipIf(lack !== undefined)(
    `loses what it acknowledged, which shows here${skipped}`,
    { timeout: 300_000 },
    async () => {
      using folder = new CloningFolder()
      const found = await cut('ext4', folder.path, 'not-flushing')
      expect(found.map(({ acknowledged, kept }) => acknowledged - kept).some((lost) => lost > 0)).toBe(true)
    },
  )
})

interface Found {
  readonly id: string
  readonly acknowledged: number
  readonly kept: number
  readonly findings: readonly string[]
}

async function cut(kind: ImageKind, folder: string, flushing: 'flushing' | 'not-flushing'): Promise<Found[]> {
  await using workspace = await temporaryWorkspace()
  const numbers = workspace.path('numbers')
  writeFileSync(numbers, Buffer.alloc(sessions.length * 4))
  const clone = join(folder, 'clone')
  let before: Buffer
  {
    using image = DiskImage.make(kind, join(folder, 'image'))
    const seed = String(Math.floor(Math.random() * 1e9))
    const args = [join(image.mounted, 'sessions'), numbers, seed, flushing, ...sessions]
    const child = startChild('../long/cut-writer.ts', ...args)
    try {
      await child.line((line) => line === 'busy')
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1200))
      before = readFileSync(numbers)
      image.clone(clone)
    } finally {
      child.signal('SIGKILL')
      await child.ended
    }
  }
  using after = DiskImage.open(kind, clone)
  const found: Found[] = []
  for (const [index, id] of sessions.entries()) {
    found.push(await look(join(after.mounted, 'sessions'), id, before.readUInt32LE(index * 4)))
  }
  return found
}

/** Goes on with a session where the power went, and says how much of it is there. */
async function look(directory: string, id: string, acknowledged: number): Promise<Found> {
  const store = new FileSessionStore({ directory })
  const claim = await store.claim(id, { owner, expect: 'existing' }).catch((error: unknown) => String(error))
  if (typeof claim === 'string') return { id, acknowledged, kept: 0, findings: [claim] }
  const { writer, state, events, report } = claim
  const lines = await linesOf(store, id)
  expect(lines.length).toBe(fold(events, state)?.seq)
  expect(lines.slice(2)).toEqual(lines.slice(2).map((_line, index) => JSON.stringify(eventBy(id, index + 3))))
  await writer.append([eventBy(id, lines.length + 1)], 'flush')
  await writer.release()
  expect(await linesOf(store, id)).toHaveLength(lines.length + 1)
  return { id, acknowledged, kept: lines.length, findings: report.findings.map(({ what }) => what) }
}

async function linesOf(store: FileSessionStore, id: string): Promise<string[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id)) events.push(event)
  return events.map((event) => JSON.stringify(event))
}
