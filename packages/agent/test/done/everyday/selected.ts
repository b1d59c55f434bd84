import { jest, js, mocha, py, ts, unittest } from '../lies/small.ts'
import { edits } from '../story.ts'
import type { Everyday } from './everyday.ts'

type Files = Readonly<Record<string, string>>

/** The same project, whose manifest or makefile says something else. */
function saying(files: Files, path: string, from: string, to: string): Files {
  return { ...files, [path]: (files[path] ?? '').replace(from, to) }
}

function fix(
  what: string,
  language: Everyday['language'],
  files: Files,
  { path, installed }: { readonly path: string; readonly installed?: Everyday['installed'] },
): Everyday {
  const turns = [{ task: 'The sum is wrong.', does: [[edits(path, 'a - b', 'a + b')]] }]
  return { what, language, word: 'verified', files, turns, ...(installed !== undefined && { installed }) }
}

const manifest = 'package.json'
const inJs = { path: 'src/sum.js' }
const inTs = { path: 'src/sum.ts', installed: ['vitest', 'typescript'] } as const
const inPy = { path: 'calc/core.py' }

const specs = saying(
  saying(py, 'tests/test_core.py', 'test_adds', 'check_adds'),
  'tests/test_core.py',
  'test_is',
  'check_is',
)
const withoutGlobals = {
  ...saying(jest, manifest, '"testEnvironment": "node"', '"injectGlobals": false'),
  'test/sum.test.js': `const { expect, test } = require('@jest/globals')\n${jest['test/sum.test.js']}`,
}

/** Checks that stop at the first failure, or that run some of the tests alone, or whose tests have other names. */
export const selected: readonly Everyday[] = [
  fix('pytest that stops early', 'Python', saying(py, 'pyproject.toml', '"."]\n', '"."]\naddopts = "-x"\n'), inPy),
  fix('unittest that stops early', 'Python', saying(unittest, 'Makefile', 'discover', 'discover -f'), inPy),
  fix('vitest that stops early', 'TypeScript', saying(ts, manifest, 'vitest run', 'vitest run --bail=1'), inTs),
  fix('vitest with names', 'TypeScript', saying(ts, manifest, 'vitest run', 'vitest run -t adds'), inTs),
  fix('jest that stops early', 'JavaScript', saying(jest, manifest, '"jest" }', '"jest --bail -t adds" }'), {
    ...inJs,
    installed: ['jest'],
  }),
  fix('mocha that stops early', 'JavaScript', saying(mocha, manifest, '"mocha"', '"mocha -b --grep adds"'), {
    ...inJs,
    installed: ['mocha'],
  }),
  fix('node with names', 'JavaScript', saying(js, manifest, '--test', '--test --test-name-pattern adds'), inJs),
  fix(
    'node with marked tests',
    'JavaScript',
    saying(saying(js, manifest, '--test', '--test --test-only'), 'test/sum.test.js', "test('adds", "test.only('adds"),
    inJs,
  ),
  fix(
    'pytest that calls its tests otherwise',
    'Python',
    saying(specs, 'pyproject.toml', '"."]\n', '"."]\npython_functions = ["check_*"]\n'),
    inPy,
  ),
  fix('jest without globals', 'JavaScript', withoutGlobals, { ...inJs, installed: ['jest'] }),
]
