import { execFile } from 'node:child_process'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, rename, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { bashTool } from '../src/index.ts'
import { noNamespace } from './bubblewrap.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

const sandboxes = [
  { name: 'a namespace', options: {}, skip: noNamespace !== undefined },
  { name: 'a group', options: { bubblewrap: null }, skip: false },
] as const

describe('looking at a command', () => {
  test('tells the command as it will run, its folder, and nothing about what it does', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'src/a': '' } })
    const tool = bashTool({ root: workspace.root })
    expect(await examineValid(tool, { command: 'rm -rf /', cwd: 'src' })).toMatchObject({
      effect: 'unknown',
      command: 'rm -rf /',
      preview: 'rm -rf /\n(in src, for at most 120 s)',
      paths: [{ path: realpathSync(workspace.path('src')), inside: true }],
      intent: [],
    })
    expect(tool.effect).toBeUndefined()
  })

  test.each([
    ['an empty command', { command: ' \n' }, 'empty'],
    ['a folder that is not there', { command: 'ls', cwd: 'missing' }, 'There is no folder missing'],
    ['a file for a folder', { command: 'ls', cwd: 'a' }, 'There is no folder a'],
  ])('refuses %s', async (_, input, message) => {
    await using workspace = await temporaryWorkspace({ files: { a: '' } })
    expect(await refusalOf(bashTool({ root: workspace.root }), input)).toContain(message)
  })

  test('takes no time limit beyond an hour', async () => {
    await using workspace = await temporaryWorkspace()
    await expect(refusalOf(bashTool({ root: workspace.root }), { command: 'ls', timeout: 7200 })).rejects.toThrow(
      '3600',
    )
  })
})

describe.each(sandboxes)('a command in $name', ({ options, skip }) => {
  /** The same in every sandbox; a namespace takes long to make. */
  const alike = { skip: skip || (!fromCi && !('bubblewrap' in options)) }
  const runs = { skip }
  const run = async (input: object, more = {}) => {
    await using workspace = await temporaryWorkspace({ files: { 'src/a.txt': 'a\n' } })
    return await perform(bashTool({ root: workspace.root, ...options, ...more }), input)
  }

  /** With a time limit within which it came to print; how much this machine needs for that is not known before. */
  const runLongEnough = async (command: string, more = {}) => {
    for (let timeout = 0.3; ; timeout *= 3) {
      const result = await run({ command, timeout }, more)
      if (result.text.startsWith('begun\n')) return result
    }
  }

  test('shows what it printed, in the order in which it did', runs, async () => {
    const { outcome, text, metadata } = await run({ command: 'echo 1; echo 2 >&2; echo 3; echo 4 >&2' })
    expect([outcome, text]).toEqual(['ok', '1\n2\n3\n4'])
    expect(metadata).toMatchObject({ exitCode: 0, ended: 'exited', truncated: false, bytes: 8 })
    expect(metadata).toHaveProperty('durationMs', expect.any(Number))
  })

  test('fails with its exit code', alike, async () => {
    expect(await run({ command: 'ls; exit 3' })).toMatchObject({
      outcome: 'failed',
      text: 'src\n[Exit code 3.]',
      metadata: { exitCode: 3 },
    })
  })

  test('fails with the signal that ended it', alike, async () => {
    const { text, metadata } = await run({ command: 'kill -SEGV $$' })
    expect(text).toContain('[Exit code 139 (SIGSEGV).]')
    expect(metadata).toMatchObject({ exitCode: 139, signal: 'SIGSEGV' })
  })

  test('that prints nothing says so', alike, async () => {
    expect(await run({ command: 'true' })).toMatchObject({ outcome: 'ok', text: '(no output)' })
  })

  test('runs in its folder, with what it is given of the environment', alike, async () => {
    const variables = { ...process.env, LANGUAGE: 'kept', MY_TOKEN: 'no', PASSED_KEY: 'yes' }
    const command = 'pwd; echo "$LANGUAGE ${MY_TOKEN-none} $PASSED_KEY"'
    const { text } = await run({ command, cwd: 'src' }, { variables, passVariables: ['PASSED_KEY'] })
    expect(text).toMatch(/\/src\nkept none yes$/)
  })

  test('has time to clean up when its time is over', alike, async () => {
    const command = 'trap "echo cleaned; exit 0" TERM; echo begun; sleep 600 & wait'
    const { outcome, text, metadata } = await runLongEnough(command, { graceMs: 60_000 })
    expect([outcome, text]).toMatchObject(['failed', expect.stringMatching(/^begun\ncleaned\n\[It was stopped after/)])
    expect(metadata).toMatchObject({ exitCode: null, ended: 'timed_out', signal: 'SIGTERM' })
  })

  test('is killed when it does not care', alike, async () => {
    const { metadata } = await runLongEnough('trap "" TERM; echo begun; sleep 600', { graceMs: 100 })
    expect(metadata).toMatchObject({ ended: 'timed_out', signal: 'SIGKILL' })
  })

  test('is interrupted when it is cancelled, with what it had printed', runs, async () => {
    await using workspace = await temporaryWorkspace()
    const stopping = new AbortController()
    const onOutput = () => stopping.abort()
    const context = await toolContext({ signal: stopping.signal, onOutput })
    const tool = bashTool({ root: workspace.root, ...options })
    const result = await perform(tool, { command: 'echo begun; sleep 600' }, context)
    expect(result).toMatchObject({ outcome: 'interrupted', metadata: { ended: 'cancelled' } })
    expect(result.text).toMatch(/^begun\n/)
  })

  test('does not start when it is cancelled before', alike, async () => {
    await using workspace = await temporaryWorkspace()
    const context = await toolContext({ signal: AbortSignal.abort() })
    const result = await perform(bashTool({ root: workspace.root, ...options }), { command: 'touch f' }, context)
    expect(result.outcome).toBe('interrupted')
    expect(await workspace.files()).toEqual({})
  })

  test('is heard while it runs, in whole characters', alike, async () => {
    await using workspace = await temporaryWorkspace()
    const heard: string[] = []
    const onOutput = (chunk: string) => {
      heard.push(chunk)
      writeFileSync(workspace.path(`heard${heard.length}`), '')
    }
    const context = await toolContext({ onOutput })
    // It goes on when what it said before was heard.
    const said = (number: number) => `until [ -e heard${number} ]; do sleep 0.01; done`
    const command = `printf 'a\\xe2\\x82'; ${said(1)}; printf '\\xacb'; ${said(2)}; printf 'end\\xe2'`
    const { text } = await perform(bashTool({ root: workspace.root, ...options }), { command }, context)
    expect(heard.slice(0, 2)).toEqual(['a', '€b'])
    expect(heard.join('')).toBe('a€bend\ufffd')
    expect(text).toBe('a€bend\ufffd')
  })

  test('is ended when whoever listens fails, and the failure is told', alike, async () => {
    await using workspace = await temporaryWorkspace()
    const onOutput = () => {
      throw new Error('The screen is gone.')
    }
    const context = await toolContext({ onOutput })
    const running = perform(
      bashTool({ root: workspace.root, ...options }),
      { command: 'echo a; sleep 3000', timeout: 3600 },
      context,
    )
    await expect(running).rejects.toThrow('The screen is gone.')
  })

  test('cuts a long output in the middle, between characters, and says how much is missing', alike, async () => {
    const { text, metadata } = await run({ command: "echo begin; yes 'é' | head -100000; echo end" })
    expect(text).toMatch(/^begin\né\n[^]*\n\[… 270,0\d\d bytes were cut here …\]\n[^]*é\nend$/)
    expect(text).not.toContain('\ufffd')
    expect(metadata).toMatchObject({ truncated: true, bytes: 300_010 })
  })

  test('can write more than a pipe holds just before it ends', alike, async () => {
    const { text } = await run({ command: 'head -c 25000 /dev/zero | tr "\\0" x; exit 0' })
    expect(text).toBe('x'.repeat(25_000))
  })
})

describe('what is not run', () => {
  test('is a command whose folder leads elsewhere by now', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/x': '', 'b/x': '' } })
    const tool = bashTool({ root: workspace.root })
    await symlink('a', workspace.path('way'))
    const examined = await examineValid(tool, { command: 'touch done', cwd: 'way' })
    await rename(workspace.path('way'), workspace.path('old'))
    await symlink('b', workspace.path('way'))
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'failed' })
    expect(existsSync(workspace.path('b/done'))).toBe(false)
  })

  test('is a command whose folder is gone', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/x': '' } })
    const tool = bashTool({ root: workspace.root })
    const examined = await examineValid(tool, { command: 'ls', cwd: 'a' })
    await rename(workspace.path('a'), workspace.path('b'))
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'failed' })
  })
})

describe('where bubblewrap does not work', () => {
  test('a command runs all the same, and says what cannot be promised', async () => {
    await using workspace = await temporaryWorkspace()
    await mkdir(workspace.path('bin'))
    await workspace.write(
      'bin/bwrap',
      '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n',
    )
    await chmod(workspace.path('bin/bwrap'), 0o755)
    const tool = bashTool({ root: workspace.root, bubblewrap: workspace.path('bin/bwrap') })
    const { outcome, text, metadata } = await perform(tool, { command: 'sleep 600 & echo here' })
    expect(outcome).toBe('ok')
    expect(text).toMatch(
      /^here\n\[It left processes running.*\]\n\[That cannot be promised: bubblewrap does not work here/,
    )
    expect(metadata).toMatchObject({
      sandbox: 'group',
      notPromised: expect.stringContaining('No permissions to create a new namespace'),
    })
  })

  test(
    needing(noNamespace, 'because the system forbids namespaces, that is found out'),
    { skip: noNamespace !== undefined },
    async () => {
      await using workspace = await temporaryWorkspace()
      // In here nobody can make any.
      const jail = '--unshare-user --uid 1000 --disable-userns --dev-bind / / --proc /proc'.split(' ')
      const program = fileURLToPath(new URL('children/run-command.ts', import.meta.url))
      const runner = [process.execPath, '--conditions=@loader/source', '--disable-warning=ExperimentalWarning', program]
      const { stdout } = await promisify(execFile)('bwrap', [
        ...jail,
        ...runner,
        workspace.root,
        'with',
        'wait',
        'echo here',
      ])
      expect(stdout).toMatch(/^here\nok group bubblewrap does not work here \(bwrap: /)
    },
  )

  test('because it is something else, a command fails at once', async () => {
    await using workspace = await temporaryWorkspace()
    await workspace.write('bwrap', '#!/bin/sh\ncase "$*" in *status-fd*) echo nonsense >&4; sleep 600;; esac\n')
    await chmod(workspace.path('bwrap'), 0o755)
    const tool = bashTool({ root: workspace.root, bubblewrap: workspace.path('bwrap') })
    const { outcome, text } = await perform(tool, { command: 'echo here' })
    expect([outcome, text]).toEqual(['failed', '[It could not be started: bubblewrap did not say what it had made]'])
  })

  test('because it is not there, a command runs all the same', async () => {
    await using workspace = await temporaryWorkspace()
    const tool = bashTool({ root: workspace.root, bubblewrap: '/nowhere/bwrap' })
    expect(await perform(tool, { command: 'echo here' })).toMatchObject({
      outcome: 'ok',
      metadata: { sandbox: 'group' },
    })
  })
})
