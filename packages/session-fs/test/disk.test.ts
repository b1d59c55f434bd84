import fileSystem from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { type CommitMode, Disk, systemDisk } from '../src/disk/disk.ts'

/** A disk whose flushes take what they are told to, by a clock that nothing else moves. */
function fakeDisk(commit: CommitMode = 'auto') {
  const told = { costMs: 0.1, inline: 0, pooled: 0 }
  let now = 0
  const disk = new Disk({
    fileSystem: {
      ...fileSystem,
      fdatasyncSync: () => {
        now += told.costMs
        told.inline += 1
      },
      fdatasync: (_fd, done) => {
        now += told.costMs
        told.pooled += 1
        setImmediate(done, null)
      },
    },
    commit,
    ticks: () => now,
    platform: 'linux',
  })
  const commits = async (count: number, costMs: number) => {
    Object.assign(told, { costMs, inline: 0, pooled: 0 })
    for (let index = 0; index < count; index += 1) {
      if (disk.flushesInline) disk.flushInline(0)
      else await disk.flushInPool(0)
    }
    return { inline: told.inline, pooled: told.pooled }
  }
  return { disk, commits }
}

test.runIf(process.platform === 'linux')('reading back what a new file holds leaves no time of access', async () => {
  await using workspace = await temporaryWorkspace()
  const path = workspace.path('new')
  const disk = systemDisk()
  const fd = disk.openNew(path)
  disk.writeAll(fd, Buffer.from('text'), 0)
  fileSystem.utimesSync(path, 1, 2)
  expect(fileSystem.readSync(fd, Buffer.alloc(4), 0, 4, 0)).toBe(4)
  const { atimeMs, mode } = fileSystem.statSync(path)
  expect({ atimeMs, mode: mode & 0o777 }).toEqual({ atimeMs: 1000, mode: 0o600 })
  fileSystem.closeSync(fd)
})

describe('where a flush waits for the disk', () => {
  test('is the thread of the caller while flushes are cheap', async () => {
    const { commits } = fakeDisk()
    expect(await commits(1000, 0.2)).toEqual({ inline: 1000, pooled: 0 })
  })

  test('is the thread pool after a few slow ones, until they are cheap again', async () => {
    const { commits } = fakeDisk()
    await commits(100, 0.1)
    const slow = await commits(100, 20)
    expect(slow.inline).toBeLessThanOrEqual(3)
    const cheap = await commits(100, 0.1)
    expect(cheap.pooled).toBeLessThan(40)
    expect(await commits(100, 0.1)).toEqual({ inline: 100, pooled: 0 })
  })

  test('is the thread pool from the second flush on where even the first was slow', async () => {
    const { commits } = fakeDisk()
    expect(await commits(100, 8)).toEqual({ inline: 1, pooled: 99 })
  })

  test('stays where it is when a single flush is slow', async () => {
    const { commits } = fakeDisk()
    await commits(100, 0.1)
    expect(await commits(1, 50)).toEqual({ inline: 1, pooled: 0 })
    expect(await commits(100, 0.1)).toEqual({ inline: 100, pooled: 0 })
  })

  test.each(['inline', 'pool'] as const)('is always the same when it is told: %s', async (commit) => {
    const { commits } = fakeDisk(commit)
    const { inline, pooled } = await commits(50, 10)
    expect(commit === 'inline' ? inline : pooled).toBe(50)
  })
})

describe('between two flushes in the thread of the caller', () => {
  test('the event loop has its turn, however many wait for theirs', async () => {
    const { disk } = fakeDisk()
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 50) setImmediate(count)
    }
    setImmediate(count)
    const seen: number[] = []
    const writer = async () => {
      for (let index = 0; index < 3; index += 1) {
        await disk.flush(0)
        seen.push(turns)
      }
    }
    await Promise.all([writer(), writer(), writer()])
    expect(new Set(seen).size).toBe(9)
  })

  test('nobody waits who comes after that turn', async () => {
    const { disk } = fakeDisk()
    disk.flushInline(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(disk.turn).toBeUndefined()
  })
})
