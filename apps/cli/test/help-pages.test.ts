import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { onLongLines } from '../src/help/page-of.ts'
import { helpFor, helpOverview } from '../src/arguments/help.ts'
import { commands, main } from '../src/commands/table.ts'
import { widthOf } from '../src/screen/width.ts'
import { topics } from '../src/arguments/topics.ts'
import { loader } from './written/fake-console.ts'

const document = (topic: string) => readFileSync(new URL(`../../../docs/${topic}.md`, import.meta.url), 'utf8')

describe.for(Object.keys(topics))('loader help %s', (topic) => {
  test('prints the page as it is written, where no terminal is', async () => {
    const { code, out } = await loader(['help', topic], { folder: import.meta.dirname })
    expect(code).toBe(0)
    // Where there is a command, or a group of them, of that name, its help comes first.
    const own = commands.find(({ name }) => name === topic || name.startsWith(`${topic} `))
    expect(out.slice(out.indexOf(document(topic)))).toBe(document(topic))
    expect(out.replaceAll(/\s+/g, ' ').startsWith(own?.summary ?? '# ')).toBe(true)
  })

  test('has all words on lines of any length', () => {
    const words = (text: string) =>
      text
        .replace(/<!--[^]*?-->/g, '')
        .split(/\s+/)
        .filter(Boolean)
    expect(words(onLongLines(document(topic)).join('\n'))).toEqual(words(document(topic)))
  })
})

/** What is left of words when marks, breaks and spaces are gone. */
const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

describe.each([40, 60, 80])('in %i columns', (columns) => {
  test.for(Object.keys(topics))('the page %s fits, but for code, and has all its words', async (topic) => {
    const { out } = await loader(['help', topic], { folder: import.meta.dirname, typed: '', columns })
    // Code is not wrapped, so that it can be copied as it stands.
    const lines = out.split('\n').filter((line) => !line.startsWith('  '))
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
    const shown = letters(out)
    // Of a link, its words; where it leads stands behind them.
    const text = onLongLines(document(topic))
      .join('\n')
      .replaceAll(/\]\([^)]*\)/g, ' ')
    const words = text.split(/[\s|/]+/).map(letters)
    expect(words.filter((word) => word.length < columns / 2 && !shown.includes(word))).toEqual([])
  })

  test.for(['', ...commands.map(({ name }) => name)])('the help of %j fits, and has all its words', async (name) => {
    const command = commands.find((one) => one.name === name)
    const text = command === undefined ? helpOverview(main, commands, columns) : helpFor(command, columns)
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(columns, 34))
    const { options } = command ?? main
    for (const { name: option, summary } of options) {
      if (command === undefined || option !== 'help') expect(letters(text)).toContain(letters(summary))
    }
  })
})

test('text is put on one line, and nothing else is', () => {
  const page = '# A\n\nOne\ntwo.\n\n- item\n  more\n- other\n\n    code\n    code\n\n| a |\n| - |\n\n```\nx\ny\n```\n'
  expect(onLongLines(page).join('\n')).toBe(
    '# A\n\nOne two.\n\n- item more\n- other\n\n    code\n    code\n\n| a |\n| - |\n\n```\nx\ny\n```\n',
  )
})

test('a page that is not there is answered with those that are', async () => {
  const { code, err } = await loader(['help', 'nothing'], { folder: import.meta.dirname })
  expect(code).toBe(2)
  expect(err).toContain('Pages to read: terminal, cli')
})
