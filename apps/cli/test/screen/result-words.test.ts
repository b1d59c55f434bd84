import type { EventOf } from '@loader/session-core'
import { expect, test } from 'vitest'
import { resultWords } from '../../src/screen/result-words.ts'

type Finished = EventOf<'tool.finished'>

function words(tool: string, text: string, rest: Partial<Pick<Finished, 'outcome' | 'metadata'>> = {}): string[] {
  const place = { seq: 1, at: '2026-01-01T00:00:00.000Z', callId: 'call_1' } as const
  return resultWords(tool, { type: 'tool.finished', ...place, outcome: 'ok', text, ...rest })
}

const many = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`)

test.each<[string, string[], string[]]>([
  ['a file that was read', words('read', '1  a\n2  b', { metadata: { lineCount: 2 } }), ['2 lines']],
  ['a page of one line', words('read', '1  a', { metadata: { lineCount: 1 } }), ['1 line']],
  [
    'a file that could not be read',
    words('read', 'No such file.\nDid you mean a.ts?', { outcome: 'failed' }),
    ['No such file.', 'Did you mean a.ts?'],
  ],
  ['files that were found', words('glob', 'a\nb', { metadata: { count: 2 } }), ['2 files']],
  ['lines that were found', words('grep', 'a:1:x', { metadata: { matches: 1 } }), ['1 match']],
  ['matches', words('grep', 'a:1:x', { metadata: { matches: 12 } }), ['12 matches']],
  ['an edit', words('edit', 'Edited a.ts at line 2.\nMore.'), ['Edited a.ts at line 2.']],
  ['a list of todos', words('todo_write', '1 of 2 done.\n[x] a\n[ ] b'), ['1 of 2 done.', '[x] a', '[ ] b']],
  ['a tool of somebody else', words('deploy', '\n\nDeployed.\nSee the log.'), ['Deployed.']],
  ['nothing', words('deploy', ''), []],
  ['a command', words('bash', 'ok\n\ndone'), ['ok', 'done']],
  ['a command that failed', words('bash', 'no\n[Exit code 3.]', { outcome: 'failed' }), ['Exit code 3.', 'no']],
  [
    'a command that says much',
    words('bash', many.join('\n')),
    ['the last of 9 lines:', 'line 6', 'line 7', 'line 8', 'line 9'],
  ],
  [
    'a command that says much and fails',
    words('bash', [...many, '[Exit code 1.]', '[It left processes running.]'].join('\n'), { outcome: 'failed' }),
    ['Exit code 1. It left processes running. The last of 9 lines:', 'line 6', 'line 7', 'line 8', 'line 9'],
  ],
])('%s is told in a few words', (_name, told, expected) => {
  expect(told).toEqual(expected)
})
