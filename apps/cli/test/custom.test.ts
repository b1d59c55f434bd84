import { describe, expect, test } from 'vitest'
import { customCommand, expanded } from '../src/custom/custom-command.ts'

const about = { name: 'review', file: '/a/review.md', origin: 'user' } as const

describe('the words behind a command', () => {
  test.for([
    ['Fix $ARGUMENTS now', 'a b', 'Fix a b now'],
    ['Fix $1, then $2', 'a b', 'Fix a, then b'],
    ['Fix $2 of $1', '"a b" \'c d\'', 'Fix c d of a b'],
    ['Fix $1 and $3', 'a', 'Fix a and'],
    ['It costs $10', 'a', 'It costs $10\n\na'],
    ['Fix it', 'as I said', 'Fix it\n\nas I said'],
    ['Fix it', '', 'Fix it'],
    ['Use $ARGUMENTS', '$1 $ARGUMENTS', 'Use $1 $ARGUMENTS'],
    ['$ARGUMENTSX', '', '$ARGUMENTSX'],
  ] as const)('%j with %j is %j', ([body, words, task]) => {
    expect(expanded({ body }, words)).toBe(task)
  })
})

describe('the file of a command', () => {
  test('says what it is for, and what its task may use', () => {
    const text =
      '---\ndescription: "Looks at: changes"\nargument-hint: [branch]\nallowed-tools: Read, Bash(git diff:*, x)\nmodel: opus\n---\n# Review\n\nLook at $1.\n'
    expect(customCommand(about, text)).toMatchObject({
      description: 'Looks at: changes',
      hint: '[branch]',
      allowedTools: ['Read', 'Bash(git diff:*, x)'],
      body: '# Review\n\nLook at $1.\n',
    })
  })

  test.for([
    ['allowed-tools: ["Read", "Bash(ls)"]', ['Read', 'Bash(ls)']],
    ['allowed-tools:\n  - Read\n  - Bash(git log:*)', ['Read', 'Bash(git log:*)']],
    ['allowed-tools:', []],
  ] as const)('may list it as %j', ([line, allowedTools]) => {
    expect(customCommand(about, `---\n${line}\n---\nx`)).toMatchObject({ allowedTools })
  })

  test('needs no more than a text', () => {
    expect(customCommand(about, '# Look around\nAnd tell.')).toMatchObject({
      description: 'Look around',
      allowedTools: [],
    })
    expect(customCommand(about, '---\nnot closed')).toMatchObject({ body: '---\nnot closed' })
  })
})
