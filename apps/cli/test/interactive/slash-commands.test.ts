import { describe, expect, test } from 'vitest'
import { completeSlash, readSlash, slashCommands, slashHelp } from '../../src/interactive/slash-commands.ts'
import { glyphsFor } from '../../src/screen/glyphs.ts'
import { widthOf } from '../../src/screen/width.ts'

describe('a line that begins with a slash', () => {
  test.each([
    ['/help', { kind: 'command', slash: { name: 'help', words: '' } }],
    [' ? ', { kind: 'command', slash: { name: 'help', words: '' } }],
    ['? what is this', undefined],
    ['  /mode   plan ', { kind: 'command', slash: { name: 'mode', words: 'plan' } }],
    ['/rename Fix the\nparser', { kind: 'command', slash: { name: 'rename', words: 'Fix the\nparser' } }],
    ['/exit', { kind: 'command', slash: { name: 'quit', words: '' } }],
    ['/nonsense now', { kind: 'unknown', name: 'nonsense' }],
    ['/constructor', { kind: 'unknown', name: 'constructor' }],
    ['/etc/passwd is wrong', undefined],
    ['/tmp.txt', undefined],
    ['and /help', undefined],
    ['fix it', undefined],
    ['', undefined],
  ])('%j is read', (line, read) => {
    expect(readSlash(line)).toEqual(read)
  })

  test.each([
    ['/m', ['/mode', '/model']],
    ['/qu', ['/quit']],
    ['/', Object.keys(slashCommands).map((name) => `/${name}`)],
    ['/x', []],
    ['/mode pl', []],
    ['word', []],
  ])('%j can become %j', (line, found) => {
    expect(completeSlash(line)).toEqual(found)
  })
})

test.each([60, 80])('the help names every command, and fits into %i columns', (columns) => {
  const lines = slashHelp({ paint: (_style, text) => text, glyphs: glyphsFor({ environment: {} }), columns })
  for (const name of Object.keys(slashCommands)) expect(lines.some((line) => line.startsWith(`  /${name} `))).toBe(true)
  for (const line of lines) expect(widthOf(line)).toBeLessThan(columns)
})
