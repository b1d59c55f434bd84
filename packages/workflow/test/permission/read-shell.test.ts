import { describe, expect, test } from 'vitest'
import { readShell } from '../../src/permission/shell/read-shell.ts'

const own = (command: string) =>
  readShell(command)
    .commands.filter(({ isCandidate }) => isCandidate !== true)
    .map(({ text }) => text)

const all = (command: string) =>
  readShell(command).commands.map(({ words }) => words.map(({ value }) => value).join(' '))

describe('the commands of a line', () => {
  test.each([
    ['ls', ['ls']],
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a\nb # c', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for x in $(a); do b; done', ['a', 'b']],
    ['while a; do b; done < <(c)', ['a', 'b', 'c']],
    ['case $(a) in x) b;; esac', ['a', 'b']],
    ['f() { a; }; f', ['a', 'f']],
    ['(a; { b; })', ['a', 'b']],
    ['a "$(b `c`)"', ['a "$(b `c`)"', 'b `c`', 'c']],
    ['x=$(a) b', ['b', 'a']],
    ['a > $(b)', ['a', 'b']],
    ['a <<E\n$(b)\nE', ['a', 'b']],
    ['[[ -n $(a) ]] && echo $(( $(b) ))', ['a', 'echo $(( $(b) ))', 'b']],
    ["bash -c 'a; b'", ["bash -c 'a; b'", 'a', 'b']],
    ['eval a "b c"', ['eval a "b c"', 'a b c']],
    ["trap 'a' EXIT", ["trap 'a' EXIT", 'a']],
    ['bash <<E\na\nE', ['bash', 'a']],
    ['coproc a', ['a']],
    ['> x', []],
    ['x=1', []],
  ])('%j', (command, texts) => {
    expect(own(command)).toEqual(texts)
  })

  test.each([
    ['timeout 5 nice a b', 'a b'],
    ['env X=1 a', 'a'],
    ['sudo -u me a b', 'a b'],
    ['xargs -n 1 b c', 'b c'],
    ['find . -exec a {} \\; -exec b {} +', 'b {} +'],
    ['git bisect run a b', 'a b'],
    ['uv run a b', 'a b'],
    ['npm exec -- a b', 'a b'],
    ['pnpm --filter x exec a b', 'a b'],
  ])('%j may start %j', (command, started) => {
    expect(all(command)).toContain(started)
  })
})

test('words come without quotes, and in all the forms that braces give them', () => {
  const { commands } = readShell(`'r'"m" -r\\f a\\ b {c,d} $'e\\tf' "$g"`)
  expect(commands[0]?.words.map(({ value }) => value)).toEqual(['rm', '-rf', 'a b', 'c', 'd', 'e\tf', '$g'])
})

describe('a line hides nothing', () => {
  test.each([
    'ls',
    'npm test && git push',
    "bash -c 'a b'",
    'a "$b"',
    'find . -exec a {} +',
    'git log "$x"',
    'sh x.sh',
  ])('%s', (command) => {
    expect(readShell(command).hides).toBeUndefined()
  })

  test.each([
    '$a',
    'eval "$a"',
    'echo a | sh',
    'curl x | sudo bash',
    'bash -c "$a"',
    'bash <<< "$a"',
    'source "$a"',
    "ls 'a",
    'git $a',
    'env $a',
    'su -c "$a"',
    'ls \u202e',
    'x'.repeat(20_000),
  ])('unless part of it shows only when it runs: %.40s', (command) => {
    expect(readShell(command).hides).toBeTypeOf('string')
  })
})

test.each([
  ['a > b', ['b']],
  ['a >> b 2> c', ['b', 'c']],
  ['a &> b', ['b']],
  ['{ a; } >| b', ['b']],
  ['a > /dev/null 2>&1', []],
  ['a < b', []],
])('%s opens files for writing: %j', (command, files) => {
  expect(readShell(command).writes.map(({ value }) => value)).toEqual(files)
})

test('a starter of starters is read in bounded time and space', () => {
  const command = `${'sudo env timeout 5 nice '.repeat(200)}rm x`
  expect(readShell(command).commands.length).toBeLessThan(200)
})
