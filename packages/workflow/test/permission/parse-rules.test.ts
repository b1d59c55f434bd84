import fc from 'fast-check'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { permissionOf } from '../../src/permission/permission-of.ts'
import { effectiveRules } from '../../src/permission/rules/effective-rules.ts'
import { parseRules } from '../../src/permission/rules/parse-rules.ts'
import { usualTools } from '../../src/permission/rules/known-tools.ts'
import { parsePattern } from '../../src/permission/rules/rule-pattern.ts'
import { ruleText } from '../../src/permission/rules/rule-text.ts'

const file = 'permission-rules.json'

describe('a rules file', () => {
  test('has rules as objects and as Tool(pattern), each with its line', () => {
    const text = `{
  "allow": ["Bash(npm run test:*)", " Read(./src/**) "],
  "deny": [
    { "tool": "bash", "contains": "rm -rf" },
    { "tool": "write", "path_contains": "dist/" }, { "pathContains": "secret" }
  ],
  "ask": ["Bash"]
}`
    expect(parseRules(text, file)).toEqual({
      ok: true,
      rules: [
        { permit: 'deny', tool: 'bash', contains: 'rm -rf', source: `${file}:4` },
        { permit: 'deny', tool: 'write', pathContains: 'dist/', source: `${file}:5` },
        { permit: 'deny', pathContains: 'secret', source: `${file}:5` },
        { permit: 'ask', pattern: 'Bash', source: `${file}:7` },
        { permit: 'allow', pattern: 'Bash(npm run test:*)', source: `${file}:2` },
        { permit: 'allow', pattern: 'Read(./src/**)', source: `${file}:2` },
      ],
    })
  })

  test.each(['{}', '{"allow": []}', '\ufeff{}', ' \n{\t}\r\n'])('may be empty: %j', (text) => {
    expect(parseRules(text, file)).toEqual({ ok: true, rules: [] })
  })

  test.each([
    ['', 1, 1, 'it ends too early'],
    ['{', 1, 2, 'a key in quotes was expected'],
    ['{"allow": [}', 1, 12, 'a value was expected'],
    ['{"allow": []', 1, 13, 'it ends too early'],
    ['{"allow": [],}', 1, 14, 'a key in quotes was expected'],
    ['{"allow": ["Bash",]}', 1, 19, 'a value was expected'],
    ['{"allow": ["Bash" "Read"]}', 1, 19, 'a comma or ] was expected'],
    ["{'allow': []}", 1, 2, 'a key in quotes was expected'],
    ['{"allow" []}', 1, 10, 'a colon was expected'],
    ['{"allow": []} x', 1, 15, 'there is something behind the end'],
    ['// rules\n{}', 1, 1, 'a value was expected'],
    ['{\n  "allow": ["Bash\n"]\n}', 2, 13, 'a value was expected'],
    ['{\n  "deny": ["Bash"],\n  "deny": []\n}', 3, 3, 'the key "deny" is there twice'],
    ['{"deny": [{"tool": "a", "tool": "b"}]}', 1, 25, 'the key "tool" is there twice'],
    ['{"allow": [01]}', 1, 12, 'a value was expected'],
    [`${'['.repeat(200)}`, 1, 34, 'it is nested too deeply'],
    ['[]', 1, 1, 'the file: Invalid input: expected object, received array'],
    ['null', 1, 1, 'the file: Invalid input: expected object, received null'],
    ['{\n  "allow": [],\n  "denied": []\n}', 3, 3, 'the key denied is not known'],
    ['{"__proto__": []}', 1, 2, 'the key __proto__ is not known'],
    ['{\n  "deny": "Bash"\n}', 2, 3, 'deny: Invalid input: expected array, received string'],
    ['{"ask": {"tool": "bash"}}', 1, 2, 'ask: Invalid input: expected array, received object'],
    ['{\n "deny": [\n  "Bash",\n  7\n ]\n}', 4, 3, 'deny.1: Invalid input: expected object, received number'],
    ['{"deny": [null]}', 1, 11, 'deny.0: Invalid input: expected object, received null'],
    ['{"deny": [\n{}]}', 2, 1, 'deny.0: a rule needs at least one of tool, contains and path_contains'],
    ['{"deny": [\n{"tool": ""}]}', 2, 2, 'deny.0.tool: must not be empty'],
    ['{"deny": [\n{"contains":\n "  "}]}', 2, 2, 'deny.0.contains: must not be empty'],
    ['{"deny": [{"tool": 7}]}', 1, 12, 'deny.0.tool: Invalid input: expected string, received number'],
    ['{"deny": [\n{"tool": "a",\n "tools": "b"}]}', 3, 2, 'the key deny.0.tools is not known'],
    [
      '{"deny": [{"path_contains": "a", "pathContains": "b"}]}',
      1,
      11,
      'deny.0: path_contains and pathContains are the same; give one',
    ],
    ['{"allow": [\n\n"Bash()"]}', 3, 1, 'allow.0: "Bash()": the pattern of Bash is empty'],
    ['{"allow": [""]}', 1, 12, 'allow.0: "": a rule is Tool or Tool(pattern)'],
    ['{"allow": ["Bash(ls"]}', 1, 12, 'allow.0: "Bash(ls": a rule is Tool or Tool(pattern)'],
    ['{"allow": ["Bash(:*)"]}', 1, 12, 'allow.0: "Bash(:*)": the pattern names no command'],
    [
      '{"allow": ["Web(a)"]}',
      1,
      12,
      'allow.0: "Web(a)": Web takes no pattern; only Bash, Read, Edit, Write, Glob, Grep and Fetch do',
    ],
    ['{"allow": ["Read(../x)"]}', 1, 12, 'allow.0: "Read(../x)": a pattern cannot lead upwards'],
  ])('counts as a whole or not at all: %j fails in line %i, column %i: %s', (text, line, column, reason) => {
    expect(parseRules(text, file)).toEqual({ ok: false, fault: { file, line, column, reason } })
  })

  test('any text has rules or a fault, and whatever is read here is read by others too', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.json().map((json) => json.slice(1)),
        ),
        (text) => {
          const parsed = parseRules(text, file)
          if (parsed.ok) expect(JSON.parse(text)).toBeTypeOf('object')
          else expect(parsed.fault.line).toBeGreaterThan(0)
        },
      ),
      { numRuns: times({ quick: 20, ci: 100 }) },
    )
  })
})

describe('patterns', () => {
  test.each([
    ['Bash', { kind: 'tools', tools: ['bash'] }],
    ['Edit', { kind: 'tools', tools: ['edit', 'write', 'patch'] }],
    ['mcp__files__read', { kind: 'tools', tools: ['mcp__files__read'] }],
    ['Bash(*)', { kind: 'tools', tools: ['bash'] }],
    ['Bash(git log:*)', { kind: 'command', tools: ['bash'], command: { text: 'git log', open: true } }],
    ['Bash(git log *)', { kind: 'command', tools: ['bash'], command: { text: 'git log', open: true } }],
    ['Bash(git log*)', { kind: 'command', tools: ['bash'], command: { text: 'git log*', open: false } }],
    ['bash(f(x) (y))', { kind: 'command', tools: ['bash'], command: { text: 'f(x) (y)', open: false } }],
    ['Read(~/notes/**)', { kind: 'path', tools: ['read'], path: '~/notes/**' }],
    ['MultiEdit(a)', { kind: 'path', tools: ['edit', 'patch'], path: 'a' }],
  ])('%s', (text, pattern) => {
    expect(parsePattern(text, usualTools)).toEqual(pattern)
  })

  test.each([
    '',
    '(ls)',
    'Ba sh',
    'Bash(',
    'Bash)',
    'Bash(ls) x',
    'Bash( )',
    'Bash(* *)',
    'Read(/)',
    'Read(~)',
    'Read([[:alpha:]])',
    '*',
  ])('not %j', (text) => {
    expect(parsePattern(text, usualTools).kind).toBe('unreadable')
  })
})

test('a rule is told by its conditions', () => {
  expect(ruleText({ permit: 'deny', tool: 'bash', contains: 'rm', pathContains: 'src' })).toBe(
    'tool=bash, contains=rm, path_contains=src',
  )
  expect(ruleText({ permit: 'deny', pattern: 'Bash(rm:*)' })).toBe('Bash(rm:*)')
})

describe('rules from several places', () => {
  const sources = [
    { origin: 'user', rules: [{ permit: 'allow', tool: 'read' }] },
    {
      origin: 'project',
      rules: [
        { permit: 'allow', pattern: 'Bash' },
        { permit: 'deny', tool: 'write' },
        { permit: 'ask', tool: 'edit' },
      ],
    },
  ] as const

  test('rules of an untrusted project can deny and ask, but not allow', () => {
    expect(effectiveRules(sources, 'untrusted')).toEqual({
      rules: [sources[0].rules[0], sources[1].rules[1], sources[1].rules[2]],
      inert: [sources[1].rules[0]],
    })
  })

  test('one that is trusted is like any other', () => {
    const { rules, inert } = effectiveRules(sources, 'trusted')
    expect(rules).toHaveLength(4)
    expect(inert).toEqual([])
    expect(permissionOf({ rules }).ruleCounts).toEqual({ allow: 2, deny: 1, ask: 1 })
  })

  test('they lead to questions if any of them asks, or the mode does', () => {
    expect(permissionOf({ rules: sources[0].rules })).toMatchObject({
      mode: 'workspace-write',
      promptingEnabled: false,
    })
    expect(permissionOf({ rules: sources[1].rules })).toMatchObject({ promptingEnabled: true })
    expect(permissionOf({ mode: 'prompt', rules: [] })).toMatchObject({ promptingEnabled: true })
  })
})
