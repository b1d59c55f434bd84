import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { needing } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { withoutMeanings } from '../scripts/without-meanings.ts'

const imported = `import { described } from './schema.ts'\n`
const stripped = (text: string) => withoutMeanings(imported + text).slice(imported.length)

test.each([
  ["described(Id, 'what it is')", '(Id)'],
  ["described(z.enum(['a', 'b']), 'a, b (or c)')", "(z.enum(['a', 'b']))"],
  ['described(z.literal("it\'s (")  , `one ${n} of`)', '(z.literal("it\'s (")  )'],
  ["described(z.array(described(Id, 'one')), 'all')", '(z.array((Id)))'],
  ["described(\n  a, // of (b,\n  'c ' +\n    'd',\n)", '(\n  a\n\n\n)'],
  ["/* @__PURE__ */ described(/* @__PURE__ */ z.int(), 'n')", '/* @__PURE__ */ (/* @__PURE__ */ z.int())'],
  ["lazyObject(() => ({ a: described(A, 'a'), b: described(B, meaning) }))", 'lazyObject(() => ({ a: (A), b: (B) }))'],
])('%s', (text, expected) => {
  const shown = stripped(text)
  expect(shown.replaceAll(/\s+/g, '')).toBe(expected.replaceAll(/\s+/g, ''))
  expect(shown.split('\n').length).toBe(text.split('\n').length)
})

test('what cannot be read ends the build', () => {
  expect(() => stripped("\n\ndescribed(z.regex(/[(]/), 'a')")).toThrow('described(z.regex')
  expect(() => stripped('described(onlyOne)')).toThrow('described(onlyOne)')
})

test('a module that describes nothing of ours is left as it is', () => {
  const text = "import { described } from './words.ts'\ndescribed(a, 'b')"
  expect(withoutMeanings(text)).toBe(text)
})

const built = new URL('../dist/', import.meta.url)
const isBuilt = existsSync(built)

test.skipIf(!isBuilt)(needing(!isBuilt && 'the package is not built', 'no meaning is in the built code'), () => {
  const code = readdirSync(built)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, built), 'utf8'))
    .join('\n')
  const source = readFileSync(new URL('../src/events/workflow.ts', import.meta.url), 'utf8')
  const meanings = [...source.matchAll(/described\([^']+'([^']+)'\)/g)].map(([, meaning = '']) => meaning)
  expect(meanings.length).toBeGreaterThan(20)
  expect(meanings.filter((meaning) => code.includes(meaning))).toEqual([])
})
