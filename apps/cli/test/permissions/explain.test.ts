import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { PermissionsExplainOutput } from '../../src/schemas/permissions.ts'
import { loader } from '../written/fake-console.ts'

const files = {
  'src/a.ts': '',
  '.loader/permission-rules.json':
    '{\n  "deny": ["Bash(rm:*)"],\n  "ask": ["Write(src/**)"],\n  "allow": ["Bash(npm publish)"]\n}',
}

async function explained(text: string, ...options: readonly string[]) {
  await using one = await temporaryWorkspace({ files })
  const { code, out } = await loader(['permissions', 'explain', text, '--json', ...options], { folder: one.root })
  expect(code).toBe(0)
  return PermissionsExplainOutput.parse(JSON.parse(out))
}

describe('permissions explain', () => {
  test.for([
    ['git status', 'allow', 'mode', 'bash'],
    ['rm -r src', 'deny', 'rule', 'bash'],
    ['Bash(rm src/a.ts)', 'deny', 'rule', 'bash'],
    ['Read(src/a.ts)', 'allow', 'mode', 'read'],
    ['Write(src/new/b.ts)', 'ask', 'rule', 'write'],
    ['write {"file_path": "src/b.ts", "content": "x"}', 'ask', 'rule', 'write'],
    ['Write(README.md)', 'allow', 'mode', 'write'],
    ['Write(../elsewhere.txt)', 'ask', 'mode', 'write'],
    ['Edit(.loader/settings.json)', 'deny', 'guard', 'edit'],
    ['bash {"command": "npm ci", "reach": "network"}', 'ask', 'mode', 'bash'],
  ] as const)('%s: %s, by the %s', async ([text, permit, by, tool]) => {
    expect(await explained(text)).toMatchObject({ permit, by, call: { tool } })
  })

  test('names decision, rule with its source, and what would change it', async () => {
    await using one = await temporaryWorkspace({
      files: { 'config/permission-rules.json': '{ "ask": ["Bash(git push:*)"] }' },
    })
    const { out } = await loader(['permissions', 'explain', 'git push --force'], { folder: one.root, columns: 120 })
    expect(out).toMatch(/^ask {2}git push --force$/m)
    expect(out).toMatch(/^decided by: +rule Bash\(git push:\*\) \(.*config\/permission-rules\.json:1\)/m)
    expect(out).toMatch(/^nobody there: +deny/m)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/What would change it: - taking the rule Bash\(git push:\*\)/)
  })

  test('tells of rules that wait until the project is trusted, and of the mode as if it were set', async () => {
    const { inert, permit } = await explained('npm publish', '--permission-mode', 'prompt')
    expect([permit, inert]).toMatchObject(['ask', [{ rule: 'Bash(npm publish)', holds: false }]])
    expect(await explained('npm publish', '--permission-mode', 'allow')).toMatchObject({
      permit: 'allow',
      mode: 'allow',
    })
  })
})
