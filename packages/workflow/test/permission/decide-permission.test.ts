import {
  type PermissionMode,
  PermissionMode as Modes,
  type PermissionRule,
  type Permission,
} from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import {
  decidePermission,
  type HookPermission,
  type PermissionDecision,
} from '../../src/permission/decide-permission.ts'
import type { PermissionCall } from '../../src/permission/permit-call.ts'
import { ruleFor } from '../../src/permission/rule-for.ts'
import { allow, ask, bash, deny, fileCall, place, policy } from './calls.ts'

const decide = (call: PermissionCall, ...[mode, rules, audience]: Parameters<typeof policy>): PermissionDecision =>
  decidePermission(call, policy(mode, rules, audience), [], place)

/** What can speak about one and the same call, in the order in which it is heard. */
const voices: readonly {
  readonly name: string
  readonly says: Permission
  readonly by: PermissionDecision['by']
  readonly rules?: readonly PermissionRule[]
  readonly hooks?: readonly HookPermission[]
  readonly mark?: string
  readonly mode?: PermissionMode
}[] = [
  { name: 'a guard', says: 'deny', by: 'guard', mark: '[secret:aws:1f0c]' },
  { name: 'a rule that denies', says: 'deny', by: 'rule', rules: [{ permit: 'deny', tool: 'write' }] },
  { name: 'a hook that denies', says: 'deny', by: 'hook', hooks: [{ hook: 'no', permit: 'deny' }] },
  { name: 'a hook that asks', says: 'ask', by: 'hook', hooks: [{ hook: 'well', permit: 'ask' }] },
  { name: 'a rule that asks', says: 'ask', by: 'rule', rules: [{ permit: 'ask', tool: 'write' }] },
  { name: 'a hook that allows', says: 'allow', by: 'hook', hooks: [{ hook: 'yes', permit: 'allow' }] },
  { name: 'a rule that allows', says: 'allow', by: 'rule', rules: [{ permit: 'allow', tool: 'write' }] },
  { name: 'the mode', says: 'deny', by: 'mode', mode: 'read-only' },
]

describe('what speaks first decides', () => {
  const pairs = voices.flatMap((first, index) => voices.slice(index + 1).map((second) => [first, second] as const))

  test.each(pairs.map(([first, second]) => [first.name, second.name, first, second] as const))(
    '%s comes before %s',
    (_, __, first, second) => {
      const plain = fileCall('write', 'write', '/w/a.txt')
      const content = first.mark ?? second.mark ?? 'plain'
      const call = { ...plain, call: { name: 'write', input: { path: 'a.txt', content } } }
      // Rules and hooks stand in the wrong order, which must not matter.
      const rules = [...(second.rules ?? []), ...(first.rules ?? [])]
      const hooks = [...(second.hooks ?? []), ...(first.hooks ?? [])]
      const decision = decidePermission(call, policy(second.mode ?? 'allow', rules), hooks, place)
      expect([decision.permit, decision.by]).toEqual([first.says, first.by])
    },
  )

  test('a decision by a rule carries the rule, and its reason names where it comes from', () => {
    const rule: PermissionRule = { permit: 'deny', pattern: 'Bash(rm:*)', source: 'rules.json:3' }
    const decision = decide(bash('rm x'), 'allow', [rule])
    expect(decision).toMatchObject({ permit: 'deny', by: 'rule', rule })
    expect(decision.reason).toContain('Bash(rm:*) (rules.json:3)')
  })

  test('what a hook says is part of the reason', () => {
    const hooks = [{ hook: 'style', permit: 'deny', message: 'no tabs' }] as const
    expect(decidePermission(bash('ls'), policy('allow'), hooks, place).reason).toBe('denied by the hook style: no tabs')
  })

  test('a hook without a permission says nothing', () => {
    expect(decidePermission(bash('ls'), policy('read-only'), [{ hook: 'log' }], place)).toMatchObject({
      permit: 'allow',
      by: 'mode',
    })
  })
})

describe('modes', () => {
  const calls: Readonly<Record<string, PermissionCall>> = {
    'a tool without effect': fileCall('todos', 'none'),
    'a look': fileCall('read', 'probe', '/w/a'),
    'a look outside': fileCall('read', 'probe', '/elsewhere/a'),
    'a command that looks': bash('git status'),
    'a change': fileCall('write', 'write', '/w/a'),
    'a command': bash('npm test'),
    'a command that nobody knows': bash('./x | frobnicate > out'),
    'a change outside': fileCall('write', 'write', '/elsewhere/a'),
    'one change of two outside': fileCall('patch', 'write', '/w/a', '/elsewhere/a'),
    'a command that wants the network': bash('npm install', 'network'),
    'a command that wants everything': bash('make install', 'open'),
    'a tool of unknown effect': fileCall('weather', 'unknown'),
    'the end of everything': bash('rm -rf /', 'open'),
  }
  const expected: Record<keyof typeof calls, readonly Permission[]> = {
    'a tool without effect': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'a look': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'a look outside': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'a command that looks': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'a change': ['deny', 'allow', 'allow', 'ask', 'allow'],
    'a command': ['deny', 'allow', 'allow', 'ask', 'allow'],
    'a command that nobody knows': ['deny', 'allow', 'allow', 'ask', 'allow'],
    'a change outside': ['deny', 'ask', 'allow', 'ask', 'allow'],
    'one change of two outside': ['deny', 'ask', 'allow', 'ask', 'allow'],
    'a command that wants the network': ['deny', 'ask', 'allow', 'ask', 'allow'],
    'a command that wants everything': ['deny', 'ask', 'allow', 'ask', 'allow'],
    'a tool of unknown effect': ['deny', 'ask', 'allow', 'ask', 'allow'],
    'the end of everything': ['deny', 'deny', 'deny', 'deny', 'deny'],
  }

  test.each(Object.entries(calls))('%s', (name, call) => {
    const permits = Modes.options.map((mode) => decide(call, mode).permit)
    expect(permits).toEqual(expected[name])
  })

  test('a call that was not examined can do anything', () => {
    const call = { call: { name: 'read', input: { path: 'a' } } }
    expect(decide(call, 'read-only').permit).toBe('deny')
    expect(decide(call, 'workspace-write').permit).toBe('ask')
  })
})

describe('without walls', () => {
  const missing = { state: 'missing', kind: 'none', guarantees: [], why: 'bubblewrap is not installed' } as const
  const decideThere = (call: PermissionCall, mode: PermissionMode, audience: 'user' | 'nobody' = 'user') =>
    decidePermission(call, policy(mode, [], audience, missing), [], place)

  test.each(['ls', 'npm test', 'cat ~/.ssh/id_rsa'])('every command is asked about: %s', (command) => {
    const decision = decideThere(bash(command), 'workspace-write')
    expect(decision).toMatchObject({ permit: 'ask', by: 'mode' })
    expect(decision.reason).toBe('commands run without walls here')
    expect(decision.wouldChange.join()).toContain('--walls off')
  })

  test('and refused in a non-interactive run or in read-only, with the reason why there are no walls', () => {
    for (const decision of [
      decideThere(bash('ls'), 'workspace-write', 'nobody'),
      decideThere(bash('ls'), 'read-only'),
    ]) {
      expect(decision.permit).toBe('deny')
      expect(decision.reason).toContain('bubblewrap is not installed')
    }
  })

  test('unless the mode wants none, or a rule allows it', () => {
    expect(decideThere(bash('ls'), 'danger-full-access').permit).toBe('allow')
    const rules = [allow('Bash(npm test:*)')]
    expect(
      decidePermission(bash('npm test'), policy('workspace-write', rules, 'nobody', missing), [], place).permit,
    ).toBe('allow')
  })

  test('tools for files go on as before', () => {
    expect(decideThere(fileCall('write', 'write', '/w/a'), 'workspace-write').permit).toBe('allow')
  })

  test('where they are not wanted, the mode decides', () => {
    const off = policy('workspace-write', [], 'nobody', { state: 'off', kind: 'none', guarantees: [] })
    expect(decidePermission(bash('npm test'), off, [], place).permit).toBe('allow')
    expect(decidePermission(bash('npm ci', 'network'), off, [], place).permit).toBe('deny')
  })
})

describe('in a non-interactive run', () => {
  test.each([
    ['the mode', bash('git push', 'network'), 'workspace-write', [], 'mode'],
    ['the mode prompt', bash('npm test'), 'prompt', [], 'mode'],
    ['a rule', bash('ls'), 'allow', [ask('Bash(ls:*)')], 'rule'],
  ] as const)('a question of %s is a no, and says so', (_, call, mode, rules, by) => {
    expect(decide(call, mode, rules)).toMatchObject({ permit: 'ask', by })
    const decision = decide(call, mode, rules, 'nobody')
    expect(decision).toMatchObject({ permit: 'deny', by })
    expect(decision.reason).toMatch(/this run is non-interactive$/)
    expect(decision.wouldChange).toContain('an interactive run')
  })

  test('everything else stays as it is', () => {
    expect(decide(bash('npm test'), 'workspace-write', [], 'nobody').permit).toBe('allow')
  })
})

describe('rules for commands', () => {
  const permitOf = (rules: readonly PermissionRule[], command: string, mode: PermissionMode): Permission =>
    decide(bash(command), mode, rules).permit

  test.each([
    ['make lint', 'allow'],
    ['make lint --all', 'allow'],
    ['make lint | make lint', 'allow'],
    ['/usr/bin/make lint', 'allow'],
    ['timeout 5 make lint', 'allow'],
    ['make lint "$x"', 'allow'],
    ['make lint > x', 'allow'],
    ['cd sub && make lint | head', 'allow'],
    ['make lints', 'ask'],
    ['make', 'ask'],
    ['make lint; rm x', 'ask'],
    ['make lint $(rm x)', 'ask'],
    ['make lint `rm x`', 'ask'],
    ['make lint <(rm x)', 'ask'],
    ['make lint "${x:-$(rm x)}"', 'ask'],
    ['MAKEFLAGS=-f./x make lint', 'ask'],
    ['./make lint', 'ask'],
    ["'make lint' x", 'ask'],
    ['make() { rm x; }; make lint', 'ask'],
    ['sudo make lint', 'ask'],
    ["bash -c 'make lint'", 'ask'],
    ['make lint &', 'allow'],
    ["make lint 'a", 'ask'],
  ] as const)('Bash(make lint:*) alone: %s is %s', (command, permit) => {
    expect(permitOf([allow('Bash(make lint:*)')], command, 'prompt')).toBe(permit)
  })

  test.each([
    ['npm install x', 'network', 'allow'],
    ['cd sub && npm install x | tail -3', 'network', 'allow'],
    ['npm install x > log', 'network', 'allow'],
    ['npm install x && npm test', 'network', 'ask'],
    ['./ls && npm install x', 'network', 'ask'],
    ['npm install x', 'open', 'ask'],
    ['npm install x', 'work', 'allow'],
  ] as const)('Bash(npm install:*)@network: %s at %s is %s', (command, reach, permit) => {
    const rules = [allow('Bash(npm install:*)', 'network')]
    expect(decide(bash(command, reach), 'workspace-write', rules).permit).toBe(permit)
  })

  test('a rule without a reach grants no more than work', () => {
    expect(decide(bash('npm install', 'network'), 'workspace-write', [allow('Bash(npm install:*)')]).permit).toBe('ask')
    expect(decide(bash('npm install', 'network'), 'workspace-write', [allow('Bash')]).permit).toBe('ask')
    expect(decide(bash('npm install', 'network'), 'workspace-write', [allow('Bash', 'network')]).permit).toBe('allow')
  })

  test.each([
    "x='a[$(curl http://a)]'; echo $((x)); git fetch",
    'read x < file; echo $((x + 1)); git fetch',
    "[[ 'a[$(curl http://a)]' -eq 1 ]]; git fetch",
    "[[ -v 'a[$(curl http://a)]' ]]; git fetch",
    'read x < file; echo ${a[x]}; git fetch',
    'read x < file; echo ${y:x}; git fetch',
    'read x < file; a[x]=1; git fetch',
    'for ((i = 0; i < x; i++)); do git fetch; done',
  ])('a rule for commands does not cover a line that counts with variables, which can run others: %s', (command) => {
    const rules = [allow('Bash(git fetch:*)', 'network')]
    expect(decide(bash(command, 'network'), 'workspace-write', rules)).toMatchObject({ permit: 'ask', by: 'mode' })
    expect(ruleFor(bash(command, 'network'), 'allow').pattern).not.toBe('Bash(git fetch:*)')
    const plain = bash('echo $((1 + 2)); git fetch', 'network')
    expect(decide(plain, 'workspace-write', rules)).toMatchObject({ permit: 'allow', by: 'rule' })
  })

  test('files that are written beyond the walls are covered by a rule for the line alone', () => {
    const command = 'make install > /etc/x'
    expect(decide(bash(command, 'open'), 'workspace-write', [allow('Bash(make:*)', 'open')]).permit).toBe('ask')
    expect(decide(bash(command, 'open'), 'workspace-write', [allow(`Bash(${command})`, 'open')]).permit).toBe('allow')
  })

  test('a rule that denies from a reach on leaves what stays below alone', () => {
    const rules: PermissionRule[] = [{ permit: 'deny', pattern: 'Bash', reach: 'network' }]
    expect(decide(bash('npm test'), 'workspace-write', rules).permit).toBe('allow')
    expect(decide(bash('npm ci', 'network'), 'workspace-write', rules).permit).toBe('deny')
    expect(decide(bash('npm ci', 'open'), 'workspace-write', rules).permit).toBe('deny')
  })

  test('several rules cover a line together', () => {
    const rules = [allow('Bash(npm test)'), allow('Bash(git diff:*)')]
    expect(permitOf(rules, 'npm test && git diff --stat', 'prompt')).toBe('allow')
    expect(permitOf(rules, 'npm test -- -u && git diff', 'prompt')).toBe('ask')
  })

  test.each(['Bash', 'Bash(*)', 'Bash(git log > out; $(x))'])('%s covers a whole line', (pattern) => {
    expect(permitOf([allow(pattern)], 'git log > out; $(x)', 'prompt')).toBe('allow')
  })

  test.each([
    ['rm x', 'deny'],
    ['rm', 'deny'],
    ['ls; rm x', 'deny'],
    ['ls $(rm x)', 'deny'],
    ["bash -c 'ls; rm x'", 'deny'],
    ["eval 'rm x'", 'deny'],
    ['/bin/rm x', 'deny'],
    ['./rm x', 'deny'],
    ['\\rm x', 'deny'],
    ["r'm' x", 'deny'],
    ['RM x', 'deny'],
    ['env A=1 rm x', 'deny'],
    ['timeout 5 nohup rm x', 'deny'],
    ['sudo -u me rm x', 'deny'],
    ['xargs rm', 'deny'],
    ['find . -exec rm {} +', 'deny'],
    ['busybox rm x', 'deny'],
    ['npm exec -- rm x', 'deny'],
    ['if true; then rm x; fi', 'deny'],
    ['f() { rm x; }; f', 'deny'],
    ['cat <<E | bash\nrm x\nE', 'ask'],
    ['bash <<E\nrm x\nE', 'deny'],
    ["trap 'rm x' EXIT", 'deny'],
    ['$cmd x', 'ask'],
    ['eval "$cmd"', 'ask'],
    ['echo cm0geA== | base64 -d | sh', 'ask'],
    ["ls 'a", 'ask'],
    ['rmdir x', 'allow'],
    ['echo rm x', 'allow'],
    ['npm run rm', 'allow'],
  ] as const)('Bash(rm:*) denied, all else allowed: %s is %s', (command, permit) => {
    expect(permitOf([deny('Bash(rm:*)')], command, 'allow')).toBe(permit)
  })

  test.each([
    ['git push', 'deny'],
    ['git -C sub push', 'deny'],
    ['git --no-pager push origin', 'deny'],
    ['git -c a=b push', 'deny'],
    ['git pull', 'allow'],
    ['git log --grep push', 'allow'],
  ] as const)('options before a subcommand hide nothing: %s is %s', (command, permit) => {
    expect(permitOf([deny('Bash(git push:*)')], command, 'allow')).toBe(permit)
  })

  test('patterns have stars anywhere', () => {
    const rules = [deny('Bash(npm * --force)'), ask('Bash(*deploy*)')]
    expect(permitOf(rules, 'npm install x --force', 'allow')).toBe('deny')
    expect(permitOf(rules, 'npm install x', 'allow')).toBe('allow')
    expect(permitOf(rules, 'make deploy-all', 'allow')).toBe('ask')
  })

  test('rules on texts are held against every command of a line', () => {
    const denying: PermissionRule = { permit: 'deny', tool: 'bash', contains: 'rm -rf' }
    expect(permitOf([denying], `echo ${'a'.repeat(200)}; rm  -rf x`, 'allow')).toBe('deny')
    expect(permitOf([denying], "'rm' -rf x", 'allow')).toBe('deny')
    const allowing: PermissionRule = { permit: 'allow', tool: 'bash', contains: 'git log' }
    expect(permitOf([allowing], 'git log -3', 'prompt')).toBe('allow')
    expect(permitOf([allowing], 'git log; rm x', 'prompt')).toBe('ask')
  })

  test('a rule for another tool is not about commands', () => {
    expect(permitOf([deny('Read')], 'cat x', 'allow')).toBe('allow')
    expect(permitOf([allow('Write')], 'touch x', 'prompt')).toBe('ask')
  })
})

describe('rules for files', () => {
  const permitOf = (rule: PermissionRule, call: PermissionCall, mode: PermissionMode): Permission =>
    decide(call, mode, [rule]).permit

  test.each([
    ['Edit(src/**)', 'edit', ['/w/src/a/b.ts'], 'allow'],
    ['Edit(src/**)', 'write', ['/w/src/a.ts'], 'allow'],
    ['Edit(src/**)', 'patch', ['/w/src/a.ts', '/w/src/b.ts'], 'allow'],
    ['Edit(src/**)', 'patch', ['/w/src/a.ts', '/w/c.ts'], 'ask'],
    ['Edit(src/**)', 'edit', ['/w/srcs/a.ts'], 'ask'],
    ['Edit(src/**)', 'read', ['/w/src/a.ts'], 'ask'],
    ['Edit(/docs/**)', 'edit', ['/w/docs/a.md'], 'allow'],
    ['Edit(/docs)', 'edit', ['/w/docs/a.md'], 'allow'],
    ['Edit(/docs)', 'edit', ['/w/a/docs/a.md'], 'ask'],
    ['Edit(./a.ts)', 'edit', ['/w/a.ts'], 'allow'],
    ['Edit(./a.ts)', 'edit', ['/w/b/a.ts'], 'ask'],
    ['Edit(*.ts)', 'edit', ['/w/b/a.ts'], 'allow'],
    ['Edit(*.ts)', 'edit', ['/w/b/a.js'], 'ask'],
    ['Edit(src/*.ts)', 'edit', ['/w/src/a/b.ts'], 'ask'],
    ['Edit(src/[ab]?.ts)', 'edit', ['/w/src/ax.ts'], 'allow'],
    ['Edit(src/[ab]?.ts)', 'edit', ['/w/src/cx.ts'], 'ask'],
    ['Edit(**/gen/*.ts)', 'edit', ['/w/a/b/gen/x.ts'], 'allow'],
    ['Edit(//elsewhere/**)', 'edit', ['/elsewhere/a'], 'allow'],
    ['Edit(//elsewhere/**)', 'edit', ['/w/elsewhere/a'], 'ask'],
    ['Edit(~/notes/**)', 'edit', ['/home/me/notes/a'], 'allow'],
    ['Edit(~/notes/**)', 'edit', ['/home/you/notes/a'], 'ask'],
    ['Edit', 'edit', ['/w/a'], 'allow'],
    ['Edit', 'edit', ['/elsewhere/a'], 'ask'],
    ['Write(src/**)', 'edit', ['/w/src/a'], 'ask'],
    ['write(src/**)', 'write', ['/w/src/a'], 'allow'],
    ['Glob', 'glob', ['/w'], 'allow'],
    ['Grep(src/**)', 'grep', ['/w/src/x'], 'allow'],
    ['Read(./src/**)', 'read', ['/w/src/x'], 'allow'],
  ] as const)('%s allows, all else asks: %s %j is %s', (pattern, tool, paths, permit) => {
    expect(permitOf(allow(pattern), fileCall(tool, 'write', ...paths), 'prompt')).toBe(permit)
  })

  test.each([
    ['Read(.env)', fileCall('read', 'probe', '/w/.env'), 'deny'],
    ['Read(.env)', fileCall('read', 'probe', '/w/sub/.ENV'), 'deny'],
    ['Read(.env)', fileCall('grep', 'probe', '/w/.env'), 'deny'],
    ['Read(.env)', fileCall('read', 'probe', '/w/.envrc'), 'allow'],
    ['Read(.env)', bash('cat .env'), 'deny'],
    ['Read(.env)', bash('cat < ./.env'), 'deny'],
    ['Read(.env)', bash('grep -f .env x'), 'deny'],
    ['Read(.env)', bash('bash -c \'cat .e"nv"\''), 'deny'],
    ['Read(.env)', bash('cat $x'), 'allow'],
    ['Read(src/.env)', bash('cd src && cat .env'), 'deny'],
    ['Read(src/.env)', bash('cat /w/src/.env'), 'deny'],
    ['Edit(package.json)', bash('cat package.json'), 'allow'],
    ['Edit(package.json)', bash('sed -i s/a/b/ package.json'), 'deny'],
    ['Edit(package.json)', bash('echo x > package.json'), 'deny'],
    ['Edit(package.json)', fileCall('patch', 'write', '/w/a', '/w/package.json'), 'deny'],
  ] as const)('%s denied, all else allowed: %j is %s', (pattern, call, permit) => {
    expect(permitOf(deny(pattern), call, 'allow')).toBe(permit)
  })

  test('without a workspace, a pattern denies wherever it could match, and allows nothing', () => {
    const call = fileCall('edit', 'write', '/w/src/a.ts')
    expect(decidePermission(call, policy('allow', [deny('Edit(src/**)')])).permit).toBe('deny')
    expect(decidePermission(call, policy('prompt', [allow('Edit(src/**)')])).permit).toBe('ask')
  })

  test('conditions on paths: all have to hold for a yes, any is enough for a no', () => {
    const about = (permit: Permission): PermissionRule => ({ permit, tool: 'patch', pathContains: 'src/' })
    const both = fileCall('patch', 'write', '/w/src/a', '/w/b')
    expect(permitOf(about('allow'), fileCall('patch', 'write', '/w/src/a'), 'prompt')).toBe('allow')
    expect(permitOf(about('allow'), both, 'prompt')).toBe('ask')
    expect(permitOf(about('deny'), both, 'allow')).toBe('deny')
    const escape = {
      ...fileCall('write', 'write', '/etc/x'),
      call: { name: 'patch', input: { path: 'src/../../etc/x' } },
    }
    expect(permitOf(about('allow'), escape, 'prompt')).toBe('ask')
  })

  test('an unreadable rule can deny and ask, but not allow', () => {
    expect(permitOf(deny('Bash('), bash('ls'), 'allow')).toBe('deny')
    expect(permitOf(ask('Edit()'), bash('ls'), 'allow')).toBe('ask')
    expect(permitOf(allow('Bash('), bash('npm test'), 'prompt')).toBe('ask')
    expect(permitOf({ permit: 'allow' }, fileCall('edit', 'write', '/w/a'), 'prompt')).toBe('ask')
  })
})

describe('guards', () => {
  const permitOf = (call: PermissionCall, mode: PermissionMode = 'allow'): readonly [Permission, string] => {
    const { permit, by } = decide(call, mode, [allow('Bash', 'open'), { permit: 'allow', tool: call.call.name }])
    return [permit, by]
  }

  test.each([
    'rm -rf /',
    'rm -fr /*',
    'cd x && rm -r --no-preserve-root //',
    'sudo rm -rf ~',
    'rm -rf "$HOME"',
    'rm -rf ~/*',
    'rm -rf /home/me',
    'rm -rf /home/me/',
    "sh -c 'rm -rf /'",
    'find x -exec rm -rf / \\;',
  ])('nothing that has no walls around it removes everything: %s', (command) => {
    expect(permitOf(bash(command, 'open'))).toEqual(['deny', 'guard'])
  })

  test.each(['rm -rf x', 'rm -rf /tmp/x', 'rm /', 'echo rm -rf /', 'ls -r /'])(
    'and all else may be allowed: %s',
    (command) => {
      expect(permitOf(bash(command, 'open'))[0]).toBe('allow')
    },
  )

  test('behind walls there is nothing to remove', () => {
    expect(permitOf(bash('rm -rf /'), 'workspace-write')[0]).toBe('allow')
  })

  test('a mark that stands for a secret is not written back', () => {
    const call: PermissionCall = {
      call: { name: 'write', input: { path: 'a', parts: [{ text: 'key = [secret:github:ab12]' }] } },
      examined: { effect: 'write', reach: 'work', paths: [{ path: '/w/a', inside: true }] },
    }
    expect(permitOf(call)).toEqual(['deny', 'guard'])
    expect(decide(call, 'allow').reason).toContain('[secret:')
  })
})

describe('what would change it', () => {
  test('names a rule and a mode', () => {
    expect(decide(bash('npm test'), 'read-only').wouldChange).toEqual([
      'a rule that allows it, such as Bash(npm test:*)@work',
      'the mode workspace-write',
    ])
  })

  test('names the rule that stands in the way', () => {
    const rules = [{ ...deny('Bash(npm:*)'), source: 'a.json:2' }]
    expect(decide(bash('npm test'), 'allow', rules).wouldChange).toEqual([
      'taking the rule Bash(npm:*) (a.json:2) away',
    ])
  })

  test('says that nothing does', () => {
    expect(decide(bash('rm -rf /', 'open'), 'allow').wouldChange).toEqual(['nothing: this holds in every mode'])
  })
})
