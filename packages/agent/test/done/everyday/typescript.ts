import { bash, edits, writes } from '../story.ts'
import type { Everyday } from './everyday.ts'

const language = 'TypeScript'

/** A library that vitest tests and the compiler checks. */
const library = {
  'package.json': `{
  "name": "dates",
  "version": "0.3.0",
  "type": "module",
  "main": "dist/index.js",
  "scripts": {
    "test": "vitest run",
    "typecheck": "tsc --noEmit"
  }
}
`,
  'tsconfig.json':
    '{\n  "compilerOptions": {\n    "strict": true,\n    "module": "nodenext",\n    "target": "es2022",\n    "types": [],\n    "skipLibCheck": true,\n    "outDir": "dist"\n  },\n  "include": ["src"]\n}\n',
  '.gitignore': 'node_modules\ndist\n',
  'src/index.ts': "export { daysBetween } from './days.js'\nexport type { Day } from './days.js'\n",
  'src/days.ts': `export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

export function daysBetween(from: Day, to: Day): number {
  return Math.round((timeOf(to) - timeOf(from)) / 86_400_000)
}

function timeOf({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day)
}
`,
  'src/days.test.ts': `import { describe, expect, it } from 'vitest'
import { daysBetween } from './days.js'

describe('daysBetween', () => {
  it('counts days', () => expect(daysBetween({ year: 2024, month: 1, day: 1 }, { year: 2024, month: 1, day: 31 })).toBe(30))
  it('knows leap years', () => expect(daysBetween({ year: 2024, month: 2, day: 28 }, { year: 2024, month: 3, day: 1 })).toBe(2))
})
`,
} as const
const brokenLibrary = { ...library, 'src/days.ts': library['src/days.ts'].replace('month - 1', 'month') }
const both = ['vitest', 'typescript'] as const

export const typescript: readonly Everyday[] = [
  {
    what: 'an off-by-one that tests know',
    language,
    word: 'verified',
    installed: both,
    git: true,
    files: brokenLibrary,
    turns: [
      { task: 'daysBetween is off.', does: [[edits('src/days.ts', 'year, month, day)', 'year, month - 1, day)')]] },
    ],
  },
  {
    what: 'an off-by-one in a large repository',
    language,
    word: 'verified',
    installed: both,
    git: true,
    modules: 2000,
    files: brokenLibrary,
    turns: [
      { task: 'daysBetween is off.', does: [[edits('src/days.ts', 'year, month, day)', 'year, month - 1, day)')]] },
    ],
  },
  {
    what: 'a function more with its types, tested in the old file',
    language,
    word: 'verified',
    installed: both,
    git: true,
    files: library,
    turns: [
      {
        task: 'Add isBefore(a, b) with tests, and export it.',
        does: [
          [
            edits(
              'src/days.ts',
              'function timeOf',
              'export function isBefore(one: Day, other: Day): boolean {\n  return timeOf(one) < timeOf(other)\n}\n\nfunction timeOf',
            ),
            edits('src/index.ts', '{ daysBetween }', '{ daysBetween, isBefore }'),
            edits('src/days.test.ts', '{ daysBetween }', '{ daysBetween, isBefore }'),
            bash(
              "printf \"\\ndescribe('isBefore', () => {\\n  it('compares', () => expect(isBefore({ year: 2023, month: 1, day: 1 }, { year: 2024, month: 1, day: 1 })).toBe(true))\\n  it('is strict', () => expect(isBefore({ year: 2024, month: 1, day: 1 }, { year: 2024, month: 1, day: 1 })).toBe(false))\\n})\\n\" >> src/days.test.ts",
            ),
          ],
          [bash('npx tsc --noEmit && npx vitest run')],
        ],
      },
    ],
  },
  {
    what: 'types only, narrower ones',
    language,
    word: 'held',
    installed: both,
    git: true,
    files: library,
    turns: [
      {
        task: 'Give months a type of their own.',
        does: [
          [
            edits(
              'src/days.ts',
              'export interface Day',
              'export type Month = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12\n\nexport interface Day',
            ),
            edits('src/days.ts', 'readonly month: number', 'readonly month: Month'),
          ],
        ],
      },
    ],
  },
  {
    what: 'a fix in a project with an old type error elsewhere',
    language,
    word: 'verified',
    installed: both,
    git: true,
    files: {
      ...brokenLibrary,
      'src/old.ts': 'export function nameOf(user: { name?: string }): string {\n  return user.name\n}\n',
    },
    turns: [
      {
        task: 'daysBetween is off. The type error in old.ts is known.',
        does: [[edits('src/days.ts', 'year, month, day)', 'year, month - 1, day)')]],
      },
    ],
  },
  // What a compiler complains about can be silenced as well as mended: that it is quiet speaks for nothing yet.
  {
    what: 'a type error that the compiler told of',
    language,
    word: 'held',
    installed: ['typescript'],
    git: true,
    files: {
      'package.json': '{ "type": "module", "scripts": { "typecheck": "tsc --noEmit" } }\n',
      'tsconfig.json': library['tsconfig.json'],
      'src/name.ts': 'export function nameOf(user: { name?: string }): string {\n  return user.name\n}\n',
    },
    turns: [
      { task: 'tsc complains.', does: [[edits('src/name.ts', 'return user.name', "return user.name ?? 'nobody'")]] },
    ],
  },
  {
    what: 'an interface renamed',
    language,
    word: 'held',
    installed: both,
    git: true,
    files: library,
    turns: [
      {
        task: 'Rename the type Day to CalendarDay.',
        does: [[bash("sed -i 's/\\bDay\\b/CalendarDay/g' src/days.ts src/index.ts")]],
      },
    ],
  },
  {
    what: 'a function renamed everywhere',
    language,
    word: 'rests_on',
    restsOn: ['src/days.test.ts'],
    installed: both,
    git: true,
    files: library,
    turns: [
      { task: 'Rename daysBetween to countDays.', does: [[bash("sed -i 's/\\bdaysBetween\\b/countDays/g' src/*.ts")]] },
    ],
  },
  {
    what: 'a module moved with its test',
    language,
    word: 'rests_on',
    installed: both,
    git: true,
    files: library,
    turns: [
      {
        task: 'Move days into src/calendar.',
        does: [
          [
            bash(
              "mkdir src/calendar && git mv src/days.ts src/days.test.ts src/calendar/ && sed -i 's#./days.js#./calendar/days.js#' src/index.ts",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'the target of the compiler upgraded',
    language,
    word: 'held',
    installed: both,
    git: true,
    files: library,
    turns: [{ task: 'Compile for es2023.', does: [[edits('tsconfig.json', 'es2022', 'es2023')]] }],
  },
  {
    what: 'a stricter compiler, and what it then complains about',
    language,
    word: 'held',
    installed: both,
    git: true,
    files: {
      ...library,
      'src/first.ts': 'export function first(names: readonly string[]): string {\n  return names[0]\n}\n',
    },
    turns: [
      {
        task: 'Switch noUncheckedIndexedAccess on and mend what breaks.',
        does: [
          [
            edits('tsconfig.json', '"strict": true,', '"strict": true,\n    "noUncheckedIndexedAccess": true,'),
            edits('src/first.ts', 'return names[0]', "return names[0] ?? ''"),
          ],
        ],
      },
    ],
  },
  {
    what: 'a snapshot updated as asked',
    language,
    word: 'rests_on',
    restsOn: ['src/__snapshots__/card.test.ts.snap'],
    installed: both,
    git: true,
    files: {
      ...library,
      'src/index.ts': `${library['src/index.ts']}export { card } from './card.js'\n`,
      'src/card.ts': 'export function card(name: string): string {\n  return `<b>${name}</b>`\n}\n',
      'src/card.test.ts':
        "import { expect, test } from 'vitest'\nimport { card } from './card.js'\n\ntest('shows a name', () => expect(card('Ada')).toMatchSnapshot())\n",
      'src/__snapshots__/card.test.ts.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`shows a name 1`] = `"<b>Ada</b>"`;\n',
    },
    turns: [
      {
        task: 'Cards use strong instead of b. Update the snapshot.',
        does: [[bash("sed -i 's/<b>/<strong>/; s#</b>#</strong>#' src/card.ts")], [bash('npx vitest run -u')]],
      },
    ],
  },
  {
    what: 'a project with a build before its tests: a fix',
    language,
    word: 'verified',
    installed: ['typescript'],
    git: true,
    files: {
      'package.json':
        '{ "type": "module", "main": "dist/sum.js", "scripts": { "build": "tsc", "test": "tsc && node --test dist/*.test.js" } }\n',
      'tsconfig.json': library['tsconfig.json'].replace('"outDir"', '"rootDir": "src",\n    "outDir"'),
      '.gitignore': 'node_modules\ndist\n',
      'src/node.d.ts':
        "declare module 'node:test' {\n  export default function test(name: string, run: () => void): void\n}\ndeclare module 'node:assert' {\n  const assert: { equal(a: unknown, b: unknown): void }\n  export default assert\n}\n",
      'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a - b\n}\n',
      'src/sum.test.ts':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.js'\n\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
    },
    turns: [{ task: 'sum is broken.', does: [[edits('src/sum.ts', 'a - b', 'a + b')], [bash('npm test')]] }],
  },
  {
    what: 'a project with a build before its tests: a module more',
    language,
    word: 'verified',
    installed: ['typescript'],
    git: true,
    files: {
      'package.json':
        '{ "type": "module", "main": "dist/index.js", "scripts": { "build": "tsc", "test": "tsc && node --test dist/*.test.js" } }\n',
      'tsconfig.json': library['tsconfig.json'].replace('"outDir"', '"rootDir": "src",\n    "outDir"'),
      '.gitignore': 'node_modules\ndist\n',
      'src/node.d.ts':
        "declare module 'node:test' {\n  export default function test(name: string, run: () => void): void\n}\ndeclare module 'node:assert' {\n  const assert: { equal(a: unknown, b: unknown): void }\n  export default assert\n}\n",
      'src/index.ts': "export { sum } from './sum.js'\n",
      'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a + b\n}\n',
      'src/sum.test.ts':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.js'\n\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
    },
    turns: [
      {
        task: 'Add product(a, b) in a file of its own, with a test, and export it.',
        does: [
          [
            edits('src/index.ts', 'export { sum }', "export { product } from './product.js'\nexport { sum }"),
            writes('src/product.ts', 'export function product(a: number, b: number): number {\n  return a * b\n}\n'),
            writes(
              'src/product.test.ts',
              "import test from 'node:test'\nimport assert from 'node:assert'\nimport { product } from './product.js'\n\ntest('multiplies', () => assert.equal(product(2, 3), 6))\n",
            ),
          ],
          [bash('npm test')],
        ],
      },
    ],
  },
  {
    what: 'a new project whose runner is set up in the same turn',
    language,
    word: 'verified',
    installed: both,
    files: { 'ideas.md': 'Roman numerals.\n' },
    turns: [
      {
        task: 'Start a TypeScript project for Roman numerals, with vitest.',
        does: [
          [
            writes(
              'package.json',
              '{ "type": "module", "scripts": { "test": "vitest run", "typecheck": "tsc --noEmit" } }\n',
            ),
            writes('tsconfig.json', library['tsconfig.json']),
            writes(
              'src/roman.ts',
              "const numerals: readonly (readonly [number, string])[] = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]\n\nexport function roman(n: number): string {\n  let text = ''\n  for (const [value, numeral] of numerals) {\n    while (n >= value) {\n      text += numeral\n      n -= value\n    }\n  }\n  return text\n}\n",
            ),
            writes(
              'src/roman.test.ts',
              "import { expect, test } from 'vitest'\nimport { roman } from './roman.js'\n\ntest.each([[4, 'IV'], [9, 'IX'], [14, 'XIV']])('%i is %s', (n, text) => expect(roman(n)).toBe(text))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a runner set up for a project that had none, with first tests',
    language,
    word: 'held',
    installed: both,
    git: true,
    files: {
      'package.json': '{ "type": "module", "main": "src/days.ts" }\n',
      'tsconfig.json': library['tsconfig.json'],
      'src/days.ts': library['src/days.ts'],
    },
    turns: [
      {
        task: 'Set up vitest and write tests for days.ts.',
        does: [
          [
            writes(
              'package.json',
              '{ "type": "module", "main": "src/days.ts", "scripts": { "test": "vitest run" } }\n',
            ),
            writes(
              'vitest.config.ts',
              "import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({ test: { include: ['src/**/*.test.ts'] } })\n",
            ),
            writes('src/days.test.ts', library['src/days.test.ts']),
          ],
          [bash('npm test')],
        ],
      },
    ],
  },
  {
    what: 'a test helper and a fixture for a new test of a new function',
    language,
    word: 'verified',
    installed: both,
    git: true,
    files: library,
    turns: [
      {
        task: 'Parse ISO days, and test it with a file of examples.',
        does: [
          [
            edits(
              'src/index.ts',
              'export { daysBetween }',
              "export { parseDay } from './parse.js'\nexport { daysBetween }",
            ),
            writes(
              'src/parse.ts',
              "import type { Day } from './days.js'\n\nexport function parseDay(text: string): Day | undefined {\n  const [, year, month, day] = /^(\\d{4})-(\\d\\d)-(\\d\\d)$/.exec(text) ?? []\n  if (day === undefined) return undefined\n  return { year: Number(year), month: Number(month), day: Number(day) }\n}\n",
            ),
            writes('src/examples.json', '["2024-01-31", "1999-12-01"]\n'),
            writes(
              'src/parse.test.ts',
              "import { expect, test } from 'vitest'\nimport examples from './examples.json' with { type: 'json' }\nimport { parseDay } from './parse.js'\n\ntest('reads examples', () => {\n  for (const one of examples) expect(parseDay(one)?.year).toBe(Number(one.slice(0, 4)))\n})\ntest('refuses others', () => expect(parseDay('today')).toBeUndefined())\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a mock of a module in a new test',
    language,
    word: 'verified',
    installed: both,
    git: true,
    files: library,
    turns: [
      {
        task: 'Add greetingFor(days) that says how long it is, testing it with a mock of daysBetween.',
        does: [
          [
            edits(
              'src/index.ts',
              'export { daysBetween }',
              "export { until } from './until.js'\nexport { daysBetween }",
            ),
            writes(
              'src/until.ts',
              "import { type Day, daysBetween } from './days.js'\n\nexport function until(from: Day, to: Day): string {\n  const days = daysBetween(from, to)\n  return days === 1 ? 'tomorrow' : `in ${days} days`\n}\n",
            ),
            writes(
              'src/until.test.ts',
              "import { expect, test, vi } from 'vitest'\nimport { until } from './until.js'\n\nvi.mock('./days.js', () => ({ daysBetween: () => 1 }))\n\ntest('says tomorrow', () => expect(until({ year: 1, month: 1, day: 1 }, { year: 1, month: 1, day: 1 })).toBe('tomorrow'))\n",
            ),
          ],
        ],
      },
    ],
  },
]
