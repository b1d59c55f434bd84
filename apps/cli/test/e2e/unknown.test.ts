import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { SessionsOutput } from '@loader/readings'
import { describe, expect, test } from 'vitest'
import { type Stage, stage } from './stage/stage.ts'

const command = 'echo built > built.txt; touch begun; sleep 600'
const finish = (more: object = {}) => call('finish', { how: 'done', summary: 'All is built.', ...more })

/** The command was running when the process was killed; the rest is what the model says then. */
async function killedAndResumed(one: Stage) {
  const first = one.start(['-p', '--permission-mode', 'allow', 'Build it.'])
  await one.untilThere('begun')
  first.process.kill('SIGKILL')
  await first.ended
  return await one.run(['-p', '-c', '--permission-mode', 'allow'])
}

describe('a command that was cut off by a kill', () => {
  test('is listed as running while its process lives, and as cut off once that was killed, until resumed', async () => {
    await using one = await stage(line('I build.', call('bash', { command })), line('All is built.', finish()))
    const listed = async () => {
      const [row] = SessionsOutput.parse(JSON.parse((await one.runHere(['sessions', '--json'])).stdout)).sessions
      const { stdout } = await one.runHere(['sessions'])
      return [row?.status, row?.activity, /running|cut off|verified/.exec(stdout)?.[0]]
    }
    const first = one.start(['-p', '--permission-mode', 'allow', 'Build it.'])
    await one.untilThere('begun')
    expect(await listed()).toEqual(['open', 'running', 'running'])
    first.process.kill('SIGKILL')
    await first.ended
    expect(await listed()).toEqual(['open', 'cut_off', 'cut off'])
    await one.runHere(['-p', '-c', '--permission-mode', 'allow'])
    expect(await listed()).toEqual(['resting', 'resting', 'verified'])
  })

  test('is named with exit code 3 when the model says that all is done', async () => {
    await using one = await stage(line('I build.', call('bash', { command })), line('All is built.', finish()))
    const { code, stdout, stderr } = await killedAndResumed(one)
    expect(code).toBe(3)
    expect(`${stdout}${stderr}`).toContain(command)
  })

  test.runIf(fromCi)('is told with the call that has shown what became of it', async () => {
    const found = [{ call: command, shown_by: 'cat built.txt', what: 'built.txt was written' }]
    await using one = await stage(
      line('I build.', call('bash', { command })),
      line('I look.', call('bash', { command: 'cat built.txt' })),
      line('It was built.', finish({ found })),
      line('It was built.', finish({ found })),
    )
    const { code, stdout, stderr } = await killedAndResumed(one)
    expect(`${stdout}${stderr}`).toContain(
      `Of \`${command}\`, which was cut off, the model says: built.txt was written (shown by \`cat built.txt\`).`,
    )
    expect(code).toBe(0)
  })
})
