import { call, line } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { jsonLines, stage } from './stage/stage.ts'

const push = call('bash', { command: 'git push --force' })
const rest = { ...line('I could not push.'), repeat: 'any' } as const

test('a permit that nobody can give is denied at once, and said in the words of wrappers', async () => {
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
    message: expect.stringMatching(/permission-rules\.json:1.*nobody is there to ask/),
  })
  const input = { command: 'git push --force' }
  expect(lines.at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'bash', tool_input: input }] })
  const [asked, refused] = ['model.answered', 'tool.finished'].map((type) => type)
  const { recording } = await one.session(String(lines[0]?.['session_id']))
  const at = (type: string | undefined) => Date.parse(recording.find((event) => event.type === type)?.at ?? '')
  expect(at(refused) - at(asked)).toBeLessThan(1_000)
})

test('what is denied to everybody does not wait for anybody', async () => {
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
