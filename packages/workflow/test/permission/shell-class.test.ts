import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellClass } from '../../src/permission/shell-class.ts'
import { hostileCommands } from './hostile-commands.ts'
import { anyText, hostileFragments, operators, probeCommand } from './random-commands.ts'

const root = '/w'
const classOf = (command: string) => shellClass(command, { root }).class
const runs = times({ quick: 200, ci: 5000, long: 50_000 })

describe.each(Object.entries(hostileCommands))('%s', (_, pairs) => {
  test.each(pairs)('%j is %s, and %j is %s', (hostile, is, twin, twinIs) => {
    expect([classOf(hostile), classOf(twin)]).toEqual([is, twinIs])
  })
})

test('at least 200 different hostile commands are known, and none of them only looks', () => {
  const hostile = Object.values(hostileCommands).flatMap((pairs) => pairs.map(([command]) => command))
  expect(new Set(hostile).size).toBe(hostile.length)
  expect(hostile.length).toBeGreaterThanOrEqual(200)
  expect(hostile.filter((command) => classOf(command) === 'probe')).toEqual([])
})

describe('the reasons', () => {
  test('name the part of the command, the worst first', () => {
    const { reasons } = shellClass('ls && npm test && sudo rm x > out', { root })
    expect(reasons.map(({ level, part }) => [level, part])).toEqual([
      ['danger', 'sudo rm x'],
      ['run', 'npm test'],
      ['write', 'rm x'],
      ['write', '> out'],
      ['probe', 'ls'],
    ])
  })

  test('say why', () => {
    expect(shellClass('find . -delete').reasons[0]).toMatchObject({ why: 'deletes whatever it finds' })
    expect(shellClass('cat a > /etc/x').reasons[0]?.why).toContain('belongs to the system')
    expect(shellClass("echo 'a").reasons[0]?.why).toContain('cannot be parsed')
  })

  test('shorten long parts', () => {
    expect(shellClass(`rm ${'x'.repeat(500)}`).reasons[0]?.part.length).toBeLessThanOrEqual(120)
  })
})

describe('paths', () => {
  test.each([
    ['touch /w/x', 'write'],
    ['touch /w/../x', 'ask'],
    ['touch sub/../x', 'write'],
    ['touch sub/../../x', 'ask'],
    ['touch ../w/x', 'write'],
    ['touch /wx', 'ask'],
    ['touch ~/x', 'ask'],
    ['touch "$HOME/x"', 'ask'],
    ['touch "$dir/x"', 'ask'],
    ['touch /usr/local/x', 'danger'],
    ['touch /etc/../w/x', 'write'],
    ['touch "/etc/$x"', 'danger'],
    ['cd sub && touch ../x', 'write'],
    ['cd sub && touch ../../x', 'ask'],
    ['cd sub; touch ../x', 'ask'],
    ['cd /w/sub && touch x', 'write'],
    ['cd /elsewhere && npm test', 'ask'],
    ['cd "$dir" && touch x', 'ask'],
    ['(cd /tmp; touch x)', 'ask'],
    ['rm -rf /w', 'danger'],
    ['rm -rf /w/', 'danger'],
    ['rm -rf /w/dist', 'write'],
  ])('%s is %s', (command, level) => {
    expect(shellClass(command, { root }).level).toBe(level)
  })

  test('without a workspace every absolute path is outside', () => {
    expect(shellClass('touch /w/x').level).toBe('ask')
    expect(shellClass('touch x').level).toBe('write')
  })
})

describe('what nobody can read', () => {
  test('a command of 100 kB is not judged', () => {
    const found = shellClass(`echo ${'a'.repeat(100_000)}`)
    expect(found).toMatchObject({ class: 'unknown', level: 'ask' })
  })

  test.each([
    '(',
    '{ ',
    '$(',
    '`',
    '"$(',
    '${x:-',
    '$((',
    '[[ ',
    '<(',
    '<<E\n',
    'if ',
    '((',
    'a=(',
    'f() { ',
    '!',
    'a|',
    '{a,',
  ])('thousands of %s are not judged', (piece) => {
    expect(classOf(piece.repeat(16_000 / piece.length))).not.toBe('probe')
  })

  test('text that starts text that starts text ends somewhere', () => {
    expect(shellClass(`${'eval '.repeat(100)}ls`).level).toBe('ask')
    expect(shellClass(`${'timeout 5 '.repeat(100)}ls`).level).toBe('ask')
  })

  test('any text has a class, and never an error', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(['probe', 'write', 'unknown', 'danger']).toContain(classOf(text))
      }),
      { numRuns: runs * 4 },
    )
  })
})

describe('commands that only look', () => {
  test('stay so behind one another', () => {
    fc.assert(
      fc.property(probeCommand, operators, probeCommand, (one, operator, other) => {
        expect(classOf(one)).toBe('probe')
        expect(classOf(`${one}${operator}${other}`)).toBe('probe')
      }),
      { numRuns: runs },
    )
  })

  test('do not only look with anything hostile behind or before them, or within', () => {
    fc.assert(
      fc.property(probeCommand, operators, hostileFragments, (one, operator, fragment) => {
        const lines = [
          `${one}${operator}${fragment}`,
          `${fragment}${operator}${one}`,
          `if true; then ${one}${operator}${fragment}\nfi`,
          `{ ${one}\n${fragment}\n}`,
          `(${fragment}\n)`,
          `echo "$(${fragment}\n)"`,
          `for f in a; do ${fragment}\ndone`,
        ]
        expect(lines.filter((line) => classOf(line) === 'probe')).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})
