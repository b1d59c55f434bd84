import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { needing, sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { builtLoader } from './stage/built-loader.ts'
import { jsonLines, loaderNode, stage } from './stage/stage.ts'

test('closed output settles the turn without a message, and the session can be resumed', async () => {
  await using one = await stage(line('I look.', call('bash', { command: 'sleep 3000', timeout: 3600 })), {
    ...line('Done.'),
    repeat: 'any',
  })
  const running = one.start(['-p', 'Wait', '--output-format', 'stream-json', '--permission-mode', 'allow'])
  const [first] = await new Promise<Buffer[]>((resolve) =>
    running.process.stdout?.once('data', (chunk: Buffer) => resolve([chunk])),
  )
  running.process.stdout?.destroy()
  expect(String(first)).toContain('"subtype":"init"')
  const { code, stderr } = await running.ended
  expect([code, stderr]).toEqual([130, ''])
  const [row] = await one.sessions()
  expect(row).toMatchObject({ status: 'resting', lastReason: 'interrupted' })
  expect((await one.run(['-p', '-c', 'Hello!'])).code).toBe(0)
})

test('a command whose output is closed ends without a message', async () => {
  await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
  const command = `"${loaderNode}" "${builtLoader()}" help | head -n 1`
  const shell = (script: string) =>
    execFileSync('bash', ['-c', `set -o pipefail; ${script} 2>&1`], { cwd: one.project, encoding: 'utf8' })
  expect(shell(command)).toBe('A coding agent that loses nothing, and calls done only what was verified.\n')
})

test.skipIf(!existsSync('/dev/full'))(
  needing(
    !existsSync('/dev/full') && 'there is no /dev/full',
    'an output that cannot be written makes the run fail, which is said',
  ),
  async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const environment = {
      PATH,
      NODE_COMPILE_CACHE,
      LOADER_STATE: one.state,
      LOADER_CONFIG_DIR: one.config,
      XDG_CACHE_HOME: one.caches,
      LOADER_MODEL: 'ollama/scripted',
      OLLAMA_HOST: one.server.url,
    }
    for (const format of sample(['text', 'stream-json'], { quick: 1 })) {
      const words = `-p 'Hello!' --output-format ${format} > /dev/full < /dev/null`
      const ended = spawn('sh', ['-c', `"${loaderNode}" "${builtLoader()}" ${words}`], {
        cwd: one.project,
        env: environment,
      })
      const said: string[] = []
      ended.stderr.on('data', (chunk: Buffer) => said.push(String(chunk)))
      const [code] = (await once(ended, 'close')) as [number]
      expect([code, said.join('')]).toEqual([1, expect.stringMatching(/Standard output cannot be written: .*ENOSPC/)])
    }
  },
)

/** Why there is no small disk to fill; undefined when there is one. */
const obstacle = tryToMount()

function tryToMount(): string | undefined {
  const folder = join(tmpdir(), `loader-cli-mount-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    mount(folder, 64)
    unmount(folder)
    return undefined
  } catch (error) {
    return `a small file system cannot be mounted here, only root may (${String(error).split('\n')[0]})`
  }
}

function mount(folder: string, kilobytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'pipe' })
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
}

test.skipIf(obstacle !== undefined)(
  needing(obstacle, 'a full disk ends the turn with a last event that says so, and what was stored stays'),
  async () => {
    const filling = Array.from({ length: 40 }, (_unused, index) =>
      line(`Step ${index}. ${'x'.repeat(20_000)}`, call('read', { file_path: `absent-${index}.txt` })),
    )
    await using one = await stage(...filling)
    mkdirSync(one.state)
    mount(one.state, 1024)
    try {
      const words = [
        '-p',
        'Read many files',
        '--output-format',
        'json',
        '--config',
        'limits.maxToolErrors=100',
        '--config',
        'contextWindow=1000000',
      ]
      const { code, stdout } = await one.run(words)
      const [result] = jsonLines(stdout)
      expect(result).toMatchObject({
        type: 'result',
        is_error: true,
        loader: { turnFinished: 'storage_full', exitCode: 1 },
      })
      expect(code).toBe(1)
      const [row] = await one.sessions()
      expect(row).toMatchObject({ id: result?.['session_id'], status: 'resting', lastReason: 'storage_full' })
    } finally {
      unmount(one.state)
    }
  },
)

test.skipIf(obstacle !== undefined)(
  needing(obstacle, 'an answer that cannot be written into its file makes the run fail, and is printed all the same'),
  async () => {
    await using one = await stage(line('Here I am.'))
    writeFileSync(one.path('a-file'), '')
    const { code, stdout, stderr } = await one.run(['-p', 'Hello!', '-o', 'a-file/answer.txt'])
    expect([code, stdout]).toEqual([1, 'Here I am.\n'])
    expect(stderr).toMatch(/could not be written into a-file\/answer\.txt/)
  },
)
