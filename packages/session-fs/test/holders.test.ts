import { readFileSync, writeFileSync } from 'node:fs'
import { needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { ProcessIdentity } from '../src/index.ts'
import { startChild } from './child.ts'
import { opened, owner } from './children/events.ts'
import { linesOf, type Place, place } from './sample-sessions.ts'

/** The lock as if its holder had written this down of itself. */
function rewriteLock(at: Place, changes: Partial<ProcessIdentity>): void {
  const path = at.path('one.lock.1')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { process: ProcessIdentity }
  writeFileSync(path, JSON.stringify({ ...lock, process: { ...lock.process, ...changes } }))
}

const existing = { owner, expect: 'existing' } as const

describe.skipIf(process.platform !== 'linux')(
  needing(
    process.platform !== 'linux' && 'only on Linux',
    'a machine that gets another name while a session is written',
  ),
  () => {
    test('keeps it for its writer, and gives it free when that is killed', async () => {
      await using at = await place()
      const child = startChild('writer.ts', at.directory, '0', '1', 'one')
      await child.line((line) => line.startsWith('one '))
      rewriteLock(at, { host: 'the name before' })
      await expect(at.store.claim('one', existing)).rejects.toMatchObject({ code: 'session_busy' })
      child.signal('SIGKILL')
      await child.ended
      const { writer, report } = await at.store.claim('one', existing)
      expect(report.findings.map(({ what }) => what)).not.toContain('taken_over')
      await writer.release()
    })
  },
)

describe('a session that is held', () => {
  async function held(changes: Partial<ProcessIdentity>): Promise<Place> {
    const at = await place()
    const { writer } = await at.store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    rewriteLock(at, changes)
    return at
  }

  test.each<[string, Partial<ProcessIdentity>]>([
    ['another machine of the same name', { bootId: 'another boot', machineId: 'another machine' }],
    ['a machine of the same name that does not say which it is', { bootId: 'another boot', machineId: null }],
    ['another container', { pidNamespace: 'pid:[7]' }],
  ])('on %s is not displaced unasked, and says what can be done', async (_where, changes) => {
    await using at = await held(changes)
    await expect(at.open().claim('one', existing)).rejects.toMatchObject({
      code: 'session_busy',
      message: expect.stringMatching(/cannot be told from here.* or take it over\.$/),
    })
    await expect(at.open().delete('one')).rejects.toThrow(/cannot be told from here.*take it over, first/)
    const { writer, report } = await at.open().claim('one', { ...existing, takeover: true })
    expect(report.findings[0]).toMatchObject({ what: 'taken_over' })
    expect(report.findings[0]?.message).toMatch(
      /taken over from process \d+ on .* \(child\).* cannot be told from here whether it still runs/,
    )
    await writer.release()
    expect(await linesOf(at.store, 'one')).toHaveLength(1)
  })

  test('by a process that runs here is not taken over without saying so', async () => {
    await using at = await held({})
    const { writer, report } = await at.open().claim('one', { ...existing, takeover: true })
    expect(report.findings.map(({ what, message }) => `${what}: ${message}`)).toContainEqual(
      expect.stringMatching(`^taken_over: .*process ${process.pid} on .*, which is still running`),
    )
    await writer.release()
    const again = await at.open().claim('one', { ...existing, takeover: true })
    expect(again.report.findings.map(({ what }) => what)).not.toContain('taken_over')
    await again.writer.release()
  })
})
