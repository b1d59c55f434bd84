import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSessionEvent, readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireScriptLine } from '@loader/test-harness/wire'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi, sample } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

/** Goes on writing for as long as it lives, whatever happens to who has started it. */
const busy = 'while true; do date +%N >> ticks; sleep 0.05; done'

const model: WireScriptLine = ({ messages }) => {
  const results = messages.flatMap((message) => message.results)
  if (results.length === 0) return line('I write.', call('write', { file_path: 'first.txt', content: 'first\n' }))
  if (results.length === 1) return line('I run it.', call('bash', { command: busy }))
  if (results.length === 2) return line('I write.', call('write', { file_path: 'second.txt', content: 'second\n' }))
  return line('It is done.')
}

const flags = ['--permission-mode', 'danger-full-access', '--lease', '3']

describe.runIf(fromCi)('a worker that stands still for longer than its lease', { timeout: 180_000 }, () => {
  test.each(sample(['the same machine', 'another machine'], { quick: 1, ci: 1 }))(
    'writes nothing more when it goes on, neither events nor into the files that a worker on %s goes on with',
    async (where) => {
      await using fleet = await fleetStage(server, ...Array.from({ length: 50 }, () => model))
      fleet.one.write('README', 'A project.\n')
      const { stdout } = await fleet.one.run(['run', 'Do it.', '--detach'], { environment: fleet.environment })
      const id = stdout.trim()
      const paused = fleet.worker(flags, 'machine-1')
      const first = join(fleet.folderOn('machine-1'), '..', id)
      await expect.poll(() => existsSync(join(first, 'ticks'))).toBe(true)
      paused.process.kill('SIGSTOP')
      const machine = where === 'the same machine' ? 'machine-1' : 'machine-2'
      const next = fleet.worker(flags, machine)
      await expect.poll(async () => (await fleet.dispatch.fleet()).sessions).toEqual([])
      const [, second = ''] = /took \S+ in (\S+)/.exec(next.said()) ?? []
      expect(second).not.toBe(first)
      const before = await readSession(fleet.store, id)
      expect(outcomesOf(before)).toEqual(['ok', 'unknown', 'ok'])
      paused.process.kill('SIGCONT')
      await expect.poll(() => paused.said()).toContain(`lost ${id}`)
      paused.process.kill('SIGTERM')
      expect((await paused.ended).code).toBe(0)
      // Its command has ended with its lease, and the files of the other one are as that left them.
      const ticks = readFileSync(join(first, 'ticks'), 'utf8')
      expect((await readSession(fleet.store, id)).history).toEqual(before.history)
      expect(existsSync(join(second, 'ticks'))).toBe(false)
      expect(readFileSync(join(second, 'second.txt'), 'utf8')).toBe('second\n')
      expect(existsSync(join(first, 'second.txt'))).toBe(false)
      expect(readFileSync(join(first, 'ticks'), 'utf8')).toBe(ticks)
      next.process.kill('SIGTERM')
      expect((await next.ended).code).toBe(0)
    },
  )
})

function outcomesOf({ history }: Awaited<ReturnType<typeof readSession>>): readonly string[] {
  return history.filter(isSessionEvent).flatMap((event) => (event.type === 'tool.finished' ? [event.outcome] : []))
}
