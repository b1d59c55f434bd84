import { expect, test } from 'vitest'
import { CodeColours } from '../../src/interactive/code-colours.ts'
import type { Paint } from '../../src/screen/paint.ts'

const named: Paint = (style, text) => `<${String(style)}:${text}>`
const plain: Paint = (_style, text) => text

function coloured(language: string, ...lines: readonly string[]): string[] {
  const colours = new CodeColours(language, named)
  return lines.map((line) => colours.line(line))
}

test('words of the language, texts, numbers and comments have their colours', () => {
  expect(coloured('ts', "const a = f('x // y', 42) // why")).toEqual([
    "<magenta:const> a = f(<green:'x // y'>, <cyan:42>) <dim:// why>",
  ])
  expect(coloured('py', 'def f(): # "why"')).toEqual(['<magenta:def> f(): <dim:# "why">'])
})

test('a comment or text of several lines keeps its colour until it ends', () => {
  expect(coloured('js', 'a /* one', 'two */ b', '`x', 'if` if')).toEqual([
    'a <dim:/* one>',
    '<dim:two */> b',
    '<green:`x>',
    '<green:if`> <magenta:if>',
  ])
})

test('a diff shows what comes and goes; what is no known language has one colour', () => {
  expect(coloured('diff', '--- a/x', '@@ -1 +1 @@', '-old', '+new', ' same')).toEqual([
    '<bold:--- a/x>',
    '<cyan:@@ -1 +1 @@>',
    '<red:-old>',
    '<green:+new>',
    ' same',
  ])
  expect(coloured('brainf', '+-')).toEqual(['<cyan:+->'])
  expect(coloured('constructor', 'x')).toEqual(['<cyan:x>'])
})

test('not a character is lost or added, whatever the line', () => {
  const hostile = [
    '"open',
    "it's",
    '\\"',
    '日本語 👩‍💻 "é" 1e9',
    '`${a}`',
    "'''",
    '"""x',
    '   ',
    '/**/ /*',
    '*/ //',
    '\u{d800}x',
  ]
  for (const language of ['ts', 'py', 'sql', 'diff', 'unknown']) {
    const colours = new CodeColours(language, plain)
    expect(hostile.map((line) => colours.line(line))).toEqual(hostile)
  }
})
