import { describe, expect, test } from 'vitest'
import { splitCommand } from '../../src/permission/split-command.ts'

const textsOf = (command: string) => splitCommand(command).commands.map(({ text }) => text)

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
    ['! time a', ['a']],
    ['a "$(b `c`)"', ['a "$(b `c`)"', 'b `c`', 'c']],
    ['x=$(a) b', ['b', 'a']],
    ['a > $(b)', ['a', 'b']],
    ['a <<E\n$(b)\nE', ['a', 'b']],
    ['[[ -n $(a) ]] && echo $(( $(b) ))', ['a', 'echo $(( $(b) ))', 'b']],
    ['timeout 5 nice a b', ['timeout 5 nice a b', 'nice a b', 'a b']],
    ['env X=1 a', ['env X=1 a', 'a']],
    ['sudo -u me a b', ['sudo -u me a b', 'a b']],
    ["bash -c 'a; b'", ["bash -c 'a; b'", 'a', 'b']],
    ['eval a "b c"', ['eval a "b c"', 'a b c']],
    ["trap 'a' EXIT", ["trap 'a' EXIT", 'a']],
    ['bash <<E\na\nE', ['bash', 'a']],
    ['a | xargs -n 1 b c', ['a', 'xargs -n 1 b c', 'b c …']],
    ['find . -exec a {} \\; -exec b {} +', ['find . -exec a {} \\; -exec b {} +', 'a {}', 'b {}']],
    ['git bisect run a b', ['git bisect run a b', 'a b']],
    ['uv run a b', ['uv run a b', 'a b']],
    ['coproc a', ['a']],
    ['> x', []],
    ['x=1', []],
  ])('%j', (command, texts) => {
    expect(textsOf(command)).toEqual(texts)
  })
})

test('words come without quotes, and in all the forms that braces give them', () => {
  const { commands } = splitCommand(`'r'"m" -r\\f a\\ b {c,d} $'e\\tf' "$g"`)
  expect(commands[0]?.words).toEqual(['rm', '-rf', 'a b', 'c', 'd', 'e\tf', '$g'])
})

describe('a line is complete', () => {
  test.each(['ls', 'npm test && git push', "bash -c 'a b'", 'a "$b"', 'find . -exec a {} +'])('%s', (command) => {
    expect(splitCommand(command).complete).toBe(true)
  })

  test.each([
    '$a',
    'eval "$a"',
    'echo a | sh',
    'bash -c "$a"',
    'source "$a"',
    "ls 'a",
    'git $a',
    '/elsewhere/a',
    'su -c "$a"',
  ])('unless part of it shows only when it runs: %s', (command) => {
    expect(splitCommand(command).complete).toBe(false)
  })
})
