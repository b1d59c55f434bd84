import { expect, test } from 'vitest'
import { hasChanged, needsVerification } from '../../src/goal/needs-verification.ts'
import { Drive, type DriveOptions } from '../completion/drive.ts'
import { bash, read, says, type ScriptedCall, write } from '../completion/story.ts'

function needs(options: Partial<DriveOptions>, looked: 'looked' | 'not looked', ...calls: readonly ScriptedCall[]) {
  const drive = new Drive({ task: 'Go.', files: { 'a.txt': 'a' }, ...options })
  drive.answer(says('', ...calls))
  if (looked === 'looked') drive.look()
  const { state } = drive
  if (state.turn === null) throw new Error('the turn is over')
  return { changed: hasChanged(state, state.turn), needed: needsVerification(state, state.turn) }
}

test.for([
  ['nothing was done', [], { changed: false, needed: false }],
  ['something was looked at', [read('a.txt')], { changed: false, needed: false }],
  ['a file was written', [write('b.txt', 'b')], { changed: true, needed: true }],
  ['a file was written as it was', [write('a.txt', 'a')], { changed: true, needed: true }],
  ['a command changed something', [bash('echo b > a.txt')], { changed: true, needed: true }],
  ['a command failed half way', [bash('echo b > a.txt && false')], { changed: true, needed: true }],
  ['a command left all as it was', [bash('npm test')], { changed: false, needed: false }],
] as const)('when %s: %o', ([, calls, expected]) => {
  expect(needs({}, 'looked', ...calls)).toEqual(expected)
})

test('what a command has done is unknown until somebody looks', () => {
  expect(needs({}, 'not looked', bash('npm test')).changed).toBe(true)
})

test('what the user wants to see is verified even if nothing was changed', () => {
  expect(needs({ doneWhen: [{ command: 'npm test' }] }, 'looked')).toEqual({ changed: false, needed: true })
})
