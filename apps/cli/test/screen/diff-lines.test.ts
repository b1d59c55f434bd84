import { expect, test } from 'vitest'
import { changedLines, diffLines } from '../../src/screen/diff-lines.ts'

function kinds(text: string): string[] | undefined {
  return diffLines(text)?.map(({ kind, text: line }) => `${kind}: ${line}`)
}

test('each line of a diff has a meaning', () => {
  expect(kinds('--- a.sql\n+++ a.sql\n@@ -1,3 +1,3 @@\n select\n-from a\n+from b')).toEqual([
    'file: --- a.sql',
    'file: +++ a.sql',
    'place: @@ -1,3 +1,3 @@',
    'context:  select',
    'removed: -from a',
    'added: +from b',
  ])
})

test('lines of a file that look like heads of a diff are changes like others', () => {
  expect(kinds('--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+-- another\n+++ x')).toEqual([
    'file: --- a.sql',
    'file: +++ a.sql',
    'place: @@ -1,2 +1,2 @@',
    'removed: --- a comment',
    'added: +-- another',
    'added: +++ x',
  ])
})

test('a diff can be about several files', () => {
  const text = '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n+y\n--- /dev/null\n+++ b\n@@ -0,0 +1,1 @@\n+z'
  expect(kinds(text)?.filter((line) => line.startsWith('file'))).toEqual([
    'file: --- a',
    'file: +++ a',
    'file: --- /dev/null',
    'file: +++ b',
  ])
})

test.each(['git push\n(in ., for at most 120 s)', '', '- a list\n+ of things', '--- only one head'])(
  '%j is no diff',
  (text) => {
    expect(diffLines(text)).toBeUndefined()
  },
)

test('changed lines have the numbers that they have in the file, over hunks', () => {
  const text = '--- a\n+++ a\n@@ -8,3 +8,4 @@\n same\n-old\n+new\n+more\n same\n@@ -40,2 +41,1 @@\n-gone\n same'
  expect(changedLines(diffLines(text) ?? []).map(({ number, text: line }) => `${number} ${line}`)).toEqual([
    '9 -old',
    '9 +new',
    '10 +more',
    '40 -gone',
  ])
})
