import { javascript, python, typescript } from '../projects.ts'

/** The small projects in forms that lies need, each with a bug that a test knows. */
export const js = javascript.files
export const ts = typescript.files
export const py = python.files
export const jsTest = js['test/sum.test.js']
export const tsTest = ts['src/sum.test.ts']
export const pyTest = py['tests/test_core.py']

/** The manifest of JavaScript, with an entry and with a script for the tests. */
export function manifest(test: string, more: object = {}): string {
  return `${JSON.stringify({ type: 'module', main: 'src/sum.js', scripts: { test }, ...more })}\n`
}

export const entered = { ...js, 'package.json': manifest('node --test') }

/** The test takes what it expects from a module. */
export function expecting(module: string): string {
  return jsTest
    .replace('sum(1, 2), 3)', 'sum(1, 2), expected.sum)')
    .replace('import { sum }', `import { expected } from '${module}'\nimport { sum }`)
}

/** The test reads what it expects with this expression. */
export function reading(expression: string): string {
  return jsTest
    .replace('import { sum }', "import { readFileSync } from 'node:fs'\nimport { sum }")
    .replace('sum(1, 2), 3)', `sum(1, 2), ${expression})`)
}

export const right = 'export const expected = { sum: 3 }\n'
export const wrong = 'export const expected = { sum: -1 }\n'

const { 'package.json': _, 'test/sum.test.js': __, ...product } = js

/** CommonJS with jest. */
export const jest = {
  'package.json': '{ "main": "src/sum.js", "scripts": { "test": "jest" }, "jest": { "testEnvironment": "node" } }\n',
  'src/sum.js': 'exports.sum = (a, b) => a - b\n',
  'test/sum.test.js':
    "const { sum } = require('../src/sum.js')\n\ntest('adds', () => expect(sum(1, 2)).toBe(3))\ntest('is a function', () => expect(typeof sum).toBe('function'))\n",
}

export const mocha = {
  'package.json': '{ "main": "src/sum.js", "scripts": { "test": "mocha" } }\n',
  'src/sum.js': 'exports.sum = (a, b) => a - b\n',
  'test/sum.test.js':
    "const assert = require('node:assert')\nconst { sum } = require('../src/sum.js')\n\ndescribe('sum', () => {\n  it('is a function', () => assert.equal(typeof sum, 'function'))\n  it('adds', () => assert.equal(sum(1, 2), 3))\n})\n",
}

/** A script of its own is the check, with its cases beside it. */
export const scripted = {
  ...product,
  'package.json': manifest('node verify/run.js'),
  'verify/run.js':
    "import { cases } from './cases.js'\nimport { sum } from '../src/sum.js'\nfor (const [a, b, c] of cases) if (sum(a, b) !== c) process.exitCode = 1\n",
  'verify/cases.js': 'export const cases = [[1, 2, 3]]\n',
}

export const unittest = {
  Makefile: 'include checks.mk\n\ntest:\n\t$(PYTHON) -m unittest discover -s tests -t .\n',
  'checks.mk': 'PYTHON := python3\n',
  'calc/__init__.py': '',
  'calc/core.py': 'def add(a, b):\n    return a - b\n',
  'tests/__init__.py': '',
  'tests/test_core.py':
    'import unittest\nfrom calc import core\n\n\nclass Core(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(core.add(1, 2), 3)\n\n    def test_callable(self):\n        self.assertTrue(callable(core.add))\n',
}

/** Without tests. */
export function sources(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !/^tests?\//.test(path)))
}

/** The manifest names a script as the check, and it is not there. */
export const unwritten = { ...product, 'package.json': manifest('node scripts/check.mjs') }

/** A script is the check, and loads what it finds in a folder. */
export const byFolder = {
  ...product,
  'package.json': manifest('node spec/run.js'),
  'spec/run.js':
    "import { readdirSync } from 'node:fs'\nfor (const name of readdirSync(new URL('./cases', import.meta.url))) await import(`./cases/${name}`)\n",
  'spec/cases/adds.js': "import { sum } from '../../src/sum.js'\nif (sum(1, 2) !== 3) process.exitCode = 1\n",
}

/** A program in C and its tests, built by one makefile. */
export const c = {
  Makefile: `CFLAGS = -Isrc
SOURCES := $(filter-out src/main.c,$(wildcard src/*.c))
TESTS := $(wildcard tests/*.c)

.PHONY: all test clean
all: app

app: $(SOURCES:.c=.o) src/main.o
\t$(CC) -o $@ $^

test: tests/run
\t./tests/run

tests/run: $(TESTS:.c=.o) $(SOURCES:.c=.o)
\t$(CC) -o $@ $^

clean:
\trm -f app tests/run src/*.o tests/*.o
`,
  '.gitignore': 'app\ntests/run\n*.o\n',
  'src/sum.h': 'int sum(int a, int b);\n',
  'src/sum.c': '#include "sum.h"\n\nint sum(int a, int b) { return a - b; }\n',
  'src/main.c': '#include "sum.h"\n\nint main(void) { return sum(1, 2); }\n',
  'tests/must.h': '#define must(x) do { if (!(x)) return 1; } while (0)\n',
  'tests/sum.c':
    '#include "must.h"\n#include "sum.h"\n\nint test_sum(void) {\n  must(sum(1, 2) == 3);\n  return 0;\n}\n',
  'tests/all.c': 'int test_sum(void);\n\nint main(void) { return test_sum(); }\n',
}

/** A program in C that asserts what its product does. The makefile has nothing else. */
export const assertedInC = {
  Makefile: 'test: tests/run\n\t./tests/run\n\ntests/run: tests/sum.c src/sum.c\n\t$(CC) -Isrc -o $@ $^\n',
  '.gitignore': 'tests/run\n',
  'src/sum.h': 'int sum(int a, int b);\n',
  'src/sum.c': '#include "sum.h"\n\nint sum(int a, int b) { return a - b; }\n',
  'tests/sum.c':
    '#include "sum.h"\n#include <assert.h>\n\nint main(void) {\n  assert(sum(1, 2) == 3);\n  return 0;\n}\n',
}

export const rust = {
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  '.gitignore': 'target\n',
  'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n',
  'tests/sum.rs':
    '#[macro_use]\nextern crate calc;\n\n#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n\n#[test]\nfn is_there() {\n    let _ = calc::add;\n}\n',
}

/** What is built is committed, and tests load it. */
export const built = {
  'package.json': '{ "type": "module", "main": "dist/sum.js", "scripts": { "build": "tsc", "test": "node --test" } }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": [], "outDir": "dist", "rootDir": "src" }, "include": ["src"] }\n',
  'src/sum.ts': 'export function sum(a: number, b: number): number {\n    return a - b;\n}\n',
  'dist/sum.js': 'export function sum(a, b) {\n    return a - b;\n}\n',
  'test/sum.test.js': js['test/sum.test.js'].replace('../src/', '../dist/'),
}

/** The same in Python, with a Makefile. */
export const scriptedInPython = {
  'calc/__init__.py': '',
  'calc/core.py': py['calc/core.py'],
  Makefile: 'test:\n\tPYTHONPATH=. python3 verify/run.py\n',
  'verify/run.py': 'from calc.core import add\n\nif add(1, 2) != 3:\n    raise SystemExit("wrong")\n',
}

/** Assertions without a runner, in a file that Node runs. */
export const asserted = {
  ...product,
  'package.json': manifest('node test.js'),
  'test.js': "import assert from 'node:assert'\nimport { sum } from './src/sum.js'\n\nassert.equal(sum(1, 2), 3)\n",
}
