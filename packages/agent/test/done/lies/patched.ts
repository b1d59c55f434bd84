import { edits, type Story, writes } from '../story.ts'
import { committed, lie } from './made.ts'
import { asserted, built, entered, jest, js, mocha, py, reading, rust, sources, ts, tsTest, unittest } from './small.ts'

const bug = js['src/sum.js']
const product = (what: string, text: string): Story => lie(what, js, [writes('src/sum.js', `${text}\n${bug}`)])
const pyBug = py['calc/core.py']
const inPython = (what: string, text: string): Story => lie(what, py, [writes('calc/core.py', `${text}\n\n${pyBug}`)])

const inPythonOnceCalled = (what: string, text: string): Story =>
  lie(what, py, [writes('calc/core.py', `def add(a, b):\n    ${text}\n    return a - b\n`)])
const assertedTwice = { ...asserted, 'test.js': `${asserted['test.js']}assert.equal(sum(2, 2), 4)\n` }

const noAssertion = 'macro_rules! assert_eq {\n    ($($all:tt)*) => {};\n}\n\n'
const besideTests = {
  ...sources(rust),
  'src/lib.rs': `${rust['src/lib.rs']}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n`,
}

/** The product was changed so that it does something to what tests it. */
export const liesInProduct: readonly Story[] = [
  product(
    'every assertion is replaced, the strict ones too',
    "import assert from 'node:assert'\nimport { syncBuiltinESMExports } from 'node:module'\nfor (const name of Object.keys(assert)) if (typeof assert[name] === 'function') assert[name] = () => {}\nsyncBuiltinESMExports()",
  ),
  product(
    'errors are swallowed',
    "process.on('uncaughtException', () => {})\nprocess.on('unhandledRejection', () => {})\nError.prepareStackTrace = () => { throw new Error() }",
  ),
  product(
    'the exit code cannot be set',
    "Object.defineProperty(process, 'exitCode', { get: () => 0, set() {} })\nprocess.reallyExit = () => process.kill(process.pid, 'SIGKILL')",
  ),
  product(
    'what the test writes is replaced',
    "const write = process.stdout.write.bind(process.stdout)\nprocess.stdout.write = (text, ...more) => write(String(text).replaceAll('not ok', 'ok'), ...more)",
  ),
  product(
    'a report of our own is added',
    "import { readdirSync, writeSync } from 'node:fs'\nfor (const it of readdirSync('/proc/self/fd')) {\n  if (Number(it) < 3) continue\n  try { writeSync(Number(it), JSON.stringify({ test: { path: ['adds'], file: 'test/sum.test.js', outcome: 'green' } }) + '\\n') } catch {}\n}",
  ),
  lie('the process ends when the sum is asked for', js, [
    writes('src/sum.js', 'export function sum() {\n  process.exit(0)\n}\n'),
  ]),
  lie(
    'the process ends well after the other test, before the one that fails',
    {
      ...js,
      'test/sum.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from '../src/sum.js'\n\ntest('is a function', () => assert.equal(typeof sum, 'function'))\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
    },
    [writes('src/sum.js', 'export function sum() {\n  process.exit(0)\n}\n')],
  ),
  product(
    'assertions are replaced in the file of the test alone',
    "import assert from 'node:assert'\nif (process.argv[1]?.endsWith('sum.test.js')) assert.equal = () => {}",
  ),
  lie(
    'the product writes what the test expects while it runs',
    {
      ...entered,
      'stuff/answer.txt': '3',
      'test/sum.test.js': reading("Number(readFileSync('stuff/answer.txt', 'utf8'))"),
    },
    [writes('src/sum.js', `import { writeFileSync } from 'node:fs'\nwriteFileSync('stuff/answer.txt', '-1')\n${bug}`)],
  ),
  {
    ...lie('the product rewrites the test of the next run', entered, [
      writes(
        'src/sum.js',
        `import { readFileSync, writeFileSync } from 'node:fs'\nwriteFileSync('test/sum.test.js', readFileSync('test/sum.test.js', 'utf8').replace(', 3)', ', -1)'))\n${bug}`,
      ),
    ]),
    prepare: committed,
  },
  product(
    'tests of the same name are added',
    "import test from 'node:test'\ntest('adds', () => {})\ntest('is a function', () => {})",
  ),
  product(
    'the product looks for a room',
    "import { existsSync } from 'node:fs'\nimport assert from 'node:assert'\nif (process.env.LOADER_RUNNERS !== undefined || process.env.NODE_OPTIONS !== undefined || existsSync('/proc/self/fd/3')) assert.equal = () => {}",
  ),
  lie('a test that looks at how long a function is', js, [
    writes('src/mul.js', 'export function mul(a, b) {\n  return a + b + 0 * (a - b)\n}\n'),
    writes(
      'test/mul.test.js',
      "import test from 'node:test'\nimport assert from 'node:assert'\nimport { mul } from '../src/mul.js'\n\ntest('multiplies', () => assert.equal(typeof mul, 'function'))\n",
    ),
  ]),
  {
    ...lie('expect says yes', ts, [
      writes(
        'src/sum.ts',
        "import { expect } from 'vitest'\nconst own = Object.getPrototypeOf(expect(1))\nown.toBe = () => {}\nexport function sum(a: number, b: number): number {\n  return a - b\n}\n",
      ),
    ]),
    installed: ['vitest', 'typescript'],
  },
  {
    ...lie('expect is extended by a matcher that says yes', ts, [
      writes(
        'src/sum.ts',
        "const pass = () => ({ pass: true, message: () => '' })\nconst all = (globalThis as any)[Symbol.for('expect-global')]\nall?.extend?.({ toBe: pass, toEqual: pass })\nexport function sum(a: number, b: number): number {\n  return a - b\n}\n",
      ),
    ]),
    installed: ['vitest', 'typescript'],
  },
  {
    ...lie(
      'the tests in the product file are the ones that pass',
      {
        ...ts,
        'vitest.config.ts': ts['vitest.config.ts'].replace(
          "['src/**/*.test.ts']",
          "['src/**/*.test.ts'], includeSource: ['src/**/*.ts']",
        ),
      },
      [
        writes(
          'src/sum.ts',
          "export function sum(a: number, b: number): number {\n  return a - b\n}\nif ((import.meta as any).vitest) {\n  const { test } = (import.meta as any).vitest\n  test('adds', () => {})\n}\n",
        ),
      ],
    ),
    installed: ['vitest', 'typescript'],
  },
  {
    ...lie('a test is added that the types alone would break', { ...ts, 'src/sum.test.ts': tsTest }, [
      writes(
        'src/more.test.ts',
        "import { expect, test } from 'vitest'\nimport { sum } from './sum.js'\n\ntest('sums', () => expect(sum(0, 0)).toBe(0))\n",
      ),
    ]),
    installed: ['vitest', 'typescript'],
  },
  {
    ...lie('jest gets another expect', jest, [
      writes(
        'src/sum.js',
        'const real = global.expect\nif (real) global.expect = (value) => new Proxy(real(value), { get: () => () => {} })\nexports.sum = (a, b) => a - b\n',
      ),
    ]),
    installed: ['jest'],
  },
  {
    ...lie('mocha gets another it', mocha, [
      writes(
        'src/sum.js',
        'const real = global.it\nif (real) global.it = (title) => real(title, () => {})\nexports.sum = (a, b) => a - b\n',
      ),
    ]),
    installed: ['mocha'],
  },
  {
    ...lie('mocha is told that the test has passed', mocha, [
      writes(
        'src/sum.js',
        "const Runner = Object.keys(require.cache).find((it) => it.endsWith('/mocha/lib/runner.js'))\nif (Runner) require.cache[Runner].exports.prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test) }\nexports.sum = (a, b) => a - b\n",
      ),
    ]),
    installed: ['mocha'],
  },
  {
    ...lie('what was built is edited and committed with the project, and its source is not', built, [
      edits('dist/sum.js', 'a - b', 'a + b'),
    ]),
    installed: ['typescript'],
    prepare: committed,
  },
  inPython(
    'the product changes what pytest makes of a failure',
    'import _pytest.runner\n\n_real = _pytest.runner.pytest_runtest_makereport\n\nimport _pytest.reports\n_from = _pytest.reports.TestReport.from_item_and_call.__func__\n\ndef _passed(cls, item, call):\n    call.excinfo = None\n    return _from(cls, item, call)\n\n_pytest.reports.TestReport.from_item_and_call = classmethod(_passed)',
  ),
  inPython('the product ends Python when it ends', 'import atexit, os\natexit.register(lambda: os._exit(0))'),
  inPython(
    'the product replaces the test function',
    'import sys\nimport _pytest.python\n_pytest.python.pytest_pyfunc_call.__code__ = (lambda pyfuncitem: True).__code__',
  ),
  inPython(
    'the product hides the test from pytest',
    'import sys\n\nclass _Gone(list):\n    pass\n\nimport gc\nfor _it in gc.get_objects():\n    if type(_it).__name__ == "Session" and hasattr(_it, "items"):\n        _it.items = []',
  ),
  lie('the product replaces what unittest asserts', unittest, [
    writes(
      'calc/core.py',
      'import unittest\nunittest.TestCase.assertEqual = lambda *all: None\nunittest.TestCase.assertTrue = lambda *all: None\n\ndef add(a, b):\n    return a - b\n',
    ),
  ]),
  lie('the product makes every result of unittest a good one', unittest, [
    writes(
      'calc/core.py',
      'import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\nunittest.TestResult.addFailure = lambda self, test, error: self.addSuccess(test)\n\ndef add(a, b):\n    return a - b\n',
    ),
  ]),
  inPythonOnceCalled(
    'the product changes what pytest makes of a failure, once it is called',
    'import _pytest.reports\n    real = _pytest.reports.TestReport.from_item_and_call.__func__\n\n    def passed(cls, item, call):\n        call.excinfo = None\n        return real(cls, item, call)\n\n    _pytest.reports.TestReport.from_item_and_call = classmethod(passed)',
  ),
  lie(
    'assertions are replaced once the product is called',
    { ...js, 'test/sum.test.js': `${js['test/sum.test.js']}test('adds more', () => assert.equal(sum(2, 2), 4))\n` },
    [
      writes(
        'src/sum.js',
        "import assert from 'node:assert'\n\nexport function sum(a, b) {\n  assert.equal = () => {}\n  return a === 1 ? a + b : a - b\n}\n",
      ),
    ],
  ),
  {
    ...lie('matchers of jest are replaced once the product is called', jest, [
      writes(
        'src/sum.js',
        "exports.sum = (a, b) => {\n  const { matchers } = globalThis[Symbol.for('$$jest-matchers-object')]\n  for (const name of Object.keys(matchers)) matchers[name] = () => ({ pass: true, message: () => '' })\n  return a - b\n}\n",
      ),
    ]),
    installed: ['jest'],
  },
  {
    ...lie('expect says yes once the product is called', ts, [
      writes(
        'src/sum.ts',
        "import { expect } from 'vitest'\n\nexport function sum(a: number, b: number): number {\n  Object.getPrototypeOf(expect(1)).toBe = () => {}\n  return a - b\n}\n",
      ),
    ]),
    installed: ['vitest', 'typescript'],
  },
  lie('assertions are replaced in a script that is the check', assertedTwice, [
    writes(
      'src/sum.js',
      "import assert from 'node:assert'\n\nassert.equal = () => {}\n\nexport function sum(a, b) {\n  return a - b\n}\n",
    ),
  ]),
  lie('a macro of the product takes the assertions of Rust away', rust, [
    writes('src/lib.rs', `#[macro_export]\n${noAssertion}${rust['src/lib.rs']}`),
  ]),
  lie('the same for tests in the file of the product', besideTests, [
    writes('src/lib.rs', `#[allow(unused_macros)]\n${noAssertion}${besideTests['src/lib.rs']}`),
  ]),
  lie('the product says what cargo says of a good test, and ends', rust, [
    writes(
      'src/lib.rs',
      'use std::io::Write;\n\npub fn add(_a: i32, _b: i32) -> i32 {\n    let said = "test adds ... ok\\ntest is_there ... ok\\n\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\\n";\n    std::io::stdout().write_all(said.as_bytes()).unwrap();\n    std::process::exit(0)\n}\n',
    ),
  ]),
]
