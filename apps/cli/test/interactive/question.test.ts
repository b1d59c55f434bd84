import type { PermissionRule, PermissionQuestion } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { permissionQuestion, userQuestion, type Question } from '../../src/interactive/question.ts'
import type { LineStyle } from '../../src/screen/event-lines.ts'
import { glyphsFor } from '../../src/screen/glyphs.ts'
import { widthOf } from '../../src/screen/width.ts'

const look: LineStyle = { paint: (_style, text) => text, glyphs: glyphsFor({ environment: {} }), columns: 60 }

test('a tool with a title is asked about by its title', () => {
  expect(permit({ title: 'Run a command' }).lines.join('\n')).toContain('Run a command? (bash)')
})

function permit(rest: Partial<PermissionQuestion> = {}) {
  const asked = { questionId: 'q_1', callId: 'call_1', tool: 'bash', preview: 'git  push', reason: 'the mode asks' }
  const rule: PermissionRule = { permit: 'allow', pattern: 'Bash(git push:*)', reach: 'network' }
  return permissionQuestion({ ...asked, rule, ...rest }, look)
}

function withoutRule() {
  return permissionQuestion({ questionId: 'q_1', callId: 'call_1', tool: 'bash', preview: 'x', reason: 'y' }, look)
}

/** What is asked and what may be answered, without the breaks of its lines. */
function shown(question: Question<unknown> | undefined): string {
  return [...(question?.lines ?? []), ...(question?.choices(look) ?? [])].join('\n').replaceAll(/\n */g, ' ')
}

describe('a lasting yes to a command that has a kind', () => {
  const rules = {
    rule: { permit: 'allow', pattern: 'Bash(npm test:*)' },
    exactRule: { permit: 'allow', pattern: 'Bash(npm test -- --watch)' },
  } as const

  test.each([
    ['s', 'session'],
    ['always', 'always'],
  ] as const)('%j alone permits nothing: it asks what for, and shows both rules', (line, scope) => {
    expect(permit(rules).read(line)).toBeUndefined()
    const next = permit(rules).further?.(line)
    const text = shown(next)
    expect(text).toContain('c  this very call: Bash(npm test -- --watch)')
    expect(text).toContain('k  every command that begins with "npm test": Bash(npm test:*)')
    expect(next?.read('c')).toEqual({ permit: 'allow', scope, extent: 'call' })
    expect(next?.read('K')).toEqual({ permit: 'allow', scope, extent: 'kind' })
    expect(next?.read('y')).toEqual({ permit: 'allow', scope: 'once' })
    expect(next?.read('n use pnpm')).toEqual({ permit: 'deny', scope: 'once', reason: 'use pnpm' })
    for (const other of ['', 's', 'a', 'k but why', 'c d']) expect(next?.read(other)).toBeUndefined()
  })

  test.each(['y', 'n', 'n not so', 'x', 'a better way'])('%j leads to no other question', (line) => {
    expect(permit(rules).further?.(line)).toBeUndefined()
  })

  test('rows fit at 40 columns', () => {
    const next = permissionQuestion(
      { questionId: 'q_1', callId: 'call_1', tool: 'bash', preview: 'x', reason: 'y', ...rules },
      { ...look, columns: 40 },
    ).further?.('a')
    for (const line of [...(next?.lines ?? ['x'.repeat(41)]), ...(next?.choices({ ...look, columns: 40 }) ?? [])])
      expect(widthOf(line)).toBeLessThan(40)
  })
})

describe('an answer to the question whether a call may run', () => {
  test.each([
    ['y', { permit: 'allow', scope: 'once' }],
    ['YES', { permit: 'allow', scope: 'once' }],
    [' s ', { permit: 'allow', scope: 'session' }],
    ['a', { permit: 'allow', scope: 'always' }],
    ['always', { permit: 'allow', scope: 'always' }],
    ['n', { permit: 'deny', scope: 'once' }],
    ['no.', { permit: 'deny', scope: 'once' }],
    ['n not before\nthe tests pass', { permit: 'deny', scope: 'once', reason: 'not before\nthe tests pass' }],
    ['no, ask first', { permit: 'deny', scope: 'once', reason: 'ask first' }],
  ])('%j is one', (line, answer) => {
    expect(permit().read(line)).toEqual(answer)
  })

  test.each(['', '  ', 'x', 'a better way would be this', 'yes but not here', 'say that again', 'sure', 'nope'])(
    '%j is none, so that nothing is allowed by accident',
    (line) => {
      expect(permit().read(line)).toBeUndefined()
    },
  )

  test('only letters that say yes need no Enter', () => {
    expect(permit().letters).toBe('ysa')
  })
})

test('the command is shown to its last space, whatever the width of the terminal', () => {
  const command = `rm -rf "some  folder" && echo ${'x'.repeat(150)}   end`
  const { lines } = permit({ preview: command })
  const asked = lines.findIndex((line) => line.includes('Asked because'))
  const shown = lines
    .slice(0, asked)
    .filter((line) => line.startsWith('    '))
    .map((line) => line.slice(4))
  expect(shown.join('')).toBe(command)
})

test('the whole of a long diff is shown', () => {
  const added = Array.from({ length: 90 }, (_, index) => `+line ${index}`)
  const { lines } = permit({
    tool: 'write',
    preview: ['--- /dev/null', '+++ a.txt', '@@ -0,0 +1,90 @@', ...added].join('\n'),
  })
  for (const line of added) expect(lines).toContain(`    ${line}`)
})

test('of what is too long to be kept in the session it is said that this is the beginning', () => {
  const { lines } = permit({ preview: { blob: 'b', bytes: 120_000, excerpt: 'cat <<EOF' } })
  expect(lines).toContain('  This is only the beginning of 117 kB.')
})

test('it says what asks, and what each answer means', () => {
  const text = shown(permit({ reason: 'to be asked by the rule Bash(git push:*) (rules.json:3)' }))
  expect(text).toContain('May bash do this?')
  expect(text).toContain('Asked because: to be asked by the rule Bash(git push:*) (rules.json:3)')
  expect(text).toContain('a  yes, Bash(git push:*)@network always in this project')
})

test.each<[PermissionRule | undefined, string]>([
  [{ permit: 'allow', pattern: 'write(./a.ts)' }, 'write(./a.ts)'],
  [{ permit: 'allow', tool: 'deploy' }, 'tool=deploy'],
  [undefined, 'everything that bash does'],
])('a lasting yes is about the rule that is shown: %j', (rule, what) => {
  const asked = rule === undefined ? withoutRule() : permit({ rule })
  expect(shown(asked)).toContain(`yes, ${what} always in this project`)
})

test('what the model says it needs is shown', () => {
  expect(permit({ reach: 'network', why: 'to fetch the packages' }).lines.join('\n')).toContain(
    'The model says: to fetch the packages',
  )
})

test('nothing in a call can steer the terminal, and nothing is wider than it', () => {
  const evil = '\x1b[2J\u202e\u009b31m日本語 '.repeat(20)
  for (const preview of [evil, `--- a\n+++ ${evil}\n@@ -1 +1 @@\n+${evil}`]) {
    const asked = permit({ preview, reason: evil, tool: 'x\x1b[1m' })
    for (const line of [...asked.lines, ...asked.choices(look)]) {
      expect(line).not.toMatch(/\p{C}/u)
      expect(widthOf(line)).toBeLessThan(60)
    }
  }
})

describe('a question of the model', () => {
  const options = [{ label: 'red', description: 'like fire' }, { label: 'green' }]
  const question = userQuestion(
    { questionId: 'q_1', text: 'Which colour?\n\nIt matters.', title: 'Colour', options },
    look,
  )

  test('stands there with its options', () => {
    expect(question.lines).toEqual([
      '',
      '? Colour',
      '    Which colour?',
      '    ',
      '    It matters.',
      '    1. red: like fire',
      '    2. green',
    ])
    expect(question.prompt).toBe('1-2 or words> ')
  })

  test.each([
    ['1', 'red'],
    [' 2 ', 'green'],
    ['3', '3'],
    ['0', '0'],
    ['blue, but dark', 'blue, but dark'],
    ['  ', undefined],
  ])('%j is the answer %j', (line, answer) => {
    expect(question.read(line)).toBe(answer)
  })

  test('without options is answered in words', () => {
    const free = userQuestion({ questionId: 'q_1', text: 'Why?' }, look)
    expect(free.prompt).toBe('answer> ')
    expect(free.read('1')).toBe('1')
  })
})
