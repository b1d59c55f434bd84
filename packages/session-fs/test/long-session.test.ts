import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fold, Session, type StoredEvent } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi, sample, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { checksum, hex } from '../src/format/checksum.ts'
import { startChild } from './child.ts'
import { opened, owner } from './children/events.ts'
import { linesOf, load, place } from './sample-sessions.ts'

const megabytes = times({ quick: 24, ci: 64, long: 1024 })
/** What the work may take besides Node and the package, which take 60 to 70 MB once they are built. */
const most = 130

async function told(
  how: string,
  directory: string,
): Promise<{ readonly last: number; readonly loaded: number; readonly megabytes: number }> {
  const child = startChild('long-session.ts', how, directory, `${megabytes}`)
  const line = await child.line((each) => each.startsWith('{'))
  await child.ended
  return JSON.parse(line)
}

describe.runIf(fromCi)(`a session of ${megabytes} MB`, () => {
  test(
    'is read, opened without a snapshot and verified with one segment in memory at a time',
    { timeout: 3_600_000 },
    async () => {
      await using workspace = await temporaryWorkspace()
      const directory = join(workspace.root, 'sessions')
      mkdirSync(directory)
      const { last } = await told('make', directory)
      rmSync(join(directory, 'long.json'))
      const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
      expect(bytes).toBeGreaterThan(megabytes * 1024 * 1000)
      const costs = {
        read: await told('read', directory),
        verify: await told('verify', directory),
        claim: await told('claim', directory),
      }
      console.log(`${Math.round(bytes / 1024 / 1024)} MB, ${last} events:`, costs)
      for (const cost of Object.values(costs)) {
        expect(cost.last).toBe(last)
        expect(cost.megabytes - cost.loaded).toBeLessThan(most)
      }
    },
  )
})

describe.runIf(fromCi)('a session of 130,000 events', () => {
  const many = 130_000
  const small = (seq: number): StoredEvent => ({
    type: 'custom.recorded',
    seq,
    at: opened('one').at,
    name: 'n',
    data: seq,
  })

  test.each(sample(['missing', 'of another version'] as const, { quick: 1 }))(
    'opens when its snapshot is %s',
    { timeout: 600_000 },
    async (snapshot) => {
      await using at = await place({ rotateAfterBytes: 256 * 1024 })
      const { writer } = await at.store.claim('one', { owner, expect: 'new' })
      const events = [opened('one'), ...Array.from({ length: many - 1 }, (_none, index) => small(index + 2))]
      await writer.append(events, 'flush')
      const state = fold(events.slice(0, 1))
      if (state === null) throw new Error('The first event opens the session.')
      await writer.save(state)
      await writer.release()
      if (snapshot === 'missing') rmSync(at.path('one.json'))
      else at.damage('one.json', ofAnotherVersion)
      const session: Session = await load(at.store, 'one')
      expect(session.state.seq).toBe(many + 1)
      await session.append({ type: 'session.titled', title: 'Long', by: 'user' })
      await session.close()
      expect(await linesOf(at.store, 'one', many)).toHaveLength(3)
    },
  )
})

/** The snapshot as a later version would have written it. */
function ofAnotherVersion(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8').replace('"stateVersion": ', '"stateVersion": 9')
  const body = text.slice(0, text.lastIndexOf(',\n"checksum"'))
  return Buffer.from(`${body},\n"checksum": "${hex(checksum(body))}"\n}\n`)
}
