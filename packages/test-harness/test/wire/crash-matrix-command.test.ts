import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fromCi, needing, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { temporaryWorkspace } from '../../src/index.ts'
import { commandMatrix, wireServer } from '../../src/wire.ts'
import { run } from './command.ts'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0
const agent = `python3 ${here('foreign-agent.py')} 'Pay Ann and Bob'`
const check = `python3 ${here('foreign-agent-check.py')}`

async function matrixOver(env: Readonly<Record<string, string>>, ...more: readonly string[]) {
  await using folder = await temporaryWorkspace()
  const report = folder.path('report.json')
  const args = [here('pay.json'), '--run', agent, '--resume', agent, '--check', check, '--report', report, ...more]
  const end = await run('crash-matrix', args, env)
  return { ...end, report: JSON.parse(await folder.read('report.json')) }
}

const boundaries = [1, 2, 3].flatMap((request) => [
  `request ${request}, before its answer`,
  `request ${request}, after its answer`,
])

// The agent is written in Python on purpose: without python3 there is nothing that could be tried.
describe.skipIf(!hasPython)(
  needing(!hasPython && 'python3 is not installed', 'loader-crash-matrix over an agent in Python'),
  () => {
    test.runIf(fromCi)('finds nothing when the agent keeps what it did and looks before it does it again', async () => {
      const places = sample([1, 2, 3, 4, 5, 6], { quick: 2 })
      const { code, stdout, report } = await matrixOver({}, '--only', places.join())
      const ending = `at ${places.length} boundaries: ok`
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(ending) })
      const tried = places.map((place) => boundaries[place - 1])
      expect(report).toMatchObject({ ok: true, requests: 3, failed: [] })
      expect(report.results.map(({ name }: { name: string }) => name)).toEqual(['no crash', ...tried])
      for (const name of tried) expect(stdout).toMatch(new RegExp(`${name} +ok`))
    })

    const protocols = ['responses', 'anthropic', 'gemini', 'ollama']
    test.runIf(fromCi).each(sample(protocols, { quick: 1, ci: 2 }))(
      'finds nothing over %s either, and says what it did not try',
      async (protocol) => {
        const { code, stdout, report } = await matrixOver({ AGENT_PROTOCOL: protocol })
        expect({ code, failed: report.failed }).toEqual({ code: 0, failed: [] })
        expect(report.results.map(({ name }: { name: string }) => name)).toEqual(['no crash', ...boundaries])
        expect(report.untried).toEqual([
          expect.stringMatching(/^the time inside of a tool: the agent is killed at once/),
        ])
        expect(stdout).toContain('not tried: the time inside of a tool')
      },
    )

    test.runIf(fromCi).each(protocols)('finds a history over %s that no provider takes', async (protocol) => {
      const { code, report } = await matrixOver({ AGENT_PROTOCOL: protocol, AGENT_BUG: 'forget' }, '--only', '3')
      expect(code).toBe(1)
      expect(report.results[1].problems.join('\n')).toMatch(/broke the rule callsAnswered at message [12]/)
      expect(report.untried[0]).toBe('5 other boundaries')
    })

    test('finds the boundary at which an agent that keeps results too late pays twice', async () => {
      const { code, stdout, report } = await matrixOver({ AGENT_BUG: 'late' }, '--only', '3,5')
      expect(code).toBe(1)
      expect(report.failed).toEqual(['request 2, before its answer', 'request 3, before its answer'])
      expect(report.results[1].problems).toEqual(['the check exited with 1: paid Ann, Ann, Bob'])
      expect(stdout).toContain('2 boundaries, 2 failed: request 2, before its answer; request 3, before its answer')
    })

    test.runIf(fromCi)(
      'finds the boundary at which an agent forgets a result and sends a history that no provider takes',
      async () => {
        const { code, report } = await matrixOver({ AGENT_BUG: 'forget' }, '--only', '3')
        expect(code).toBe(1)
        expect(report.failed).toEqual(['request 2, before its answer'])
        expect(report.results[1].problems.join('\n')).toContain('broke the rule callsAnswered at message 1')
      },
    )
  },
)

describe('loader-crash-matrix', () => {
  const script = (folder: { path: (name: string) => string }) => folder.path('script.json')
  const ask = `node -e "fetch(process.env.OLLAMA_HOST + '/api/chat', { method: 'POST', body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }) }).then((response) => response.text())"`

  async function matrix(run_: string, resume: string, check_: string, ...more: readonly string[]) {
    await using folder = await temporaryWorkspace({ files: { 'script.json': '{"lines": [{"text": "Hi."}]}' } })
    return await run('crash-matrix', [script(folder), '--run', run_, '--resume', resume, '--check', check_, ...more])
  }

  test.runIf(fromCi)('does not begin when the agent fails without a crash', async () => {
    const { code, stdout } = await matrix(`${ask} && exit 3`, 'exit 0', 'exit 0')
    expect(code).toBe(1)
    expect(stdout).toMatch(/no crash +FAILED\n +the run exited with 3/)
    expect(stdout).toContain('at 0 boundaries, 1 failed: no crash')
  })

  test.runIf(fromCi)('tells when the agent asks nothing, and which lines are left', async () => {
    const { code, stdout } = await matrix('exit 0', 'exit 0', 'exit 0')
    expect(code).toBe(1)
    expect(stdout).toContain('line 1: "Hi."')
    expect(stdout).toContain('the agent asked nothing')
  })

  test.runIf(fromCi)('says that of the time inside of a tool a delay tries one moment', async () => {
    const { stdout } = await matrix(ask, ask, 'exit 0', '--delay', '50')
    expect(stdout).toContain('not tried: the time inside of a tool, but for the moment 50 ms behind each answer')
  })

  test.runIf(fromCi)('kills a resume that does not come to its end', async () => {
    const { code, stdout } = await matrix(ask, 'sleep 60 & wait', 'exit 0', '--only', '2', '--timeout', '1')
    expect(code).toBe(1)
    expect(stdout).toContain('the resume did not end within 1000 ms')
  })

  test.runIf(fromCi)('names a boundary that the agent does not come to, and one that is not there', async () => {
    const once = `[ "$LOADER_BOUNDARY" != "" ] || ${ask}`
    expect((await matrix(once, 'exit 0', 'exit 0', '--only', '1')).stdout).toContain(
      'the run was not killed at request 1, before its answer: it came to its end',
    )
    expect((await matrix(ask, ask, 'exit 0', '--only', '7')).stdout).toMatch(
      /boundary 7 +FAILED\n +it is not there: the agent has those from 1 to 2/,
    )
  })

  test('ends what it started when it is interrupted', async () => {
    await using seen = await wireServer({ lines: [{ text: 'Seen.' }] })
    const controller = new AbortController()
    const running = commandMatrix({
      script: { lines: [] },
      run: `${ask.replace('process.env.OLLAMA_HOST', `'${seen.url}'`)}; sleep 60`,
      resume: 'exit 0',
      check: 'exit 0',
      signal: controller.signal,
    })
    await seen.untilAsked(1)
    controller.abort()
    const { failures } = await running
    expect(failures.map(({ name }) => name)).toEqual(['no crash', 'interrupted'])
    expect(failures[0]?.problems[0]).toBe('the run was killed by a signal')
  })

  test('says what is missing', async () => {
    const { code, stderr } = await run('crash-matrix', [here('pay.json'), '--run', 'exit 0'])
    expect(code).toBe(2)
    expect(stderr).toContain('--resume is missing.')
  })
})
