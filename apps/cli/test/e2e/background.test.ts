import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { wallsAround } from '@loader/workspace'
import { expect, test } from 'vitest'
import { stage } from './stage/stage.ts'

const { state } = await wallsAround({ root: '/nowhere' }).state()
const served = {
  command: `node -e "require('http').createServer((a, b) => b.end('hello')).listen(4173)"`,
  background: true,
}
const rest = { ...line('It runs.'), repeat: 'any' } as const

test.runIf(fromCi && state === 'held')(
  'a command that is kept goes on without loader, is listed, and is stopped',
  async () => {
    await using one = await stage(
      line('I start it.', call('bash', served), call('background', { action: 'wait', port: 4173, timeout: 60 })),
      rest,
    )
    const run = (...words: string[]) => one.runBuilt(words, { environment: { LOADER_WALLS: 'required' } })
    const flags = ['--mode', 'execute', '--config', 'completionCheck=false']
    const listed = async () => JSON.parse((await run('ps', '--json')).stdout).commands
    try {
      const ended = await run('-p', 'Start the server.', '--tools', 'background:keep', ...flags)
      expect([ended.code, ended.stdout.trim()]).toEqual([0, 'It runs.'])
      expect(await listed()).toMatchObject([
        { id: 'bg1', command: served.command, keeps: true, ports: [{ port: 4173, on: 'session' }] },
      ])
      expect((await run('ps')).stdout).toContain('port 4173 of its session')
      expect((await run('doctor')).stdout).toMatch(/background +off/)
      expect(await run('stop', 'bg7')).toMatchObject({ code: 2 })
    } finally {
      expect(await run('stop', 'bg1')).toMatchObject({ code: 0, stdout: 'bg1 was stopped.\n' })
    }
    expect(await listed()).toEqual([])
    // What became of it is recorded by the next run, also by one that starts none.
    await run('-c', '-p', 'Go on.', ...flags)
    expect((await run('show')).stdout).toContain('bg1 was stopped')
    expect(JSON.stringify(one.server.requests.at(-1)?.request)).toContain('[BACKGROUND] bg1')
  },
)

test('tools that do not exist are refused with those that do', async () => {
  await using one = await stage(rest)
  const ended = await one.runHere(['-p', 'Hello', '--tools', 'background,browser'])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--tools browser: there are background, background:keep, fetch, agent.')
})
