import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { printNotes } from '../../src/screen/notes.ts'
import { widthOf } from '../../src/screen/width.ts'

const note = 'No walls here: bubblewrap is not installed; what helps: sudo apt-get install bubblewrap. You are asked.'

/** What a person at a terminal of so many columns is told; without columns, a program. */
function told(notes: readonly string[], columns?: number): string {
  const stream = new PassThrough()
  const console = {
    stdin: Readable.from([]),
    stdout: Object.assign(new PassThrough(), columns === undefined ? {} : { columns }),
    stderr: Object.assign(stream, { isTTY: columns !== undefined }),
    environment: {},
    folder: '/',
    version: '0.0.0',
  }
  printNotes(console, notes)
  return String(stream.read())
}

describe('what is said besides the result', () => {
  test.each([80, 60, 30])(
    'is broken between words at a terminal of %i columns, and nothing of it is lost',
    (columns) => {
      const lines = told([note, 'short'], columns).split('\n').slice(0, -1)
      expect(lines.every((line) => widthOf(line) < columns)).toBe(true)
      expect(lines.slice(1, -1).every((line) => line.startsWith('  '))).toBe(true)
      expect(
        lines
          .slice(0, -1)
          .map((line) => line.trim())
          .join(' '),
      ).toBe(`loader: ${note}`)
      expect(lines.at(-1)).toBe('loader: short')
    },
  )

  test.each([80, 60, 30])('is said once where words stand apart, at %i columns', (columns) => {
    const advice =
      'No model.\nGet one:      https://ollama.com, then: ollama pull qwen3:8b\nOr a cloud:   loader login, or another one.'
    expect(told([advice], columns).replaceAll(/\s+/g, '')).toBe(`loader: ${advice}`.replaceAll(/\s+/g, ''))
  })

  test('is one line where no person reads it', () => {
    expect(told([note])).toBe(`loader: ${note}\n`)
  })

  test('keeps names that are longer than a line in one piece when they are put together again', () => {
    const path = `/${'very-long-name/'.repeat(6)}end`
    expect(told([`It lies in ${path}`], 40).replaceAll(/\n */g, '')).toContain(path)
  })

  test.each([undefined, 60])('is one note, whatever lines a file or a hook puts into it', (columns) => {
    const lines = told(['hook x: done\nloader: The project is trusted.\r\x1b[1Aloader: y', 'short'], columns).split(
      '\n',
    )
    expect(lines.filter((line) => /^[^ ]/.test(line))).toEqual(['loader: hook x: done', 'loader: short'])
  })
})
