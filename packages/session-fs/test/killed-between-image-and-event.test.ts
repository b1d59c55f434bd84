import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fold, ownerOf, type StoredEvent } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { FileSessionStore } from '../src/index.ts'
import { startChild } from './child.ts'

const owner = ownerOf('Agent')

test(
  'a writer of images that is killed before any of its calls loses nothing acknowledged, and leaves nothing for ever',
  { timeout: 300_000 },
  async () => {
    await using workspace = await temporaryWorkspace()
    const whole = startChild('image-writer.ts', workspace.path('whole'), 's', '0')
    expect(await whole.ended).toBe(0)
    const calls = whole.lines.filter((line) => line.startsWith('call '))
    // How many calls there are differs from run to run: some are made by the clock.
    const numbers = sample(
      calls.map((_call, index) => `${index + 1}`),
      { quick: 4, ci: 30 },
    )
    const events = ['event 1', 'event 2']
    for (const which of [...events, ...numbers]) {
      const directory = workspace.path(`killed-${which}`)
      const child = startChild('image-writer.ts', directory, 's', which)
      const ended = await child.ended
      if (ended !== 0) expect(ended).toBe('SIGKILL')
      const acknowledged = child.lines.flatMap((line) => /^acknowledged (.*)/.exec(line)?.[1] ?? [])
      const leftBehind = await lookAfter(directory, acknowledged)
      // Where the event comes next, the blob is there and nothing names it.
      if (events.includes(which)) expect([which, ended, leftBehind]).toEqual([which, 'SIGKILL', 1])
    }
  },
)

/** How many blobs without a name were there. */
async function lookAfter(directory: string, acknowledged: readonly string[]): Promise<number> {
  const store = new FileSessionStore({ directory })
  const before = await store.verify('s')
  expect(before).toMatchObject({ intact: true })
  const orphans = before.findings.filter(({ what }) => what === 'unnamed_blob').map(({ file }) => file)
  const { writer } = await store.claim('s', { owner, expect: 'existing' })
  for (const orphan of orphans) expect(existsSync(join(directory, orphan))).toBe(false)
  const events: StoredEvent[] = []
  for await (const event of store.read('s')) events.push(event)
  const text = JSON.stringify(events)
  for (const blob of acknowledged) {
    expect(text).toContain(blob)
    expect(await writer.blobs.get(blob)).toContain('image')
  }
  expect(fold(events)).not.toBeNull()
  await writer.release()
  expect(await store.verify('s')).toMatchObject({ intact: true, findings: [] })
  const blobs = join(directory, 's.blobs')
  for (const name of existsSync(blobs) ? readdirSync(blobs) : []) expect(text).toContain(name)
  return orphans.length
}
