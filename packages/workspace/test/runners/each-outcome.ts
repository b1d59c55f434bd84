import type { Files } from './a-project.ts'

export interface JavaScriptCase {
  readonly runner: 'node:test' | 'vitest' | 'jest' | 'mocha'
  readonly packages: readonly ('vitest' | 'jest' | 'mocha')[]
  readonly command: string
  readonly manifest: string
  readonly ending: string
  /** The head of a test file. */
  readonly head: string
  readonly load: (names: string, module: string) => string
  readonly product: (name: string, value: string) => string
  /** Something that holds, or does not. */
  readonly same: (a: string, b: string) => string
}

const modern = {
  manifest: '{ "type": "module", "scripts": { "test": "RUN" } }',
  load: (names: string, module: string) => `import ${names === '' ? '' : `${names} from `}'${module}'`,
  product: (name: string, value: string) => `export const ${name} = ${value}`,
}
const common = {
  manifest: '{ "scripts": { "test": "RUN" } }',
  load: (names: string, module: string) =>
    names === '' ? `require('${module}')` : `const ${names} = require('${module}')`,
  product: (name: string, value: string) => `exports.${name} = ${value}`,
}
const expecting = { same: (a: string, b: string) => `expect(${a}).toBe(${b})` }
const asserting = { same: (a: string, b: string) => `assert.strictEqual(${a}, ${b})` }

export const javascriptCases: readonly JavaScriptCase[] = [
  {
    ...modern,
    ...asserting,
    runner: 'node:test',
    packages: [],
    command: 'node --test',
    ending: '.test.js',
    head: `import { before as beforeAll, describe, test } from 'node:test'\nimport assert from 'node:assert'`,
  },
  {
    ...modern,
    ...expecting,
    runner: 'vitest',
    packages: ['vitest'],
    command: 'vitest run',
    ending: '.test.ts',
    head: `import { beforeAll, describe, expect, test } from 'vitest'`,
  },
  { ...common, ...expecting, runner: 'jest', packages: ['jest'], command: 'jest', ending: '.test.js', head: '' },
  {
    ...common,
    ...asserting,
    runner: 'mocha',
    packages: ['mocha'],
    command: 'mocha',
    ending: '.test.js',
    head: `const assert = require('node:assert')\nconst test = it, beforeAll = before`,
  },
]

/** A project whose command is its script "test". */
export function projectOf(one: JavaScriptCase, body: string, more: Files = {}): Files {
  return {
    'package.json': one.manifest.replace('RUN', one.command),
    'src/sum.js': one.product('sum', '(a, b) => a + b'),
    [`test/sum${one.ending}`]: `${one.head}\n${one.load('{ sum }', '../src/sum.js')}\n${body}\n`,
    ...more,
  }
}
