import { expect, test } from 'vitest'
import { isBuildOutput } from '../src/walk/names.ts'

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('a folder may be called %s', (name) => {
  expect(isBuildOutput(name, new Set(['package.json']))).toBe(false)
})
