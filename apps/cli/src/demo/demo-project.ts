import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small project with a bug, and a test that fails because of it. */
const files = {
  'package.json': `${JSON.stringify({ name: 'demo', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'sum.js': 'export function sum(numbers) {\n  return numbers.reduce((a, b) => a - b)\n}\n',
  'sum.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { sum } from './sum.js'

test('adds numbers', () => assert.equal(sum([1, 2, 3]), 6))
test('of nothing is zero', () => assert.equal(sum([]), 0))
`,
  'publish.js': `import { appendFileSync } from 'node:fs'
console.log('publishing, this takes a while')
setTimeout(() => appendFileSync('published.log', 'version 1.0.0\\n'), 900)
`,
} as const

export function makeDemoProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'loader-demo-'))
  mkdirSync(join(root, '.git'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return root
}
