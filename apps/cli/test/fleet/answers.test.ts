import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isSessionEvent, readSession } from '@loader/session-core'
import { recoveryReading } from '@loader/readings'
import { call, line } from '@loader/test-harness'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { otherSchemas } from '../../src/schemas/published.ts'
import { fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

describe.runIf(fromCi)('a task that was queued', { timeout: 180_000 }, () => {
  test('asks from afar what it needs, and goes on with another worker on another machine', async () => {
    const options = [{ label: 'red' }, { label: 'blue' }]
    await using fleet = await fleetStage(
      server,
      line('I write.', call('bash', { command: 'cat README > copy.txt' })),
      line('I ask.', call('ask_user', { question: 'Which colour?', options })),
      { ...line('It is blue.'), repeat: 'any' },
    )
    const { one, environment, dispatch } = fleet
    const run = (...words: readonly string[]) => one.run(words, { environment })
    const json = async (...words: readonly string[]): Promise<unknown> =>
      JSON.parse((await run(...words, '--json')).stdout)
    one.write('README', 'A project.\n')
    const queued = await run('run', 'Copy the README to copy.txt', '--detach')
    expect(queued).toMatchObject({ code: 0, stderr: '' })
    const id = queued.stdout.trim()
    expect(await run('answer', id, '--allow')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No question'),
    })

    // The first machine asks, and its worker ends: nothing but the database knows of the question.
    const first = fleet.worker(['--permission-mode', 'prompt'], 'machine-1')
    const following = await run('run', '-r', id)
    expect(following).toMatchObject({ code: 4, stderr: expect.stringContaining(`loader answer ${id}`) })
    await expect.poll(async () => (await dispatch.fleet()).sessions[0]?.standing).toBe('waiting')
    first.process.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    const asked = otherSchemas.answer.parse(await json('answer', id))
    expect(asked).toMatchObject({ session: id, kind: 'permit', title: 'bash', answered: false })
    expect(asked.text).toContain('cat README > copy.txt')
    const fleetThen = otherSchemas.fleet.parse(await json('fleet'))
    expect(fleetThen.counts).toEqual({ queued: 0, running: 0, waiting: 1, parked: 0 })
    expect(fleetThen.sessions[0]).toMatchObject({ id, reason: expect.stringContaining('may bash run?') })

    // Words are no permission. One answer is recorded, and no second one.
    expect(await run('answer', id, 'go', 'on')).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow') })
    expect(await run('answer', id, '--allow')).toMatchObject({ code: 0 })
    expect(await run('answer', id, '--deny')).toMatchObject({ code: 1, stderr: expect.stringContaining('No question') })

    const second = fleet.worker(['--permission-mode', 'prompt'], 'machine-2')
    expect(await run('run', '-r', id)).toMatchObject({ code: 4, stderr: expect.stringContaining('Which colour?') })
    expect((await run('answer', id)).stdout).toContain('- blue')
    expect(await run('answer', id, '--allow')).toMatchObject({ code: 2, stderr: expect.stringContaining('in words') })
    expect(await run('answer', id, 'blue')).toMatchObject({ code: 0 })
    const end = await run('run', '-r', id, '--json')
    expect(end.code).toBe(0)
    expect(JSON.parse(end.stdout)).toMatchObject({ session_id: id, result: expect.stringContaining('It is blue.') })
    expect(readFileSync(join(fleet.folderOn('machine-2'), '..', id, 'copy.txt'), 'utf8')).toBe('A project.\n')
    expect((await dispatch.fleet()).sessions).toEqual([])
    const { history, state } = await readSession(fleet.store, id)
    const answers = history.filter(isSessionEvent).filter((event) => event.type === 'question.answered')
    expect(answers).toMatchObject([
      { permit: 'allow', by: 'user' },
      { answer: 'blue', by: 'user' },
    ])
    expect(state.lastTurn?.reason).toBe('turn_complete')
    // Workers that left with a question have cut nothing off, nor have those who answered.
    const ends = recoveryReading(history).map(({ ended }) => ended)
    expect(ends.filter((ended) => ended === 'waiting')).toHaveLength(2)
    expect(ends).not.toContain('cut_off')
    second.process.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
  })

  test('is followed by whoever likes, who stops nothing by leaving', async () => {
    await using fleet = await fleetStage(
      server,
      line('I wait.', call('bash', { command: 'touch began; until test -e go; do sleep 0.1; done' })),
      { ...line('I have waited.'), repeat: 'any' },
    )
    const { one, environment } = fleet
    one.write('README', 'A project.\n')
    const port = await freePort()
    const flags = ['--permission-mode', 'danger-full-access', '--health-port', String(port)]
    const worker = fleet.worker(flags, 'machine-1')
    const health = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
      return response && { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    await expect.poll(async () => (await health('/ready'))?.status).toBe(200)
    expect(await health('/nothing')).toMatchObject({ status: 404 })
    const following = one.start(['run', 'Wait for the file go, and no longer.'], { environment })
    await expect.poll(async () => (await health('/'))?.body).toMatchObject({ live: true, ready: true, sessions: 1 })
    const id = (await fleet.store.list()).rows[0]?.id ?? ''
    const folder = join(fleet.folderOn('machine-1'), '..', id)
    await expect.poll(() => existsSync(join(folder, 'began'))).toBe(true)
    // While a worker has it, nobody can queue behind its back, nor answer what is not asked.
    expect(await one.run(['run', '-r', id, 'More.'], { environment })).toMatchObject({ code: 5 })
    following.process.kill('SIGINT')
    expect(await following.ended).toMatchObject({ code: 130, stderr: expect.stringContaining(`loader run -r ${id}`) })
    writeFileSync(join(folder, 'go'), '')
    const end = await one.run(['run', '-r', id], { environment })
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('I have waited.') })
    const second = await one.start(['worker', '--projects', '.', '--health-port', String(port)], { environment }).ended
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('--health-port') })
    const dumb = await one.run(['worker', '--projects', '.'], { environment: { ...environment, LOADER_MODEL: '' } })
    expect(dumb).toMatchObject({ code: 2, stderr: expect.stringContaining('No model was chosen') })
    worker.process.kill('SIGINT')
    expect((await worker.ended).code).toBe(0)
  })
})

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  listening.close()
  await once(listening, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
