import type { EventOf } from '@loader/session-core'
import { expect, test } from 'vitest'
import { resultWords } from '../../src/screen/result-words.ts'

type Finished = EventOf<'tool.finished'>

function words(text: string, rest: Partial<Pick<Finished, 'outcome' | 'metadata'>> = {}): string[] {
  const place = { seq: 1, at: '2026-01-01T00:00:00.000Z', callId: 'call_1' } as const
  return resultWords({ type: 'tool.finished', ...place, outcome: 'ok', text, ...rest })
}

const many = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`)

test.each<[string, string[], string[]]>([
  ['a file that was read', words('1  a\n2  b', { metadata: { summary: '2 lines' } }), ['2 lines']],
  [
    'a file that could not be read',
    words('No such file.\nDid you mean a.ts?', { outcome: 'failed' }),
    ['No such file.', 'Did you mean a.ts?'],
  ],
  ['an edit', words('Edited a.ts at line 2.\nMore.'), ['Edited a.ts at line 2.']],
  [
    'a list of todos',
    words('long', { metadata: { summary: '1 of 2 done.\n[x] a\n[ ] b' } }),
    ['1 of 2 done.', '[x] a', '[ ] b'],
  ],
  ['a tool of somebody else', words('\n\nDeployed.\nSee the log.'), ['Deployed.']],
  ['nothing', words(''), []],
  ['a command', words('ok\n\ndone', { metadata: { exitCode: 0 } }), ['ok', 'done']],
  [
    'a command that failed',
    words('no\n[Exit code 3.]', { outcome: 'failed', metadata: { exitCode: 3 } }),
    ['Exit code 3.', 'no'],
  ],
  [
    'a command that says much',
    words(many.join('\n'), { metadata: { exitCode: 0 } }),
    ['9 lines, the last of them:', 'line 6', 'line 7', 'line 8', 'line 9'],
  ],
  [
    'a command that says much and fails',
    words([...many, '[Exit code 1.]', '[It left processes running.]'].join('\n'), {
      outcome: 'failed',
      metadata: { exitCode: 3 },
    }),
    ['Exit code 1. It left processes running. 9 lines, the last of them:', 'line 6', 'line 7', 'line 8', 'line 9'],
  ],
])('%s is told in a few words', (_name, told, expected) => {
  expect(told).toEqual(expected)
})
