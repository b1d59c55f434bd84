import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { isSessionEvent, readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireScriptLine } from '@loader/test-harness/wire'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { plainGit } from '../written/plain-git.ts'
import { type FleetStage, fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

/** Each session runs one command that takes long, and then tells of it; a repeated request is answered again. */
const slow: WireScriptLine = ({ messages }) => {
  const task = messages.find(({ role }) => role === 'user')?.text ?? ''
  if (messages.some(({ results }) => results.length > 0)) return line('It was run.')
  const seconds = /quick/.test(task) ? 2 : 600
  const first = /stubborn/.test(task) ? "trap '' TERM INT HUP; " : ''
  const command = `${first}head -c 300000 /dev/urandom > made; echo x >> began; sleep ${seconds}; echo done`
  return line('I run it.', call('bash', { command }))
}

async function queued(fleet: FleetStage, text: string): Promise<string> {
  const { code, stdout } = await fleet.one.run(['run', text, '--detach'], { environment: fleet.environment })
  expect(code).toBe(0)
  return stdout.trim()
}

async function everyCallBegan(fleet: FleetStage, machine: string, ids: readonly string[]): Promise<void> {
  const folders = ids.map((id) => join(fleet.folderOn(machine), '..', id, 'began'))
  await expect.poll(() => folders.every((file) => existsSync(file))).toBe(true)
}

const full = ['--permission-mode', 'danger-full-access']

describe.runIf(fromCi)('a worker that is told to end', { timeout: 180_000 }, () => {
  test('under load gives every session back within its grace time, and another one goes on', async () => {
    await using fleet = await fleetStage(server, ...Array.from({ length: 50 }, () => slow))
    fleet.one.write('README', 'A project.\n')
    const ids = [
      await queued(fleet, 'Run the quick command.'),
      await queued(fleet, 'Run the long command.'),
      await queued(fleet, 'Run the stubborn command.'),
      await queued(fleet, 'Run the other long command.'),
    ]
    const worker = fleet.worker([...full, '--concurrency', '4', '--grace', '16'], 'machine-1')
    await everyCallBegan(fleet, 'machine-1', ids)
    worker.process.kill('SIGTERM')
    const ended = await worker.ended
    const [, took = 'nothing', of] = /every session was given back, in ([\d.]+) of (\d+) s/.exec(ended.stdout) ?? []
    expect({ code: ended.code, of, stdout: ended.stdout }).toMatchObject({ code: 0, of: '16' })
    // Two commands that would go on for ten minutes had half of it, and the machine the other half.
    console.log(`given back in ${took} s of ${of} s`)
    expect(Number(took)).toBeLessThan(16)
    const { sessions, workers } = await fleet.dispatch.fleet()
    expect(workers).toEqual([])
    expect(sessions.map(({ standing, kills }) => ({ standing, kills }))).toEqual(
      ids.map(() => ({ standing: 'queued', kills: 0 })),
    )
    for (const id of ids) expect(await fleet.store.holder(id)).toBeNull()
    const outcomes = await Promise.all(ids.map((id) => outcomesOf(fleet, id)))
    expect(outcomes[0]).toEqual(['ok'])
    expect(outcomes.slice(1)).toEqual([['interrupted'], ['interrupted'], ['interrupted']])
    // Nothing of it counts as an end of the turn: the next worker goes on where this one left.
    const next = fleet.worker(full, 'machine-2')
    await expect.poll(async () => (await fleet.dispatch.fleet()).sessions).toEqual([])
    for (const id of ids) {
      const { state, history } = await readSession(fleet.store, id)
      expect(state.lastTurn?.reason).toBe('turn_complete')
      expect(history.filter(({ type }) => type === 'turn.started')).toHaveLength(1)
      // What a command that was cut off had made by then came along.
      expect(statSync(join(fleet.folderOn('machine-2'), '..', id, 'made')).size).toBe(300_000)
    }
    next.process.kill('SIGTERM')
    expect((await next.ended).code).toBe(0)
  })

  test('while it prepares a folder leaves that at once, which is no kill', async () => {
    await using fleet = await fleetStage(server, ...Array.from({ length: 50 }, () => slow))
    // A remote that takes every question, and answers none.
    await using silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    fleet.one.write('README', 'A project.\n')
    const git = (...words: readonly string[]) => plainGit(fleet.one.project, words)
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-q', '-m', 'first')
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    git('remote', 'add', 'origin', `http://127.0.0.1:${(silent.address() as AddressInfo).port}/project.git`)
    const id = await queued(fleet, 'Run the quick command.')
    const asked = once(silent, 'connection')
    const worker = fleet.worker([...full, '--grace', '600'], 'machine-1')
    await asked
    await expect.poll(() => worker.said()).toContain('cloning')
    worker.process.kill('SIGTERM')
    expect(await worker.ended).toMatchObject({ code: 0, stdout: expect.stringContaining(`left ${id}`) })
    expect((await fleet.dispatch.fleet()).sessions).toMatchObject([{ id, standing: 'queued', kills: 0 }])
  })

  test('twice, ends at once, and its session is taken by another one', async () => {
    await using fleet = await fleetStage(server, ...Array.from({ length: 50 }, () => slow))
    const id = await queued(fleet, 'Run the long command.')
    const worker = fleet.worker([...full, '--grace', '600'], 'machine-1')
    await everyCallBegan(fleet, 'machine-1', [id])
    worker.process.kill('SIGTERM')
    await expect.poll(() => worker.said()).toContain('ending: SIGTERM')
    worker.process.kill('SIGTERM')
    expect((await worker.ended).code).toBe(143)
    expect((await fleet.dispatch.fleet()).sessions[0]).toMatchObject({ id, kills: 1 })
    // The dead process is of this machine: nobody waits for the end of its lease.
    const next = fleet.worker(full, 'machine-2')
    await expect.poll(async () => (await fleet.dispatch.fleet()).sessions).toEqual([])
    expect(await outcomesOf(fleet, id)).toEqual(['unknown'])
    next.process.kill('SIGTERM')
    await next.ended
  })
})

async function outcomesOf(fleet: FleetStage, id: string): Promise<readonly string[]> {
  const { history } = await readSession(fleet.store, id)
  return history.filter(isSessionEvent).flatMap((event) => (event.type === 'tool.finished' ? [event.outcome] : []))
}
