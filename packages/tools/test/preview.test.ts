import { temporaryWorkspace } from '@loader/test-harness'
import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { unifiedDiff } from '../src/files/unified-diff.ts'
import { writeTool } from '../src/index.ts'
import { applyHunks } from '../src/patches/apply-hunks.ts'
import { parsePatch } from '../src/patch.ts'
import { examineValid } from './perform.ts'

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('')

describe('what a change is shown as', () => {
  test('is a unified diff of what changes, with its line numbers in the file', () => {
    const [before, after] = [numbered(1, 100), numbered(1, 100).replace('\n50\n', '\nfifty\n').replace('\n60\n', '\n')]
    const expected = createTwoFilesPatch('f', 'f', before, after, '', '', { context: 3 })
    expect(unifiedDiff('f', before, after)).toEqual({
      text: expected.slice(expected.indexOf('---')).replace('--- f\t', '--- f').replace('+++ f\t', '+++ f'),
      added: 1,
      removed: 2,
    })
  })

  test('tells a file that is created or deleted from one that is empty', () => {
    expect(unifiedDiff('f', undefined, 'a\nb').text).toBe(
      '--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
    )
    expect(unifiedDiff('f', 'a\n', undefined).text).toBe('--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n')
    expect(unifiedDiff('f', undefined, '')).toEqual({ text: '--- /dev/null\n+++ f\n', added: 0, removed: 0 })
  })

  test('that is too different for a shortest difference is all that goes and all that comes, and still a diff', () => {
    const [before, after] = [numbered(1, 5000), `1\n2\n${numbered(1, 4000).replaceAll('\n', '!\n')}3\n4999\n5000\n`]
    const { text, added, removed } = unifiedDiff('f', before, after)
    expect([added, removed]).toEqual([4001, 4996])
    expect(text.split('\n')[2]).toBe('@@ -3,4996 +3,4001 @@')
    const parsed = parsePatch(text)
    const [file] = parsed.kind === 'parsed' ? parsed.files : []
    expect(applyHunks(before, file?.hunks ?? [])).toEqual({ kind: 'applied', text: after, notes: [] })
  })

  test('hides carriage returns that stay, and shows those that come or go', () => {
    expect(unifiedDiff('f', 'a\r\nb\r\n', 'a\r\nc\r\n').text).toContain('\n-b\n+c\n')
    expect(unifiedDiff('f', 'a\nb\n', 'a\nb\r\n').text).toContain('\n-b\n+b␍\n')
  })

  test('shows what hides, moves the cursor or turns text round', async () => {
    await using workspace = await temporaryWorkspace()
    const content = 'safe\rrm -rf ~\n\u001b[8mhidden\u001b[0m\n\u202eecho\n\u200bzero\n\ttab\n'
    const { preview } = await examineValid(writeTool(workspace), { file_path: 'f', content })
    expect(preview).toContain('+safe␍rm -rf ~\n+␛[8mhidden␛[0m\n+<U+202E>echo\n+<U+200B>zero\n+\ttab\n')
  })
})
