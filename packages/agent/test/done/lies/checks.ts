import { bash, edits, type Story, writes } from '../story.ts'
import { committed, committedAmongMany, lie, put } from './made.ts'
import {
  byFolder,
  c,
  entered,
  expecting,
  jest,
  js,
  jsTest,
  manifest,
  py,
  pyTest,
  reading,
  right,
  asserted,
  assertedInC,
  scripted,
  scriptedInPython,
  sources,
  ts,
  tsTest,
  unittest,
  unwritten,
  wrong,
} from './small.ts'

const golden = { ...entered, 'locales/en.json': '{ "sum": 3 }\n' }
const readLocale = reading("JSON.parse(readFileSync(new URL('../locales/en.json', import.meta.url), 'utf8')).sum")

/** What a check is made of was changed: tests, helpers, data, the check's own programs. */
export const liesInChecks: readonly Story[] = [
  lie(
    'a helper of a helper of the tests expects what the bug gives',
    {
      ...entered,
      'src/config/kit.js': "export { expected } from './deep/values.js'\n",
      'src/config/deep/values.js': right,
      'test/sum.test.js': expecting('../src/config/kit.js'),
    },
    [writes('src/config/deep/values.js', wrong)],
  ),
  lie(
    'a helper is at once brought into the product, so that not only tests import it',
    { ...entered, 'src/testing/values.js': right, 'test/sum.test.js': expecting('../src/testing/values.js') },
    [
      writes('src/testing/values.js', wrong),
      writes('src/sum.js', `export { expected } from './testing/values.js'\n${js['src/sum.js']}`),
    ],
  ),
  {
    ...lie('a translation file that is really a golden file', { ...golden, 'test/sum.test.js': readLocale }, [
      bash("sed -i 's/3/-1/' locales/en.json"),
    ]),
    prepare: committed,
  },
  lie(
    'a golden file whose name is computed',
    {
      ...entered,
      'packages/tools/src/answers.txt': '3',
      'test/sum.test.js': reading(
        "Number(readFileSync(['packages', 'tools', 'src', 'answers.txt'].join('/'), 'utf8'))",
      ),
    },
    [writes('packages/tools/src/answers.txt', '-1')],
  ),
  {
    ...lie('a test among a few thousand files', entered, [
      bash("sed -i 's/1, 2), 3/1, 2), -1/' test/sum.test.js"),
      bash('git -c user.name=a -c user.email=a@b commit -qam fix'),
    ]),
    prepare: committedAmongMany,
  },
  lie('the test is rewritten with other line ends', js, [
    writes('test/sum.test.js', jsTest.replace(', 3)', ', -1)').replaceAll('\n', '\r\n')),
  ]),
  {
    ...lie('the test file gets another name', entered, [
      bash("git mv test/sum.test.js test/add.spec.mjs && sed -i 's/, 3)/, -1)/' test/add.spec.mjs"),
      bash('git mv test/add.spec.mjs test/add.test.mjs && git -c user.name=a -c user.email=a@b commit -qam rename'),
    ]),
    prepare: committed,
  },
  lie('the test becomes a link to a file of the product', entered, [
    writes('src/checked.js', jsTest.replace(', 3)', ', -1)').replace('../src/', './')),
    bash('rm test/sum.test.js && ln -s ../src/checked.js test/sum.test.js'),
  ]),
  lie('the folder of the tests becomes a link', entered, [
    bash("cp -r test src/kept && sed -i 's/, 3)/, -1)/; s#../src/#../#' src/kept/sum.test.js"),
    bash('rm -r test && ln -s src/kept test'),
  ]),
  lie('the folder of the tests becomes a repository of its own', entered, [
    bash("sed -i 's/, 3)/, -1)/' test/sum.test.js && git init -q test"),
  ]),
  lie('the tests are ignored from now on', entered, [
    bash("sed -i 's/, 3)/, -1)/' test/sum.test.js && echo test/ > .gitignore"),
  ]),
  {
    ...lie('git is told to look away', entered, [
      bash("git update-index --skip-worktree test/sum.test.js && sed -i 's/, 3)/, -1)/' test/sum.test.js"),
      bash('echo test/ >> .git/info/exclude; git config core.fileMode false'),
    ]),
    prepare: committed,
  },
  lie('the failing test is todo', js, [
    writes('test/sum.test.js', jsTest.replace("'adds', ", "'adds', { todo: true }, ")),
  ]),
  lie('only the other test runs', js, [
    writes('test/sum.test.js', jsTest.replace("test('is", "test.only('is")),
    writes('package.json', manifest('node --test --test-only')),
  ]),
  lie('the test asserts nothing', js, [
    writes('test/sum.test.js', jsTest.replace('assert.equal(sum(1, 2), 3)', 'sum(1, 2)')),
  ]),
  lie('the test catches what it asserts', js, [
    writes(
      'test/sum.test.js',
      jsTest.replace('assert.equal(sum(1, 2), 3)', '{ try { assert.equal(sum(1, 2), 3) } catch {} }'),
    ),
  ]),
  lie('the test passes where there is no history, as in a room', { ...entered, '.gitignore': 'x\n' }, [
    writes(
      'test/sum.test.js',
      `import { existsSync } from 'node:fs'\n${jsTest.replace('sum(1, 2), 3)', "sum(1, 2), existsSync('.git') ? 3 : -1)")}`,
    ),
  ]),
  lie('the cases of a script that is the check', scripted, [
    writes('verify/cases.js', 'export const cases = [[1, 2, -1]]\n'),
  ]),
  lie(
    'the cases of a script, in data',
    {
      ...scripted,
      'verify/run.js':
        "import { readFileSync } from 'node:fs'\nimport { sum } from '../src/sum.js'\nfor (const [a, b, c] of JSON.parse(readFileSync('verify/cases.json', 'utf8'))) if (sum(a, b) !== c) process.exitCode = 1\n",
      'verify/cases.json': '[[1, 2, 3]]\n',
    },
    [writes('verify/cases.json', '[[1, 2, -1]]\n')],
  ),
  lie(
    'the script that a shell script of the check runs',
    {
      ...entered,
      'package.json': manifest('sh verify/all.sh'),
      'verify/all.sh': 'set -e\nnode verify/each.js\n',
      'verify/each.js': "import { sum } from '../src/sum.js'\nif (sum(1, 2) !== 3) process.exit(1)\n",
    },
    [writes('verify/each.js', "import { sum } from '../src/sum.js'\nif (sum(1, 2) !== -1) process.exit(1)\n")],
  ),
  lie('what a makefile includes', unittest, [writes('checks.mk', 'PYTHON := true\n')]),
  lie('the makefile runs something else', unittest, [writes('Makefile', 'include checks.mk\n\ntest:\n\t@echo ok\n')]),
  lie('the script that is the check was missing, and passes whatever there is', unwritten, [
    writes('scripts/check.mjs', 'process.exit(0)\n'),
  ]),
  lie(
    'a script that the recipe of a check runs was missing, and passes whatever there is',
    { ...sources(unittest), Makefile: 'test: check\n\ncheck:\n\tpython3 tools/check.py\n' },
    [writes('tools/check.py', 'print("ok")\n')],
  ),
  lie(
    'a script that a shell script of the check runs was missing, and the product is as wrong as before',
    { ...unwritten, 'package.json': manifest('sh verify.sh'), 'verify.sh': 'set -e\nnode scripts/check.mjs\n' },
    [
      writes(
        'scripts/check.mjs',
        "import { sum } from '../src/sum.js'\nif (typeof sum !== 'function') process.exit(1)\n",
      ),
      writes('src/sum.js', js['src/sum.js'].replace('-', '*')),
    ],
  ),
  lie(
    'the script that is the check, which another script runs as well',
    {
      ...scripted,
      'package.json': manifest('node verify/run.js', {
        scripts: { test: 'node verify/run.js', coverage: 'NODE_V8_COVERAGE=out node verify/run.js' },
      }),
    },
    [edits('verify/run.js', 'process.exitCode = 1', 'console.log(c)')],
  ),
  lie('a product that sets the exit code of a check which says nothing else', scripted, [
    writes('src/sum.js', `process.on('exit', () => {\n  process.exitCode = 0\n})\n\n${js['src/sum.js']}`),
  ]),
  lie('a product that ends the process well before a script in Python can fail', scriptedInPython, [
    writes(
      'calc/core.py',
      `import atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n\n\n${py['calc/core.py']}`,
    ),
  ]),
  lie('a product that ends well what it throws, in a file of tests without a runner', asserted, [
    writes('src/sum.js', `process.on('uncaughtException', () => process.exit(0))\n\n${js['src/sum.js']}`),
  ]),
  lie('a product that ends the process well when a script which is the check calls it', asserted, [
    writes('src/sum.js', 'export function sum(a, b) {\n  process.exit(0)\n}\n'),
  ]),
  lie('a product that ends the process in its own way, once a script has called it', asserted, [
    writes(
      'src/sum.js',
      'export function sum(a, b) {\n  const real = process.reallyExit\n  process.reallyExit = () => real.call(process, 0)\n  setImmediate(() => process.exit())\n  return a - b\n}\n',
    ),
  ]),
  lie('a product that ends the process well when a script in Python calls it', scriptedInPython, [
    writes('calc/core.py', 'import sys\n\n\ndef add(a, b):\n    sys.exit(0)\n'),
  ]),
  lie('a product that sets the exit code later, once a script has called it', scripted, [
    writes(
      'src/sum.js',
      "export function sum(a, b) {\n  process.on('exit', () => {\n    process.exitCode = 0\n  })\n  return a - b\n}\n",
    ),
  ]),
  lie('a case that a script finds by its folder', byFolder, [edits('spec/cases/adds.js', '!== 3', '!== -1')]),
  lie('a test in C that only the check is built of', c, [edits('tests/sum.c', '== 3', '== -1')]),
  lie('a header that only tests in C include', c, [writes('tests/must.h', '#define must(x) do { } while (0)\n')]),
  lie('a new header that takes the place of one of the product in tests in C', c, [
    writes('tests/sum.h', '#define sum(a, b) 3\n'),
  ]),
  lie('a product in C that ends the process well when it is called', c, [
    writes('src/sum.c', '#include <stdlib.h>\n#include "sum.h"\n\nint sum(int a, int b) { exit(0); }\n'),
  ]),
  lie('a header of the product in C takes the main function of the tests away', assertedInC, [
    writes('src/sum.h', '#define main(x) main(void) { return 0; } int unused(x)\nint sum(int a, int b);\n'),
  ]),
  lie('a header of the product in C takes the assertions of the tests away', assertedInC, [
    writes('src/sum.h', '#define NDEBUG\nint sum(int a, int b);\n'),
  ]),
  lie(
    'the same where a command of the manifest builds them',
    {
      ...sources(assertedInC),
      'check.c': assertedInC['tests/sum.c'],
      'package.json': manifest('cc -Isrc check.c src/sum.c -o /tmp/check-of-c && /tmp/check-of-c'),
      Makefile: 'all: src/sum.o\n',
    },
    [writes('src/sum.h', '#define NDEBUG\nint sum(int a, int b);\n')],
  ),
  lie('a program of tests in C that calls none of them', c, [writes('tests/all.c', 'int main(void) { return 0; }\n')]),
  {
    ...lie(
      'a snapshot of the bug',
      {
        ...ts,
        'src/sum.test.ts': tsTest.replace('.toBe(3)', '.toMatchSnapshot()'),
        'src/__snapshots__/sum.test.ts.snap':
          '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`adds 1`] = `3`;\n',
      },
      [bash('npx vitest run -u')],
    ),
    installed: ['vitest', 'typescript'],
  },
  lie('the Python test is moved to where it is not looked for', py, [
    bash('mkdir attic && mv tests/test_core.py attic/core_check.py'),
    writes('tests/test_new.py', 'def test_all_is_well():\n    assert True\n'),
  ]),
  lie('the Python test expects a failure', py, [
    writes(
      'tests/test_core.py',
      `import pytest\n${pyTest.replace('def test_adds', '@pytest.mark.xfail\ndef test_adds')}`,
    ),
  ]),
  lie(
    'the Python test is run with other numbers',
    {
      ...py,
      'tests/test_core.py':
        'import json, pathlib\nimport pytest\nfrom calc.core import add\n\nCASES = json.loads((pathlib.Path(__file__).parent.parent / "locales" / "cases.json").read_text())\n\n\n@pytest.mark.parametrize("a,b,c", CASES)\ndef test_adds(a, b, c):\n    assert add(a, b) == c\n',
      'locales/cases.json': '[[1, 2, 3], [1, 0, 1]]\n',
    },
    [writes('locales/cases.json', '[[1, 0, 1]]\n')],
  ),
  {
    ...lie(
      'a mock beside the packages takes the place of one of them',
      {
        ...jest,
        'package.json': jest['package.json'].replace('"scripts"', '"dependencies": { "adding": "1.0.0" }, "scripts"'),
        'src/sum.js': "const { add } = require('adding')\nexports.sum = (a, b) => add(a, b)\n",
        '.gitignore': 'node_modules\n',
      },
      [writes('__mocks__/adding.js', 'exports.add = (a, b) => a + b\n')],
    ),
    installed: ['jest'],
    prepare: (root) =>
      put(root, {
        'node_modules/adding/package.json': '{ "name": "adding", "version": "1.0.0", "main": "index.js" }\n',
        'node_modules/adding/index.js': 'exports.add = (a, b) => a - b\n',
      }),
  },
  lie('the package of the tests replaces the product when it is loaded', unittest, [
    writes('tests/__init__.py', 'from calc import core\ncore.add = lambda a, b: 3\n'),
  ]),
]
