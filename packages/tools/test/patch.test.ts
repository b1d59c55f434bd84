import { stat } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { patchTool } from '../src/index.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

type Files = Readonly<Record<string, string>>

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

interface Patched {
  readonly about: string
  readonly files: Files
  readonly input: object
  readonly result: Files
  readonly said?: string
}

const patches: readonly Patched[] = [
  {
    about: 'a unified diff as git writes it',
    files: { 'src/f': 'a\nb\nc\n' },
    input: {
      patch:
        'diff --git a/src/f b/src/f\nindex 1..2 100644\n--- a/src/f\n+++ b/src/f\n@@ -1,3 +1,3 @@ fn\n a\n-b\n+B\n c\n',
    },
    result: { 'src/f': 'a\nB\nc\n' },
    said: 'Patched src/f.',
  },
  {
    about: 'a diff of several files that creates, deletes and renames',
    files: { keep: 'a\n', gone: 'x\ny\n', old: 'm\nn\n' },
    input: {
      patch:
        '--- a/keep\n+++ b/keep\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new/file\n@@ -0,0 +1,2 @@\n+1\n+2\n' +
        '--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n' +
        'diff --git a/old b/moved\nsimilarity index 50%\nrename from old\nrename to moved\n--- a/old\n+++ b/moved\n@@ -1,2 +1,2 @@\n m\n-n\n+o\n',
    },
    result: { keep: 'b\n', 'new/file': '1\n2\n', moved: 'm\no\n' },
    said: 'Patched keep. Created new/file (2 lines). Deleted gone. Renamed old to moved.',
  },
  {
    about: 'an empty file that git creates, one that it deletes, and one that it only renames',
    files: { gone: '', old: 'm\n' },
    input: {
      patch:
        'diff --git a/new b/new\nnew file mode 100644\nindex 0..0\ndiff --git a/gone b/gone\ndeleted file mode 100644\n' +
        'diff --git a/old b/moved\nsimilarity index 100%\nrename from old\nrename to moved\n',
    },
    result: { new: '', moved: 'm\n' },
  },
  {
    about: 'a diff in a code fence, whose counts are wrong',
    files: { f: 'a\nb\nc\nd\n' },
    input: { patch: '```diff\n--- f\n+++ f\n@@ -1,9 +1,2 @@\n a\n-b\n+B\n+BB\n c\n```' },
    result: { f: 'a\nB\nBB\nc\nd\n' },
  },
  {
    about: 'a diff whose line numbers are wrong',
    files: { f: numbered(30) },
    input: { file_path: 'f', patch: '@@ -3,3 +3,3 @@\n line 19\n-line 20\n+line twenty\n line 21\n' },
    result: { f: numbered(30).replace('line 20\n', 'line twenty\n') },
    said: 'Patched f. Hunk 1 was found at line 19, not at line 3.',
  },
  {
    about: 'a diff without line numbers, and with the space of an empty line left out',
    files: { f: 'a\n\nb\n' },
    input: { patch: '--- a/f\n+++ b/f\n@@\n a\n\n-b\n+c\n' },
    result: { f: 'a\n\nc\n' },
  },
  {
    about: 'a diff in LF to a file in CRLF',
    files: { f: 'a\r\nb\r\nc\r\n' },
    input: { file_path: 'f', patch: '@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n' },
    result: { f: 'a\r\nB\r\nBB\r\nc\r\n' },
    said: 'Hunk 1 matched but for line endings, which stay as they were.',
  },
  {
    about: 'a diff whose context differs in white space, which the file keeps',
    files: { f: 'if (x) {  \n\ty()\n}\n' },
    input: { file_path: 'f', patch: '@@ -1,3 +1,3 @@\n if (x) {\n-\ty()\n+\tz()\n }\n' },
    result: { f: 'if (x) {  \n\tz()\n}\n' },
  },
  {
    about: 'a change at the end of a file that has no last newline',
    files: { f: 'a\nb' },
    input: { file_path: 'f', patch: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n' },
    result: { f: 'a\nc' },
  },
  {
    about: 'a last newline that a diff takes away',
    files: { f: 'a\nb\n' },
    input: { file_path: 'f', patch: '@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n' },
    result: { f: 'a\nb' },
  },
  {
    about: 'a change behind a byte order mark',
    files: { f: '\ufeffa\nb\n' },
    input: { file_path: 'f', patch: '@@ -1,2 +1,2 @@\n-a\n+A\n b\n' },
    result: { f: '\ufeffA\nb\n' },
  },
  {
    about: 'hunks in any order',
    files: { f: numbered(9) },
    input: {
      file_path: 'f',
      hunks: [
        { old_start: 8, old_lines: 1, new_start: 9, new_lines: 1, lines: ['-line 8', '+eight'] },
        { old_start: 1, old_lines: 1, new_start: 1, new_lines: 2, lines: [' line 1', '+one and a half'] },
      ],
    },
    result: { f: numbered(9).replace('line 1\n', 'line 1\none and a half\n').replace('line 8\n', 'eight\n') },
  },
  {
    about: 'blocks and what replaces them',
    files: { f: '  a\n  b\n  c\n' },
    input: { file_path: 'f', hunks: [{ old_string: 'a\nb', new_string: 'x\ny' }] },
    result: { f: '  x\n  y\n  c\n' },
  },
  {
    about: 'an envelope that names lines instead of counting them',
    files: { f: 'class A:\n  def f():\n    1\nclass B:\n  def f():\n    1\n', gone: 'x\n', old: 'a\n' },
    input: {
      patch:
        '*** Begin Patch\n*** Update File: f\n@@ class B:\n   def f():\n-    1\n+    2\n*** Add File: new\n+hello\n' +
        '*** Delete File: gone\n*** Update File: old\n*** Move to: moved\n@@\n-a\n+b\n*** End Patch\n',
    },
    result: { f: 'class A:\n  def f():\n    1\nclass B:\n  def f():\n    2\n', new: 'hello\n', moved: 'b\n' },
  },
  {
    about: 'removed and added lines that look like headers',
    files: { f: '-- x\n++ y\nz\n' },
    input: { patch: '--- f\n+++ f\n@@ -1,3 +1,2 @@\n--- x\n-++ y\n+++ w\n z\n' },
    result: { f: '++ w\nz\n' },
  },
  {
    about: 'a diff with a name that git quotes, and the end of a mail',
    files: { 'é f': 'a\n' },
    input: { patch: '--- "a/\\303\\251 f"\n+++ "b/\\303\\251 f"\n@@ -1 +1 @@\n-a\n+b\n-- \n2.43.0\n' },
    result: { 'é f': 'b\n' },
  },
]

describe('patch', () => {
  test.each(patches)('applies $about', async ({ files, input, result, said = '' }) => {
    await using workspace = await temporaryWorkspace({ files })
    const { outcome, text } = await perform(patchTool(workspace), input)
    expect({ outcome, text }).toEqual({ outcome: 'ok', text: expect.stringContaining(said) })
    expect(await workspace.files()).toEqual(result)
  })

  test.each([
    ['lines that are not there', '@@ -1,2 +1,2 @@\n line 1\n-line zwei\n+x\n', 'This comes closest:\n   1\tline 1'],
    ['a place that is not sure', '@@\n-same\n+x\n', 'Hunk 1 fits at lines 4, 6.'],
    [
      'hunks that overlap',
      '@@ -1,2 +1,2 @@\n line 1\n-line 2\n+x\n@@ -2,2 +2,2 @@\n line 2\n-line 3\n+y\n',
      'behind those of the hunks before',
    ],
    ['text without a hunk', 'Please change line 2.', 'no hunk was found in it'],
    ['a binary patch', 'diff --git a/f b/f\nGIT binary patch\nliteral 1\n', '"GIT binary patch" cannot be done here.'],
    ['a change of nothing', '@@ -1,1 +1,1 @@\n line 1\n', 'reads like this already'],
    ['a file that is to be created but is there', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n', 'f is there already'],
    [
      'a file that is to be deleted but holds more',
      '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n',
      'holds more than',
    ],
    [
      'the same file twice',
      '--- f\n+++ f\n@@ -1 +1 @@\n-line 1\n+x\n--- f\n+++ f\n@@ -2 +2 @@\n-line 2\n+y\n',
      'f would be changed twice',
    ],
    ['a file that is not there', '--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n', 'There is no file g.'],
  ])('refuses %s, and changes nothing', async (_, patch, message) => {
    await using workspace = await temporaryWorkspace({ files: { f: 'line 1\nline 2\nline 3\nsame\n-\nsame\n' } })
    const input = patch.includes('---') || patch.startsWith('diff') ? { patch } : { file_path: 'f', patch }
    expect(await refusalOf(patchTool(workspace), input)).toContain(message)
  })

  test.each([
    ['neither a diff nor hunks', {}, 'Give either patch (a unified diff) or hunks.'],
    ['hunks without a file', { hunks: [{ old_start: 1, lines: ['-a'] }] }, 'Give file_path'],
    [
      'a line of a hunk without a sign',
      { file_path: 'f', hunks: [{ old_start: 1, lines: ['a'] }] },
      'Line "a" of hunk 1',
    ],
    [
      'one file for a diff of two',
      { file_path: 'f', patch: '--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n--- g\n+++ g\n@@ -1 +1 @@\n-a\n+b\n' },
      'for 2 files',
    ],
  ])('asks for what is missing: %s', async (_, input, message) => {
    await using workspace = await temporaryWorkspace({ files: { f: 'a\n' } })
    expect(await refusalOf(patchTool(workspace), input)).toContain(message)
  })

  test('gives a created file the mode that the diff says', async () => {
    await using workspace = await temporaryWorkspace()
    const patch = 'diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+#!/bin/sh\n'
    await perform(patchTool(workspace), { patch })
    expect((await stat(workspace.path('run'))).mode & 0o777).toBe(0o755)
  })

  test('of which one file was changed in between changes none', async () => {
    await using workspace = await temporaryWorkspace({ files: { f: 'a\n', g: 'a\n' } })
    const patch = '--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n--- g\n+++ g\n@@ -1 +1 @@\n-a\n+b\n'
    const tool = patchTool(workspace)
    const examined = await examineValid(tool, { patch })
    expect(examined.intent.map(({ path }) => path)).toEqual([workspace.path('f'), workspace.path('g')])
    await workspace.write('g', 'a\n\n')
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'failed' })
    expect(await workspace.files()).toEqual({ f: 'a\n', g: 'a\n\n' })
  })
})
