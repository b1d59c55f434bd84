import { expect, test } from 'vitest'
import { parse } from '../../src/arguments/parse.ts'
import { commands, main } from '../../src/commands/table.ts'
import { flagRules } from '../../src/permissions/flag-rules.ts'

function rules(...words: readonly string[]): string[] {
  return flagRules(parse(words, commands, main)).map(({ permit, pattern }) => `${permit} ${pattern}`)
}

test.for([
  [
    ['--allowed-tools', 'Read,Grep'],
    ['allow Read', 'allow Grep'],
  ],
  [
    ['--allowedTools', 'Bash(git log:*),Edit'],
    ['allow Bash(git log:*)', 'allow Edit'],
  ],
  [
    ['--allowed-tools', 'Bash(npm run a, b) Edit'],
    ['allow Bash(npm run a, b)', 'allow Edit'],
  ],
  [['--allowed-tools', 'Bash(echo (x) y)'], ['allow Bash(echo (x) y)']],
  [
    ['--allowed-tools', 'Read', '--allowed-tools', 'Edit', '--disallowed-tools', 'Bash'],
    ['allow Read', 'allow Edit', 'deny Bash'],
  ],
  [[], []],
] as const)('%j are %j', ([words, expected]) => {
  expect(rules(...words)).toEqual(expected)
})

test('a rule that cannot be understood names its option', () => {
  expect(() => rules('--allowed-tools', 'Bash(')).toThrow(/--allowed-tools: .*Tool\(pattern\)/)
})
