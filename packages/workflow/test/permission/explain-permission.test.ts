import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { PermissionMode, type PermissionRule, Permission } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { decidePermission } from '../../src/permission/decide-permission.ts'
import { explainPermission } from '../../src/permission/explain-permission.ts'
import { inputSummary, pathHint } from '../../src/permission/input-summary.ts'
import type { PermissionCall } from '../../src/permission/permit-call.ts'
import { ruleFor } from '../../src/permission/rule-for.ts'
import { allow, bash, deny, fileCall, place, policy } from './calls.ts'
import { anyText } from './random-commands.ts'

describe('an explanation', () => {
  test('of a command says what decided, how far it reaches, and what would change it', () => {
    const { decision, requiredMode, reach, lines } = explainPermission(bash('npm ci', 'network'), policy('read-only'))
    expect(decision).toMatchObject({ permit: 'deny', by: 'mode' })
    expect([requiredMode, reach]).toEqual(['danger-full-access', 'network'])
    expect(lines).toEqual([
      'decision=deny',
      'by=mode',
      'tool=bash',
      'active_mode=read-only',
      'required_mode=danger-full-access',
      'input=bash command=npm ci reach=network',
      'reach=network',
      'reason=the mode read-only does not allow it: the command reaches the network, with what listens on this machine',
      'would_change=a rule that allows it, such as Bash(npm ci:*)@network',
      'would_change=the mode danger-full-access',
    ])
  })

  test('names the rule that decided and its source, and the others that are about the call', () => {
    const rules: PermissionRule[] = [
      { ...deny('Bash(rm:*)'), source: 'rules.json:2' },
      { permit: 'ask', tool: 'bash', source: 'rules.json:5' },
      { ...allow('Bash'), source: 'rules.json:7' },
    ]
    const { decision, matching, lines } = explainPermission(bash('rm x'), policy('allow', rules))
    expect(decision.rule).toEqual(rules[0])
    expect(matching).toEqual(rules.slice(0, 2))
    expect(lines).toContain('matched_deny_rule=Bash(rm:*) (rules.json:2)')
  })

  test('of a file names its path', () => {
    expect(explainPermission(fileCall('edit', 'write', '/w/a'), policy('read-only')).lines).toContain('path=/w/a')
  })

  test('says that a guard holds in every mode', () => {
    const { lines } = explainPermission(bash('rm -rf /', 'open'), policy('allow', [allow('Bash')]), [], place)
    expect(lines).toContain('by=guard')
    expect(lines).toContain('would_change=nothing: this holds in every mode')
  })
})

describe('the summary of an input', () => {
  test.each([
    ['read', { path: 'a', limit: 5 }, 'read limit=5 path=a'],
    ['write', { b: [1, { c: true }], a: null }, 'write a=null b=[1,{"c":true}]'],
    ['bash', { command: ' a \n\t b ' }, 'bash command=a b'],
    ['note', 'text', 'note text'],
    ['list', ['a'], 'list ["a"]'],
    ['none', {}, 'none'],
  ])('%s %j', (tool, input, text) => {
    expect(inputSummary(tool, input)).toBe(text)
  })

  test('shortens long texts', () => {
    expect(inputSummary('a', { b: 'x'.repeat(500) })).toBe(`a b=${'x'.repeat(120)}`)
  })

  test.each([
    [{ directory: 'd', cwd: 'c', path: 'b', file_path: 'a' }, 'a'],
    [{ directory: 'd', cwd: 'c', path: 'b' }, 'b'],
    [{ directory: 'd', cwd: 'c' }, 'c'],
    [{ directory: 'd' }, 'd'],
    [{ path: 7, cwd: '' }, undefined],
    ['text', undefined],
  ])('the path of %j is %s', (input, path) => {
    expect(pathHint(input)).toBe(path)
  })
})

describe('a rule made from an answer', () => {
  const permitOf = (rule: PermissionRule, call: PermissionCall) =>
    decidePermission(call, policy('prompt', [rule]), [], place).permit

  test.each([
    ['npm install left-pad', 'Bash(npm install:*)'],
    ['npm i', 'Bash(npm i:*)'],
    ['cd packages/a && npm ci | tail -5', 'Bash(npm ci:*)'],
    ['npm run build:docs -- --all', 'Bash(npm run build:docs:*)'],
    ['timeout 60 pip install -r x.txt', 'Bash(timeout 60 pip install -r x.txt)'],
    ['git push origin main', 'Bash(git push:*)'],
    ['curl https://x.example', 'Bash(curl https://x.example)'],
    ['python3 x.py', 'Bash(python3 x.py)'],
    ['./deploy now', 'Bash(./deploy now)'],
    ['sudo apt install x', 'Bash(sudo apt install x)'],
    ['npm ci && npm test', 'Bash(npm ci && npm test)'],
    ['A=1 npm ci', 'Bash(A=1 npm ci)'],
    ['npm $x', 'Bash(npm $x)'],
  ])('a yes to %s is %s', (command, pattern) => {
    const call = bash(command, 'network')
    expect(ruleFor(call, 'allow')).toEqual({ permit: 'allow', pattern, reach: 'network' })
    expect(permitOf(ruleFor(call, 'allow'), call)).toBe('allow')
  })

  test.each([
    ['npm install a', 'npm install b'],
    ['npm test', 'npm test -- --watch'],
    ['git fetch && ls sum.js', 'git fetch'],
  ])('to %s as this very call is about no other one', (command, other) => {
    const rule = ruleFor(bash(command, 'network'), 'allow', undefined, 'call')
    expect(rule.pattern).toBe(`Bash(${command})`)
    expect(permitOf(rule, bash(command, 'network'))).toBe('allow')
    expect(permitOf(rule, bash(command, 'open'))).toBe('ask')
    expect(permitOf(rule, bash(other, 'network'))).toBe('ask')
  })

  test('holds for its kind, and no further', () => {
    const rule = ruleFor(bash('npm install a', 'network'), 'allow')
    expect(permitOf(rule, bash('npm install b', 'network'))).toBe('allow')
    expect(permitOf(rule, bash('npm install b', 'open'))).toBe('ask')
    expect(permitOf(rule, bash('npm publish', 'network'))).toBe('ask')
    expect(permitOf(rule, bash('npm install b; curl x', 'network'))).toBe('ask')
  })

  test.each(['git push && npm publish > out', "echo '*' > x", 'f() { ls; }', 'ls\nrm x', 'make *.o'])(
    'a no is about exactly that command: %j',
    (command) => {
      expect(permitOf(ruleFor(bash(command), 'deny'), bash(command))).toBe('deny')
      expect(permitOf(ruleFor(bash(command), 'deny'), bash(`${command} other words`))).toBe('ask')
    },
  )

  test.each([
    ['/w/src/a.ts', '/w/src/b.ts'],
    ['/w/src/[id]/a.ts', '/w/src/i/a.ts'],
    ['/w/src/a*.ts', '/w/src/ab.ts'],
    ['/elsewhere/a b (c).ts', '/elsewhere/a'],
  ])('is about exactly that path: %s, not %s', (path, other) => {
    const call = fileCall('edit', 'write', path)
    expect(permitOf(ruleFor(call, 'allow'), call)).toBe('allow')
    expect(permitOf(ruleFor(call, 'deny'), call)).toBe('deny')
    expect(permitOf(ruleFor(call, 'allow'), fileCall('edit', 'write', other))).toBe('ask')
    expect(permitOf(ruleFor(call, 'allow'), fileCall('write', 'write', path))).toBe('ask')
  })

  test('is about the tool where there is nothing else', () => {
    expect(ruleFor(fileCall('weather', 'unknown'), 'allow')).toEqual({ permit: 'allow', tool: 'weather' })
  })
})

test('every call gets an answer, with any rules, in any mode', () => {
  const rule = fc
    .record({ permit: fc.constantFrom(...Permission.options) })
    .chain(({ permit }) =>
      fc
        .record({ tool: anyText, contains: anyText, pathContains: anyText, pattern: anyText }, { requiredKeys: [] })
        .map((conditions): PermissionRule => ({ permit, ...conditions })),
    )
  const call = fc.oneof(
    anyText.map((command) => bash(command)),
    fc.tuple(anyText, anyText).map(([name, path]) => fileCall(name || 'x', 'unknown', path || 'y')),
  )
  fc.assert(
    fc.property(
      call,
      fc.array(rule, { maxLength: 4 }),
      fc.constantFrom(...PermissionMode.options),
      (one, rules, mode) => {
        const { permit, reason } = decidePermission(one, policy(mode, rules), [], place)
        expect(Permission.options).toContain(permit)
        expect(reason).not.toBe('')
        expect(explainPermission(one, policy(mode, rules), [], place).decision.permit).toBe(permit)
      },
    ),
    { numRuns: times({ quick: 100, ci: 5000, long: 50_000 }) },
  )
})
