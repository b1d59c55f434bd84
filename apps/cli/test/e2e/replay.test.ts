import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { ReplayOutput } from '../../src/schemas/replay.ts'
import { stage } from './stage/stage.ts'

test.runIf(fromCi)(
  'a session is replayed without a difference, with the calls as recorded and run again in a copy',
  async () => {
    await using one = await stage(
      line(call('write', { file_path: 'hello.txt', content: 'hello\n' })),
      line(call('read', { file_path: 'hello.txt' })),
      line('It is written.'),
    )
    one.write('README.md', '# A project\n')
    mkdirSync(`${one.config}/copy`)
    cpSync(one.project, `${one.config}/copy`, { recursive: true })
    expect(await one.run(['-p', 'Create hello.txt', '--check', 'grep -q hello hello.txt'])).toMatchObject({ code: 0 })
    const stubbed = await one.run(['replay', '--json'])
    expect(stubbed).toMatchObject({ code: 0, stderr: '' })
    const { session, replayed, divergence } = ReplayOutput.parse(JSON.parse(stubbed.stdout))
    expect([divergence, replayed]).toEqual([null, session.seq])

    const again = await one.run(['replay', '--tools', 'rerun', '--workspace', `${one.config}/copy`])
    expect(again.stdout).toMatch(/the same all along/)
    expect(readFileSync(`${one.config}/copy/hello.txt`, 'utf8')).toBe('hello\n')
    const other = await one.run(['replay', '--tools', 'rerun', '--workspace', `${one.config}/copy`])
    expect(other.code).toBe(3)
    expect(other.stdout).toMatch(/another way[^]*At seq \d+, .*\n {2}recorded: .*\n {2}now: /)
  },
)

test('calls are never run again where the user works without a word', async () => {
  await using one = await stage(line('Here I am.'))
  await one.run(['-p', 'Hello!'])
  expect(await one.run(['replay', '--tools', 'rerun'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--workspace/),
  })
})
