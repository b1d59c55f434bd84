import { PermissionMode, type Reach } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { needOf } from '../../src/permission/need-of.ts'
import { policy } from './calls.ts'

const need = (command: string, mode: PermissionMode = 'workspace-write', reach?: Reach) =>
  needOf({ effect: 'unknown', paths: [], command, ...(reach && { reach }) }, policy(mode))

describe('a command', () => {
  test.each([
    'ls -la',
    'cat a | sort | uniq -c',
    'git status',
    'git --no-pager log --oneline -5',
    'git -C sub diff HEAD~1',
    'git branch -a',
    'find . -name "*.ts" -not -path "./x/*"',
    'grep -rn x src | head',
    'cd packages/a && cat package.json',
    'timeout 5 grep x y',
    'find . -print0 | xargs -0 -n 1 wc -l',
    'node --version',
    'for f in a b; do wc -l "$f"; done',
    'cat a 2>/dev/null || echo no',
    'sed -n 1,5p a',
    `sed -n '/begin/,/end/p;20q' a`,
    `sed -E 's/a|b/c/g; s|^w |e|' a`,
    'sort a | uniq -c | sort -rn',
    'sort ./*.txt | xxd -p',
    'git stash list',
    'git reflog main',
    'date -d "2 days ago" +%F',
    'time grep x y',
    '[ -f a ] && cat a',
  ])('that looks needs no more than that: %s', (command) => {
    for (const mode of PermissionMode.options) expect(need(command, mode)).toEqual({ effect: 'probe', reach: 'look' })
  })

  test.each([
    'npm test',
    'ls > list',
    'find . -delete',
    'find . -exec rm {} +',
    'sed -i s/a/b/ x',
    'sed -n "w x" a',
    `sed 's/a/b/w x' a`,
    `sed 's/a/touch x/e' a`,
    `sed -e p -e '1e touch x' a`,
    `sed -n '/[/]p;w x' a`,
    `sed $'p\\nw x' a`,
    'sed -f script a',
    'sed --in-plac s/a/b/ x',
    'sort -o x x',
    'sort a --out=x',
    'sort a --compress-program=./x',
    'sort $how a',
    'sort *',
    'echo -oa | xargs sort',
    `awk 'BEGIN { print > "x" }'`,
    `[ -v 'a[$(touch x)]' ]`,
    `printf -v 'a[$(touch x)]' x`,
    `read 'a[$(touch x)]'`,
    'uniq a b',
    'uniq - b',
    'xxd a b',
    'tree -o x',
    'tree -L 1 -R',
    'less -o x a',
    '/usr/bin/time -o x ls',
    'rg --pre ./x y',
    'file -C -m x',
    'yq -i .a=1 x',
    'hostname x',
    'date 010203042026',
    './x --version',
    'PATH=. ls',
    'GIT_EXTERNAL_DIFF=./x git diff',
    'git -c core.fsmonitor=./x status',
    'git --exec-path=. status',
    'git grep -O./x a',
    'git grep --open-files-in-pager=./x a',
    'git log --outpu=x',
    'git stash list --output=x',
    'git reflog expire --all',
    'git branch list',
    'git tag list',
    'git commit -m x',
    'git branch new',
    'git stash',
    'node -e 1',
    'bash -c ls',
    'ls; touch x',
    'ls $(touch x)',
    'xargs rm',
    '$x',
    "ls 'a",
    'x=1',
    '',
  ])('that may do more can do anything, in the workspace: %s', (command) => {
    expect(need(command)).toEqual({ effect: 'unknown', reach: 'work' })
    expect(need(command, 'prompt')).toEqual({ effect: 'unknown', reach: 'work' })
  })

  test('gets what it asks for, also when it looks', () => {
    expect(need('ls', 'workspace-write', 'work')).toEqual({ effect: 'unknown', reach: 'work' })
    expect(need('curl -s https://x.example', 'workspace-write', 'network').reach).toBe('network')
    expect(need('ls', 'workspace-write', 'open')).toEqual({ effect: 'unknown', reach: 'open' })
  })

  test('only looks in read-only, whatever it is, because nothing else is possible there', () => {
    expect(need('npm test', 'read-only')).toEqual({ effect: 'probe', reach: 'look' })
    expect(need('npm ci', 'read-only', 'network')).toEqual({ effect: 'unknown', reach: 'network' })
  })

  test('has no walls in modes that want none', () => {
    expect(need('npm test', 'danger-full-access').reach).toBe('open')
    expect(need('npm test', 'allow').reach).toBe('open')
  })

  test('is not held to looking where there are no walls to hold it', () => {
    const missing = policy('read-only', [], 'user', { state: 'missing', kind: 'none', guarantees: [] })
    expect(needOf({ effect: 'unknown', paths: [], command: 'npm test' }, missing)).toEqual({
      effect: 'unknown',
      reach: 'work',
    })
  })
})

describe('a tool for files', () => {
  const inside = { path: '/w/a', inside: true }
  const away = { path: '/elsewhere/a', inside: false }
  test.each([
    ['none', [], 'look'],
    ['probe', [inside], 'look'],
    ['probe', [away], 'look'],
    ['probe', [{ ...away, access: 'hidden' }], 'open'],
    ['write', [inside], 'work'],
    ['write', [inside, away], 'open'],
    ['write', [{ ...away, access: 'writable' }], 'work'],
    ['write', [{ ...inside, access: 'readonly' }], 'open'],
    ['write', [{ ...inside, access: 'hidden' }], 'open'],
    ['unknown', [inside], 'open'],
  ] as const)('with effect %s on %j reaches as far as %s', (effect, paths, reach) => {
    expect(needOf({ effect, paths }, policy('workspace-write'))).toEqual({ effect, reach })
  })

  test('sees only the workspace where there are no walls', () => {
    const missing = policy('workspace-write', [], 'user', { state: 'missing', kind: 'none', guarantees: [] })
    expect(needOf({ effect: 'probe', paths: [inside] }, missing).reach).toBe('look')
    expect(needOf({ effect: 'probe', paths: [away] }, missing).reach).toBe('open')
  })
})
