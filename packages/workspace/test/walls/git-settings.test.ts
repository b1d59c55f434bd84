import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { times } from '@loader/test-tier'
import { afterAll, describe, expect, test } from 'vitest'
import { settingsIn } from '../../src/walls/git-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'loader-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What git itself reads; undefined when it refuses. */
function byGit(text: string): readonly { key: string; value: string }[] | undefined {
  const path = join(folder, 'config')
  writeFileSync(path, text)
  try {
    const listed = execFileSync('git', ['config', '--file', path, '--list', '-z'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return listed
      .split('\0')
      .slice(0, -1)
      .map((entry) => {
        const end = entry.indexOf('\n')
        return end === -1 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) }
      })
  } catch (error) {
    if (error instanceof Error && 'status' in error) return undefined
    throw error
  }
}

const texts: Readonly<Record<string, string>> = {
  nothing: '',
  'what git init writes': '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n',
  'a setting beside its section': '[core]fsmonitor=x y\n[core]  bare',
  'sections in all letters, with names': '[CoRe "A b.C"]\n Key-1 = v\n[remote "o\\"r\\\\n"]\nurl=x\n[old.Style]\nk=v',
  'quotes and escapes': '[a]\nb = "x # y" z ; no\nc = a\\"b\\\\c\\td\\n e\nd = "  x  "  \ne=""\nf = a" b "c',
  'lines that go on': '[a]\nb = one \\\n  two\\\nthree\nc = "x\\\ny"\nd = \\\n[core]\ne=1',
  'line ends of Windows': '[a]\r\nb = c \\\r\n d\r\nc\r\nd = "x"\r\n',
  comments: '# x\n; y\n[a] # z\n b = c # d\n ; e\n#[core]\n',
  'a mark of the order of bytes': '\uFEFF[a]\nb=c\n',
  'spaces inside': '[a]\nb =   x  y   \n\tc\t=\tz\n',
  'a value that is no text of ours': '[a]\nb = é "ü" \u{1F600}\n',
  'a quote that does not end': '[a]\nb = "x\nc = y\n',
  'an escape that is none': '[a]\nb = x\\y\n',
  'a key that is none': '[a]\n1b = c\n',
  'a section that does not end': '[a\nb = c\n',
  'a word after a key': '[a]\nb c\n',
  'a quoted section that does not end': '[a "b]\nc = d\n',
}

test.each(Object.entries(texts))('settings are read as git reads them: %s', (_, text) => {
  expect(settingsIn(text)).toEqual(byGit(text))
})

describe('settings put together by chance', () => {
  const pieces = [
    '[a]',
    '[B "c d"]',
    '[a.b]',
    '\n',
    '\n',
    'key',
    'Key-2',
    ' = ',
    '=',
    '"',
    '\\"',
    '\\\n',
    '\\n',
    'x',
    ' ',
    '#',
    ';',
    '\r\n',
    'value',
    '\\\\',
    ']',
    '[',
  ]
  test.each(Array.from({ length: times({ quick: 60, ci: 300, long: 2000 }) }, (_, seed) => seed))(
    'are read as git reads them (%i)',
    (seed) => {
      let state = seed * 7919 + 1
      const next = (count: number) => {
        state = (state * 1103515245 + 12345) % 2147483648
        return Math.floor((state / 2147483648) * count)
      }
      const text = Array.from({ length: 4 + next(16) }, () => pieces[next(pieces.length)]).join('')
      expect([text, settingsIn(text)]).toEqual([text, byGit(text)])
    },
  )
})
