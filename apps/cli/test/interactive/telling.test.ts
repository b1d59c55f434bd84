import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { bindings } from '../../src/interactive/bindings.ts'
import { gitBranch } from '../../src/interactive/git-branch.ts'
import { bell, newsOf, titleSet } from '../../src/interactive/telling.ts'
import { todoRows } from '../../src/interactive/todo-rows.ts'
import { glyphsFor } from '../../src/screen/glyphs.ts'

test('a question is news at once, the end of a turn if it took so long that nobody watched', () => {
  expect(newsOf('works', 'waits', 10)).toBe('waits for your answer')
  expect(newsOf('works', 'rests', 10)).toBeUndefined()
  expect(newsOf('works', 'rests', 20_000)).toBe('has ended')
  expect(newsOf('waits', 'works', 20_000)).toBeUndefined()
  expect(newsOf('waits', 'waits', 20_000)).toBeUndefined()
})

test('a message reaches the terminal in its own way, and the name of a folder cannot end it', () => {
  const hostile = 'a\u0007b;c\u001b]'
  expect(bell('has ended', hostile, { TERM: 'xterm-256color' })).toBe('\u0007\u001b]9;loader: a b c ]: has ended\u0007')
  expect(bell('has ended', 'x', { TERM: 'foot' })).toBe('\u0007\u001b]777;notify;loader;x: has ended\u0007')
  expect(titleSet('waits', hostile)).toBe('\u001b]0;? loader: a b c ]\u0007')
})

test('the branch is read where it is, in a worktree too', async () => {
  await using place = await temporaryWorkspace({
    files: {
      '.git/HEAD': 'ref: refs/heads/feature/x\n',
      '.git/worktrees/other/HEAD': '0123456789abcdef\n',
      'inner/file': '',
    },
  })
  expect(gitBranch(place.path('inner'))).toBe('feature/x')
  await place.write('other/.git', 'gitdir: ../.git/worktrees/other\n')
  expect(gitBranch(place.path('other'))).toBe('0123456')
})

test('what is left to do stays in view, what is being done first', () => {
  const todo = (text: string, status: 'pending' | 'in_progress' | 'completed') => ({ id: text, text, status })
  const look = {
    paint: (_style: unknown, text: string) => text,
    glyphs: glyphsFor({ environment: { LANG: 'C.UTF-8' } }),
    columns: 30,
  }
  const todos = [
    todo('one', 'completed'),
    todo('two', 'pending'),
    { ...todo('three', 'in_progress'), activeText: 'doing three' },
  ]
  expect(todoRows({ todos }, look)).toEqual(['  ● doing three', '  · two', '    1 of 3 done'])
  expect(todoRows({ todos: [todo('one', 'completed')] }, look)).toEqual([])
  const many = Array.from({ length: 9 }, (_, index) => todo(`number ${index} is a very long thing to do`, 'pending'))
  expect(todoRows({ todos: many }, look)).toHaveLength(6)
  expect(todoRows({ todos: many }, look).every((row) => row.length < 30)).toBe(true)
})

test('every key can be another one; a name that means nothing is named', () => {
  const keys = bindings({ 'loader.history': 'ctrl+t', 'tui.editor.undo': ['ctrl+x', 'ctrl+-'] })
  expect(keys.matches('\u0014', 'loader.history')).toBe(true)
  expect(keys.matches('\u0012', 'loader.history')).toBe(false)
  expect(keys.matches('\u0018', 'tui.editor.undo')).toBe(true)
  expect(() => bindings({ 'loader.histroy': 'ctrl+t' })).toThrow(/Nothing is called loader\.histroy in "keys"/)
})
