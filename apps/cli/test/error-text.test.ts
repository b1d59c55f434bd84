import { readdirSync, writeFileSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { errorText } from '../src/console/error-text.ts'

test('what the system refuses is told with what may help, once its own words have said what and where', async () => {
  await using workspace = await temporaryWorkspace({ files: { 'file.txt': 'a' } })
  const below = workspace.path('file.txt', 'below')
  expect(textOf(() => readdirSync(below))).toBe(
    `ENOTDIR: not a directory, scandir '${below}'. A part of that path is not a folder.`,
  )
  expect(textOf(() => writeFileSync(workspace.root, ''))).toBe(
    `EISDIR: illegal operation on a directory, open '${workspace.root}'. It is a folder: name a file.`,
  )
})

test('any other error is told in its own words', () => {
  expect(errorText(new Error('Nothing to add.'))).toBe('Nothing to add.')
  expect(errorText(Object.assign(new Error('Not of the system.'), { code: 'EACCES' }))).toBe('Not of the system.')
  expect(errorText('thrown text')).toBe('thrown text')
})

function textOf(fail: () => unknown): string {
  try {
    fail()
  } catch (error) {
    return errorText(error)
  }
  throw new Error('Nothing was refused.')
}
