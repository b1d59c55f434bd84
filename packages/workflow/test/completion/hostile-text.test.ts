import { expect, test } from 'vitest'
import { claimsDone, findsNothingToDo, handsBack } from '../../src/completion/answer-words.ts'
import { taskWishes } from '../../src/completion/task-wishes.ts'
import { isCheckFile } from '../../src/goal/check-files.ts'
import { readCheck } from '../../src/goal/read-check.ts'
import { readCounts } from '../../src/goal/read-counts.ts'
import { detectTextLoop } from '../../src/recovery/detect-text-loop.ts'
import { errorCategory } from '../../src/recovery/error-category.ts'
import { narratesInsteadOfActing } from '../../src/recovery/narrates-instead-of-acting.ts'

const length = 4_000
const pieces = [
  'a',
  ' ',
  '\n',
  '\t',
  '1 ',
  '(',
  '[',
  '{',
  '`',
  '```',
  '"',
  '/',
  'a/',
  './',
  '-',
  '=',
  '# ',
  '. ',
  '$(',
  '<<',
  '| ',
  'please ',
  'please, ',
  'let me ',
  "i'll now ",
  'and then ',
  'you can ',
  'already ',
  '[calls ',
  'calling x tool ',
  '1 a, ',
  '1 a | ',
  'Tests  ',
  'ok\n',
  'not ok 1\n',
  'Ran 1 tests in 1s\n',
  'Summary [',
  '  1 passing (1ms)\n',
  '# tests 1\n# a 1\n',
  'error: ',
  'x: 1: ',
  'cannot rebase: ',
  'a: error: ',
  'Command "',
  'test-',
  'test_',
  'env ',
]

const readers: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['task', taskWishes],
  ['claim', (text) => [claimsDone(text), handsBack(text), findsNothingToDo(text)]],
  ['announcement', narratesInsteadOfActing],
  ['loop', (text) => detectTextLoop(text, [`${text}1`, `${text}2`, text])],
  ['error', errorCategory],
  ['counts', readCounts],
  ['path', isCheckFile],
  ['command', readCheck],
]

test.for(readers)('no text makes it slow to read a %s', { timeout: 60_000 }, ([, read]) => {
  for (const piece of pieces) {
    const run = piece.repeat(length / piece.length)
    for (const text of [run, `${run}!`, `x${run}x\n`]) {
      const start = performance.now()
      read(text)
      // One step for each pair of letters would take seconds.
      expect(performance.now() - start).toBeLessThan(1000)
    }
  }
})
