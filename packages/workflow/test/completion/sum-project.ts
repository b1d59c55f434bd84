/** A small project with one bug and one test that shows it. */
export const sumProject = {
  'package.json': '{ "name": "sum", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/sum.mjs': 'export const sum = (a, b) => a - b\n',
  'test/sum.test.mjs': testOf(`test('adds', () => assert.equal(sum(2, 3), 5))`),
} as const

export const mended = ['src/sum.mjs', 'a - b', 'a + b'] as const

/** A file of tests, a line for each. */
export function testOf(...tests: readonly string[]): string {
  return [
    `import { test } from 'node:test'`,
    `import assert from 'node:assert/strict'`,
    `import { sum } from '../src/sum.mjs'`,
    ...tests,
    '',
  ].join('\n')
}

/** A script of the user that fails as long as the bug is there. */
export const checkScript = [
  `import { sum } from './src/sum.mjs'`,
  `if (sum(2, 3) !== 5) { console.error('sum(2, 3) is not 5'); process.exit(1) }`,
  '',
].join('\n')
