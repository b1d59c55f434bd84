import { stripVTControlCharacters, styleText } from 'node:util'
import { describe, expect, test } from 'vitest'
import { MarkdownLines } from '../../src/interactive/markdown.ts'
import type { Paint } from '../../src/screen/paint.ts'
import { widthOf } from '../../src/screen/width.ts'

const plain: Paint = (_style, text) => text
/** Styles as tags, so that one sees what is painted. */
const tagged: Paint = (style, text) => `<${[style].flat().join('+')}>${text}</>`
const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false })

function rendered(text: string, { columns = 40, paint = plain } = {}): string[] {
  const markdown = new MarkdownLines(paint, () => columns)
  return [...text.split('\n').flatMap((line) => markdown.line(line)), ...markdown.end()]
}

describe('Markdown becomes lines of a terminal', () => {
  test.each([
    ['a heading', '## What I **found** ##', ['<bold>What I </><bold+bold>found</>']],
    ['bold, italic and code', 'a **b** *c* `d`', ['a <bold>b</> <italic>c</> <cyan>d</>']],
    ['underscores as marks', '__b__ and _c_', ['<bold>b</> and <italic>c</>']],
    ['underscores within names', 'snake_case_name and 2*3*4', ['snake_case_name and 2<italic>3</>4']],
    ['code with marks in it', '`**not bold**` and ``a ` b``', ['<cyan>**not bold**</> and <cyan>a ` b</>']],
    ['marks that nobody closes', 'a ** b and `c', ['a ** b and `c']],
    ['escaped marks', '\\*no\\*', ['*no*']],
    ['a link', 'see [docs](http://x.y/z "t")', ['see docs<dim> (http://x.y/z)</>']],
    ['a link that says where it leads', '[http://x.y](http://x.y)', ['http://x.y']],
    ['a rule', '***', ['<dim>------------------------</>']],
    ['a quote', '> said', ['> <dim>said</>']],
  ])('%s', (_name, text, lines) => {
    expect(rendered(text, { paint: tagged })).toEqual(lines)
  })

  test.each([
    ['a paragraph', 'one two three four five six', ['one two three four', 'five six']],
    ['a list', '- one two three four five', ['- one two three', '  four five']],
    ['a list with other marks', '* one\n+ two', ['- one', '- two']],
    ['a numbered list', '10. one two three four five', ['10. one two three', '    four five']],
    ['a nested list', '  - one two three four', ['  - one two three', '    four']],
    ['a quote', '> one two three four five', ['> one two three', '> four five']],
    ['a word that is too long', 'abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnopqrs', 'tuvwxyz']],
    ['wide letters', '日本語日本語日本語日本語', ['日本語日本語日本語', '日本語']],
  ])('%s is broken where it reads well', (_name, text, lines) => {
    expect(rendered(text, { columns: 20 })).toEqual(lines)
  })
})

test('a style goes on over a line break', () => {
  expect(rendered('a **bold text that is long** end', { columns: 16, paint: tagged })).toEqual([
    'a <bold>bold text</>',
    '<bold>that is long</>',
    'end',
  ])
})

test('code keeps its lines and spaces, however long they are', () => {
  const code = `const a  =  ${'b'.repeat(60)}`
  expect(rendered(`\`\`\`js\n${code}\n\n  **c**\n\`\`\`\nafter`)).toEqual([
    '  js:',
    `  ${code}`,
    '',
    '    **c**',
    'after',
  ])
})

test('a fence within a longer fence is code', () => {
  expect(rendered('````\n```\nx\n```\n````\n*a*', { paint: tagged })).toEqual([
    '  <cyan>```</>',
    '  <cyan>x</>',
    '  <cyan>```</>',
    '<italic>a</>',
  ])
})

describe('a table', () => {
  const table = '| file | what |\n| --- | :-: |\n| a.js | *reads* a \\| b |\n| long/name.ts | x |'

  test('stands in columns', () => {
    expect(rendered(`${table}\n\nafter`)).toEqual([
      'file          what',
      '------------  -----------',
      'a.js          reads a | b',
      'long/name.ts  x',
      '',
      'after',
    ])
  })

  test('gives way where it is too wide, the widest column first', () => {
    expect(rendered('| a | b |\n|---|---|\n| one | two three four five six seven |', { columns: 24 })).toEqual([
      'a    b',
      '---  ------------------',
      'one  two three four',
      '     five six seven',
    ])
  })

  test('takes as few rows as it can, whichever of its columns is the wide one', () => {
    const wide =
      '| a key | what |\n|---|---|\n| Shift-Enter or Alt-Enter | begins another line of the text that is written |'
    expect(rendered(wide, { columns: 40 })).toEqual([
      'a key          what',
      '-------------  ------------------------',
      'Shift-Enter    begins another line of',
      'or Alt-Enter   the text that is written',
    ])
  })

  test('becomes a list where a word would be broken that a line has room for', () => {
    const wide = '| name | package |\n|---|---|\n| anthropic | @ai-sdk/openai-compatible |'
    expect(rendered(wide, { columns: 30 })).toEqual(['name: anthropic', 'package:', '  @ai-sdk/openai-compatible'])
  })

  test('becomes a list where its columns do not fit at all', () => {
    const wide = '| first | second | third |\n|---|---|---|\n| aaaaaaaaaa | bbbbbbbbbb | cccccccccc |'
    expect(rendered(wide, { columns: 20 })).toEqual(['first: aaaaaaaaaa', 'second: bbbbbbbbbb', 'third: cccccccccc'])
  })

  test('is none without the line below its head', () => {
    expect(rendered('| just | bars |\nafter')).toEqual(['| just | bars |', 'after'])
  })

  test('is shown while it is written', () => {
    const markdown = new MarkdownLines(plain, () => 40)
    for (const line of table.split('\n')) expect(markdown.line(line)).toEqual([])
    expect(markdown.preview('| m')).toEqual([
      'file          what',
      '------------  -----------',
      'a.js          reads a | b',
      'long/name.ts  x',
      '| m',
    ])
  })
})

test('a line that is being written is shown as it will look, and nothing is kept of that', () => {
  const markdown = new MarkdownLines(tagged, () => 40)
  expect(markdown.preview('a **bo')).toEqual(['a **bo'])
  expect(markdown.preview('a **bold**')).toEqual(['a <bold>bold</>'])
  expect(markdown.preview('``')).toEqual([])
  expect(markdown.preview('```js')).toEqual([])
  expect(markdown.line('*x*')).toEqual(['<italic>x</>'])
})

test('an answer that ends within code does not reach into the next', () => {
  const markdown = new MarkdownLines(tagged, () => 40)
  markdown.line('```')
  markdown.end()
  expect(markdown.line('*a*')).toEqual(['<italic>a</>'])
})

test('nothing that a model writes can steer the terminal', () => {
  const evil = '\x1b[2J\x1b]0;title\x07 `\x1b[31m` **\u009b2J** \u202etxt.exe'
  const lines = rendered(`${evil}\n\`\`\`\n${evil}\n\`\`\`\n| a | b |\n|---|---|\n| ${evil} | x |`, { columns: 200 })
  expect(lines.join('\n')).not.toMatch(/[^\P{C}\n]/u)
  expect(lines[0]).toContain('\\x1b[2J')
})

test('lines that break fit, however they are painted', () => {
  const text =
    'Long **bold words** and `code` with 日本語 and 👩‍👩‍👧 and [a link](http://example.org/long/path) in it. '.repeat(4)
  for (const columns of [20, 33, 60, 80]) {
    for (const line of rendered(`- ${text}\n> ${text}\n${text}`, { columns, paint: coloured })) {
      expect(widthOf(stripVTControlCharacters(line))).toBeLessThan(columns)
    }
  }
})

test('of a very long line with marks that open and never close nothing is lost', () => {
  expect(rendered('`a'.repeat(1_001)).join('').match(/a/g)).toHaveLength(1_001)
})
