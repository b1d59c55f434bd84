import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { jsonLines, type Stage, stage } from './stage/stage.ts'

const push = call('bash', { command: 'git push --force' })
const rest = { ...line('I could not push.'), repeat: 'any' } as const

test('a permission that no user can give is denied at once, and reported in the protocol of wrappers', async () => {
  await using one = await stage(line(push), rest)
  one.write('.loader/permission-rules.json', '{ "ask": ["Bash(git push:*)"] }')
  const { code, stdout } = await one.run([
    '-p',
    'Push it',
    '--permission-mode',
    'allow',
    '--output-format',
    'stream-json',
  ])
  const lines = jsonLines(stdout)
  expect(code).toBe(4)
  const [denied] = lines.filter(({ subtype }) => subtype === 'permission_denied')
  expect(denied).toMatchObject({
    tool_name: 'bash',
    message: expect.stringMatching(/permission-rules\.json:1.*this run is non-interactive/),
  })
  const input = { command: 'git push --force' }
  expect(lines.at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'bash', tool_input: input }] })
  const { history } = await one.session(String(lines[0]?.['session_id']))
  expect(history.filter(({ type }) => type === 'question.asked')).toEqual([])
})

test('a call that is denied in every run is not reported as a missing permission', async () => {
  await using one = await stage(line(push), line('It is not allowed.'))
  const flags = ['--disallowed-tools', 'Bash(git push:*)', '--config', 'completionCheck=false']
  const { code, stdout } = await one.run(['-p', 'Hello! Push it', ...flags, '--output-format', 'json'])
  expect(jsonLines(stdout)).toMatchObject([{ permission_denials: [{ tool_name: 'bash' }] }])
  expect(code).not.toBe(4)
})

test('a project that is not trusted widens nothing, and says what it tried', async () => {
  await using one = await stage(line(push), rest)
  one.write(
    '.loader/settings.json',
    '{ "permissionMode": "danger-full-access", "limits": { "maxIterations": 500 }, "compaction": "model" }',
  )
  one.write('.loader/permission-rules.json', '{ "allow": ["Bash"] }')
  const untrusted = await one.run(['-p', 'Push it', '--output-format', 'events'])
  const policy = jsonLines(untrusted.stdout).find(({ type }) => type === 'policy.applied')
  expect(policy).toMatchObject({ permission: { mode: 'workspace-write', rules: [] }, compaction: 'model' })
  expect(policy).not.toMatchObject({ limits: { maxIterations: 500 } })
  expect(untrusted.stderr).toMatch(
    /permissionMode, limits\.maxIterations of .*settings\.json are ignored: this project is not trusted/,
  )

  await one.run(['permissions', 'trust'])
  await using other = await stage(line('Here I am.'))
  const trusted = await one.run(['-p', 'Hello!', '--output-format', 'events'], {
    environment: { OLLAMA_HOST: other.server.url },
  })
  expect(jsonLines(trusted.stdout).find(({ type }) => type === 'policy.applied')).toMatchObject({
    permission: { mode: 'danger-full-access', rules: [{ permit: 'allow', pattern: 'Bash' }] },
    limits: { maxIterations: 500 },
  })
})

describe('on a machine without walls', () => {
  const making = call('bash', { command: 'echo run > made.txt' })
  const end = { ...line('That is all.'), repeat: 'any' } as const

  /** A PATH with what a small machine has, and no bubblewrap. */
  function bareMachine(one: Stage): Record<string, string> {
    const folder = one.path('..', 'bin')
    mkdirSync(folder)
    for (const program of ['bash', 'sh', 'cat', 'env', 'git', 'ls', 'sleep']) {
      const found = (process.env['PATH'] ?? '').split(':').find((path) => existsSync(join(path, program)))
      if (found !== undefined) symlinkSync(join(found, program), join(folder, program))
    }
    return { PATH: folder, LOADER_WALLS: '' }
  }

  test('commands are refused headless, with the ways out, and tools for files still work', async () => {
    const written = call('write', { file_path: 'a.txt', content: 'a\n' })
    await using one = await stage(line('I try.', making, written), end)
    const environment = bareMachine(one)
    const { code, stderr, stdout } = await one.runBuilt(['-p', 'Make made.txt', '--output-format', 'events'], {
      environment,
    })
    expect(stderr).toContain('No walls here: ')
    expect(stderr).toContain('--walls off')
    const results = jsonLines(stdout).filter(({ type }) => type === 'tool.finished')
    expect(results).toMatchObject([
      { outcome: 'denied', text: expect.stringMatching(/without walls here.*this run is non-interactive/) },
      { outcome: 'ok' },
    ])
    const policy = jsonLines(stdout).find(({ type }) => type === 'policy.applied')
    expect(policy).toMatchObject({ walls: { state: 'missing', kind: 'none', guarantees: [] } })
    expect(existsSync(one.path('made.txt'))).toBe(false)
    expect(existsSync(one.path('a.txt'))).toBe(true)
    expect(code).toBe(4)
  })

  test.runIf(fromCi)(
    'a kernel that forbids namespaces is told like a missing program, by the first words of bubblewrap',
    async () => {
      await using one = await stage(line('I try.', making, call('bash', { command: 'ls' })), end)
      const environment = bareMachine(one)
      const complaint =
        "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. On e.g. debian this can be enabled with 'sysctl kernel.unprivileged_userns_clone=1'."
      const program = join(environment['PATH'] ?? '', 'bwrap')
      writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "${complaint}" >&2\nexit 1\n`, { mode: 0o755 })
      const { stderr, stdout } = await one.runBuilt(['-p', 'Make made.txt', '--output-format', 'events'], {
        environment,
      })
      const [first = '', second] = stderr.split('\n')
      expect(first).toMatch(
        /^loader: No walls here: bubblewrap does not work here \(No permissions to create new namespace,/,
      )
      expect(first).toMatch(/; what helps: (?:docker run|sudo sysctl) [^;]+\. Commands are refused\.$/)
      expect(first).not.toContain('On e.g. debian')
      expect(second).toBe('loader: Where this machine is a wall itself (a container, CI): --walls off')
      const results = jsonLines(stdout).filter(({ type }) => type === 'tool.finished')
      expect(results.slice(0, 2)).toMatchObject([{ outcome: 'denied' }, { outcome: 'denied' }])
      expect(existsSync(one.path('made.txt'))).toBe(false)
      const { stdout: examined } = await one.runBuilt(['doctor', '--json'], { environment })
      expect(JSON.parse(examined)).toMatchObject({
        checks: expect.arrayContaining([
          {
            name: 'walls',
            state: 'warning',
            message: expect.stringContaining('No permissions to create new namespace'),
          },
        ]),
      })
    },
  )

  test.runIf(fromCi)('--walls off runs them, and every record says that there were none', async () => {
    await using one = await stage(line('I try.', making), end)
    const environment = bareMachine(one)
    const words = ['-p', 'Make made.txt', '--walls', 'off', '--output-format', 'events']
    const { stdout, stderr } = await one.runBuilt(words, { environment })
    expect(stderr).not.toContain('No walls here')
    expect(existsSync(one.path('made.txt'))).toBe(true)
    const started = jsonLines(stdout).find(({ type }) => type === 'tool.started')
    expect(started).toMatchObject({ walls: { kind: 'none', guarantees: [] } })
  })

  test.runIf(fromCi)('doctor says what helps', async () => {
    await using one = await stage(end)
    const { stdout } = await one.runBuilt(['doctor', '--json'], { environment: bareMachine(one) })
    expect(JSON.parse(stdout)).toMatchObject({
      checks: expect.arrayContaining([{ name: 'walls', state: 'warning', message: expect.stringContaining('none: ') }]),
    })
  })
})
