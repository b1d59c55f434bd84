import { expect, test } from 'vitest'
import { isCheckFile } from '../../src/goal/check-files.ts'
import { checkFiles, otherFiles } from './check-files.table.ts'

test.for(checkFiles)('%s belongs to the checks', (path) => {
  expect(isCheckFile(path)).toBe(true)
})

test.for(otherFiles)('%s is an ordinary file', (path) => {
  expect(isCheckFile(path)).toBe(false)
})

test('a path is read whatever its slashes', () => {
  expect(isCheckFile(String.raw`src\__tests__\sum.js`)).toBe(true)
  expect(isCheckFile('./test/sum.mjs')).toBe(true)
})
