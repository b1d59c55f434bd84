import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCheck } from '../../src/goal/read-check.ts'
import { commands } from './commands.table.ts'

test.for(commands)('`$command` shows $strength', ({ command, strength, narrow = false, ...others }) => {
  expect(readCheck(command)).toMatchObject({ strength, narrow, ...others })
})

test('whatever comes before it, a command whose exit code is thrown away shows nothing', () => {
  const sample = fc.constantFrom(...commands.map(({ command }) => command).filter((command) => !command.endsWith('&&')))
  const careless = fc.constantFrom(' || true', '; true', '\nexit 0', ' | tee log', '\n:')
  fc.assert(
    fc.property(sample, careless, (command, rest) => {
      // What is left of the list when its middle stops early is another matter.
      fc.pre(!/set -|exit|trap/.test(command))
      return readCheck(`(${command || ':'})${rest}`).strength === 'nothing'
    }),
  )
})

test.for(['(', '{ ', '! ', '$(', 'if ', '[[ ( ', 'a && ', 'bash -c ', '"$('])(
  '%j can be nested without end',
  (opening) => {
    expect(readCheck(opening.repeat(5_000)).strength).not.toBe('behaviour')
  },
)

test('any text can be read', () => {
  const words = fc.constantFrom(
    'npm',
    'test',
    '||',
    '&&',
    '(',
    ')',
    '|',
    ';',
    '"',
    "'",
    '$(',
    '`',
    'if',
    'fi',
    '<<E',
    '\\',
    '{',
    '}',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(words).map((parts) => parts.join(' ')),
  )
  fc.assert(fc.property(text, (command) => typeof readCheck(command).strength === 'string'))
})
