import { readFileSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { loader } from '../written/fake-console.ts'

const rules = '.loader/permission-rules.json'

test.for([[['permissions', 'list']], [['permissions', 'add', 'deny', 'Read']]] as const)(
  'a folder in the place of the rules is named, and stops %j',
  async ([words]) => {
    await using one = await temporaryWorkspace({ files: { [`${rules}/in.txt`]: '' } })
    const { code, err } = await loader(words, { folder: one.root })
    expect(code).toBe(2)
    expect(err).toContain(`${one.path(rules)} cannot be read (EISDIR). It is a folder, and should be a file.`)
  },
)

describe('permissions add and remove', () => {
  test('make the file, keep what is there as it is written, and know what is there already', async () => {
    await using one = await temporaryWorkspace()
    const run = (...words: string[]) => loader(['permissions', ...words], { folder: one.root })
    await run('add', 'deny', 'Bash(git push:*)')
    await one.write(rules, '{\n  "deny": ["Bash(git push:*)", { "tool": "bash", "contains": "curl" }]\n}\n')
    expect((await run('add', 'allow', 'Bash(npm test:*)')).out).toMatch(/^Added to .*permission-rules\.json: allow/)
    expect((await run('add', 'allow', 'Bash(npm test:*)')).out).toMatch(/there already/)
    expect((await run('add', 'ask', '{"tool": "write", "path_contains": "secrets"}')).code).toBe(0)
    expect(JSON.parse(await one.read(rules))).toEqual({
      deny: ['Bash(git push:*)', { tool: 'bash', contains: 'curl' }],
      allow: ['Bash(npm test:*)'],
      ask: [{ tool: 'write', path_contains: 'secrets' }],
    })
    expect((await run('remove', 'deny', 'tool=bash, contains=curl')).code).toBe(0)
    expect((await run('remove', 'deny', 'tool=bash, contains=curl')).err).toMatch(
      /has no rule "deny tool=bash, contains=curl"/,
    )
    expect(JSON.parse(await one.read(rules))).toMatchObject({ deny: ['Bash(git push:*)'] })
  })

  test('say that an allow rule of a project waits until it is trusted', async () => {
    await using one = await temporaryWorkspace()
    const { err } = await loader(['permissions', 'add', 'allow', 'Read'], { folder: one.root })
    expect(err).toMatch(/not trusted.*loader permissions trust/)
    const { err: none } = await loader(['permissions', 'add', 'allow', 'Read', '--user'], { folder: one.root })
    expect(none).toBe('')
    expect(JSON.parse(await one.read('config/permission-rules.json'))).toEqual({ allow: ['Read'] })
  })

  test.for(['{ "deny": ["Bash("] }', '{ "deny": [], "denny": [] }', 'not JSON', '{ "allow": ["Read"], "allow": [] }'])(
    'never write over what cannot be understood: %s',
    async (text) => {
      await using one = await temporaryWorkspace({ files: { [rules]: text } })
      for (const words of [['add', 'allow', 'Write'], ['remove', 'allow', 'Read'], ['list'], ['trust']]) {
        const { code, err } = await loader(['permissions', ...words], { folder: one.root })
        expect([words, code]).toEqual([words, 2])
        expect(err).toMatch(/permission-rules\.json:1/)
      }
      expect(readFileSync(one.path(rules), 'utf8')).toBe(text)
    },
  )

  test.for([
    [['add', 'allow', 'Bash('], /The rule cannot be understood: .*Tool\(pattern\)/],
    [['add', 'allow', '{"tool": 1}'], /The rule cannot be understood: tool: /],
    [['explain', ' '], /no command to explain/],
    [['add', 'maybe', 'Read'], /allow, ask or deny, not "maybe"/],
    [['add', 'allow', '{"tool": }'], /The rule is not JSON/],
    [['add', 'allow', '{}'], /at least one of tool/],
  ] as const)('refuse %j', async ([words, message]) => {
    await using one = await temporaryWorkspace()
    const { code, err } = await loader(['permissions', ...words], { folder: one.root })
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('permissions list', () => {
  test('has every rule with its source, the strongest first, and marks those that wait', async () => {
    await using one = await temporaryWorkspace({
      files: {
        [rules]: '{\n  "allow": ["Bash(npm test:*)"],\n  "ask": ["Write"]\n}',
        'config/permission-rules.json': '{ "deny": ["Bash(git push:*)"] }',
      },
    })
    const { out } = await loader(['permissions', 'list', '--json'], { folder: one.root })
    const output: unknown = JSON.parse(out)
    expect(output).toEqual({
      mode: 'workspace-write',
      trusted: false,
      rules: [
        {
          permit: 'deny',
          rule: 'Bash(git push:*)',
          source: one.path('config/permission-rules.json:1'),
          origin: 'user',
          holds: true,
        },
        { permit: 'ask', rule: 'Write', source: one.path(`${rules}:3`), origin: 'project', holds: true },
        { permit: 'allow', rule: 'Bash(npm test:*)', source: one.path(`${rules}:2`), origin: 'project', holds: false },
      ],
    })
    const { out: shown } = await loader(['permissions', 'list'], { folder: one.root, columns: 200 })
    expect(shown).toMatch(/allow +Bash\(npm test:\*\) \(waits\)/)
    const { out: news } = await loader(['permissions', 'trust'], { folder: one.root })
    expect(news).toMatch(/is trusted\.\nFrom now on this counts:\n {2}allow Bash\(npm test:\*\)/)
    const { out: trusted } = await loader(['permissions', 'list', '--json'], { folder: one.root })
    expect(JSON.parse(trusted)).toMatchObject({ trusted: true, rules: [{}, {}, { holds: true }] })
    await loader(['permissions', 'trust', '--revoke'], { folder: one.root })
    const { out: revoked } = await loader(['permissions', 'list', '--json'], { folder: one.root })
    expect(JSON.parse(revoked)).toMatchObject({ trusted: false })
  })
  test('say all that counts and runs from then on, before it does', async () => {
    await using one = await temporaryWorkspace({
      files: {
        '.claude/settings.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./notify.sh\\n--now"}]}]}}',
        '.mcp.json': '{"mcpServers":{"notes":{"command":"node","args":["notes.js"]}}}',
        '.loader/settings.json': '{"hooks":{"SessionEnd":[{"hooks":[{"command":"tidy"}]}]}}',
        '.agents/skills/notes/SKILL.md': '---\nname: notes\ndescription: x\nallowed-tools: WebFetch\n---\n',
        '.claude/commands/ship.md': '---\nallowed-tools: Bash(git push:*)\n---\nShip it.\n',
        '.loader/agents/big.md': '---\nname: big\ndescription: x\nmodel: acme/huge\n---\nThink.\n',
      },
    })
    const { out } = await loader(['permissions', 'trust'], { folder: one.root })
    for (const each of [
      /hooks = .*tidy.*settings\.json/,
      /on Stop runs: \.\/notify\.sh --now .*settings\.json/,
      /server notes starts: node notes\.js .*\.mcp\.json/,
      /skill notes allows WebFetch .*SKILL\.md/,
      /command ship allows Bash\(git push:\*\) .*ship\.md/,
      /agent big uses the model acme\/huge .*big\.md/,
    ])
      expect(out).toMatch(each)
  })
})
