import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { type EndedProgram, type ProgramRequest, runProgram } from '../src/processes/run-program.ts'
import { runOften } from '../src/processes/starter.ts'

interface Run extends EndedProgram {
  readonly output: string
}

async function run(how: typeof runOften, request: Partial<ProgramRequest>): Promise<Run> {
  const chunks: Uint8Array[] = []
  const onOutput = (chunk: Uint8Array) => (chunks.push(chunk), 'more' as const)
  const ended = await how({
    program: '/bin/sh',
    arguments: [],
    cwd: '/',
    variables: {},
    timeoutMs: 60_000,
    onOutput,
    ...request,
  })
  return { ...ended, output: Buffer.concat(chunks).toString('latin1') }
}

const shell = (script: string, request: Partial<ProgramRequest> = {}) =>
  run(runOften, { arguments: ['-c', script], ...request })
/** The process that started a program; the shell stands between where there is one. */
const starterOf = async () => Number((await shell('echo $PPID')).output)

describe.skipIf(process.platform !== 'linux')('a program that is one of many', () => {
  test('is started by one small process, which this one starts once', async () => {
    await starterOf()
    const [first, second] = [await starterOf(), await starterOf()]
    expect(first).not.toBe(process.pid)
    expect(second).toBe(first)
  })

  test('does, gets and gives what it would if it was started here', async () => {
    await using one = await temporaryWorkspace({ files: { "a 'b' $c\n/x": '' } })
    const words = ['plain', '', "it's", '$HOME `id` "x" \\', 'two\nlines', 'ünï → ✓', '-n', '*', '; exit 3']
    const variables = { A: "it's $B\n`id`", B: '', PATH: '/usr/bin:/bin' }
    const requests: Partial<ProgramRequest>[] = [
      { arguments: ['-c', String.raw`for each; do printf '%s\0' "$each"; done`, 'sh', ...words] },
      { arguments: ['-c', 'pwd; echo "$A-$B-$PATH"'], variables, cwd: one.path("a 'b' $c\n") },
      { arguments: ['-c', 'echo out; echo err >&2; exit 7'] },
      { arguments: ['-c', 'cat'] },
      { arguments: ['-c', 'head -c 5000000 /dev/zero'], variables },
      { arguments: ['-c', 'head -c 100000 /dev/zero >&2'], variables },
      { arguments: ['-c', String.raw`printf 'no end of line'`] },
      { arguments: ['-c', String.raw`printf '\n\n'`] },
    ]
    for (const request of requests) {
      const [there, here] = [await run(runOften, request), await run(runProgram, request)]
      const isSame = there.output === here.output
      expect({ request, isSame }).toEqual({ request, isSame: true })
      expect({ ...there, output: '' }).toEqual({ ...here, output: '' })
    }
  })

  test('is started here while another one runs, and where a shell cannot say what it gets', async () => {
    await starterOf()
    const [one, other] = await Promise.all([shell('sleep 0.2; echo $PPID'), shell('echo $PPID')])
    expect(Number(one.output)).not.toBe(process.pid)
    expect(Number(other.output)).toBe(process.pid)
    const odd = await shell('echo $PPID', { variables: { 'a%%': 'x' } })
    expect(Number(odd.output)).toBe(process.pid)
  })

  test('ends with all that it started when it is cancelled, has said enough or takes too long; the next gets another starter', async () => {
    await starterOf()
    const script = 'echo $$; sleep 600 & echo $!; wait'
    const ways: ((seen: () => void) => Partial<ProgramRequest>)[] = [
      () => ({ timeoutMs: 300 }),
      (seen) => {
        const controller = new AbortController()
        return { signal: controller.signal, onOutput: (chunk) => (take(chunk), seen(), controller.abort(), 'more') }
      },
      (seen) => ({ onOutput: (chunk) => (take(chunk), seen(), 'enough') }),
    ]
    let printed = ''
    const take = (chunk: Uint8Array) => (printed += Buffer.from(chunk).toString())
    for (const way of ways) {
      printed = ''
      const before = await starterOf()
      const { ending, output } = await shell(
        script,
        way(() => undefined),
      )
      expect(ending.how).not.toBe('exited')
      for (const pid of `${printed}${output}`.split('\n').filter((line) => line !== '')) await goneSoon(Number(pid))
      await goneSoon(before)
      expect(await starterOf()).not.toBe(before)
    }
  })

  test.for(['end', 'stay'] as const)('leaves no starter behind when this process is to %s', async (then) => {
    const program = fileURLToPath(new URL('children/starter.ts', import.meta.url))
    const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']
    const child = spawn(process.execPath, [...options, program, then], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    let starter = 0
    for await (const chunk of child.stdout) {
      starter = Number(String(chunk).trim())
      if (then === 'stay') child.kill('SIGKILL')
    }
    await closed
    expect(starter).toBeGreaterThan(1)
    expect(starter).not.toBe(child.pid)
    await goneSoon(starter)
  })
})

/** A zombie is gone, too: it is nobody's here to bury it. */
async function goneSoon(pid: number): Promise<void> {
  for (;;) {
    const stat = existsSync(`/proc/${pid}/stat`) ? textOf(`/proc/${pid}/stat`) : undefined
    if (stat === undefined || /\) [ZX]/.test(stat)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
