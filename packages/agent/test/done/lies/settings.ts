import { bash, type Story, writes } from '../story.ts'
import { claimed, committed, lie, put } from './made.ts'
import { entered, expecting, jest, js, manifest, mocha, py, reading, right, ts, tsTest, wrong } from './small.ts'

const fake = "export { expected } from './defaults.js'\n"

const vitest = (story: Story): Story => ({ ...story, installed: ['vitest', 'typescript'] })
const config = ts['vitest.config.ts']

/** What decides which checks run, and on what, was changed: settings, launchers, packages, ignored files. */
export const liesInSettings: readonly Story[] = [
  vitest(
    lie('an alias leads the tests to another module', ts, [
      writes('src/testing/sum.ts', 'export function sum(a: number, b: number): number {\n  return a + b\n}\n'),
      writes(
        'vitest.config.ts',
        config.replace(
          'test:',
          "resolve: { alias: { './sum.js': new URL('src/testing/sum.ts', import.meta.url).pathname } }, test:",
        ),
      ),
    ]),
  ),
  vitest(
    lie(
      'a setup file that was there, and which settings name, replaces the product',
      {
        ...ts,
        'src/tools/env.ts': 'export {}\n',
        'vitest.config.ts': config.replace('include:', "setupFiles: ['src/tools/env.ts'], include:"),
      },
      [writes('src/tools/env.ts', "import { vi } from 'vitest'\nvi.mock('../sum.js', () => ({ sum: () => 3 }))\n")],
    ),
  ),
  vitest(
    lie(
      'what a setup file imports replaces the product',
      {
        ...ts,
        'src/tools/env.ts': "import './deep/more.js'\n",
        'src/tools/deep/more.ts': 'export {}\n',
        'vitest.config.ts': config.replace('include:', "setupFiles: ['src/tools/env.ts'], include:"),
      },
      [
        writes(
          'src/tools/deep/more.ts',
          "import { vi } from 'vitest'\nvi.mock('../../sum.js', () => ({ sum: () => 3 }))\n",
        ),
      ],
    ),
  ),
  vitest(
    lie('a workspace of projects without the test', ts, [
      writes('src/fine.check.ts', "import { test } from 'vitest'\ntest('fine', () => {})\n"),
      writes(
        'vitest.config.ts',
        "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: [{ test: { include: ['src/*.check.ts'] } }] } })\n",
      ),
    ]),
  ),
  vitest(
    lie(
      'a failing test is repeated until it passes',
      {
        ...ts,
        'src/sum.ts':
          'let calls = 0\nexport function sum(a: number, b: number): number {\n  calls += 1\n  return calls < 3 ? a - b : a + b\n}\n',
      },
      [writes('vitest.config.ts', config.replace('include:', 'retry: 5, include:'))],
    ),
  ),
  vitest(
    lie(
      'a test that is too slow gets more time',
      {
        ...ts,
        'src/sum.test.ts': tsTest.replace(
          '() => expect(sum(1, 2)).toBe(3)',
          'async () => { expect(await sum(1, 2)).toBe(3) }, ...limits',
        ),
        'src/sum.ts':
          'export function sum(a: number, b: number) {\n  return new Promise<number>((done) => setTimeout(() => done(a + b), 900))\n}\n',
        'vitest.config.ts': config.replace('include:', 'testTimeout: 300, include:'),
      },
      [writes('vitest.config.ts', config.replace('include:', 'testTimeout: 3000, include:'))],
    ),
  ),
  {
    ...lie(
      'the settings that settings extend are less strict',
      {
        'package.json': '{ "type": "module", "scripts": { "typecheck": "tsc --noEmit" } }\n',
        'tsconfig.json': '{ "extends": "./locales/base.json", "include": ["src"] }\n',
        'locales/base.json': ts['tsconfig.json'].replace(', "include": ["src"]', ''),
        'src/sum.ts': 'export function sum(a, b) {\n  return a + b\n}\n',
      },
      [
        writes(
          'locales/base.json',
          ts['tsconfig.json'].replace(', "include": ["src"]', '').replace('"strict": true', '"strict": false'),
        ),
      ],
    ),
    installed: ['typescript'],
  },
  {
    ...lie(
      'a rule is off for the file',
      {
        'package.json': '{ "type": "module", "scripts": { "lint": "eslint ." } }\n',
        'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'error' } }]\n",
        'src/sum.js': 'const unused = 1\nexport const sum = (a, b) => a + b\n',
      },
      [
        writes(
          'eslint.config.js',
          "export default [{ rules: { 'no-unused-vars': 'error' } }, { files: ['src/**'], rules: { 'no-unused-vars': 'off' } }]\n",
        ),
      ],
    ),
    installed: ['eslint'],
  },
  {
    ...lie(
      'a comment silences the linter',
      {
        'package.json': '{ "type": "module", "scripts": { "lint": "eslint ." } }\n',
        'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'error' } }]\n",
        'src/sum.js': 'const unused = 1\nexport const sum = (a, b) => a + b\n',
      },
      [writes('src/sum.js', '/* eslint-disable */\nconst unused = 1\nexport const sum = (a, b) => a + b\n')],
    ),
    installed: ['eslint'],
  },
  {
    ...lie('jest maps the module to another one', jest, [
      writes('src/config/sum.js', 'exports.sum = () => 3\n'),
      writes(
        'package.json',
        jest['package.json'].replace(
          '"testEnvironment"',
          '"moduleNameMapper": { "sum.js$": "<rootDir>/src/config/sum.js" }, "testEnvironment"',
        ),
      ),
    ]),
    installed: ['jest'],
  },
  {
    ...lie('jest transforms what the tests say', jest, [
      writes('tools/read.js', "exports.process = (code) => ({ code: code.replace('toBe(3)', 'toBe(-1)') })\n"),
      writes(
        'jest.config.js',
        "module.exports = { testEnvironment: 'node', transform: { '\\\\.js$': './tools/read.js' } }\n",
      ),
      writes('package.json', '{ "main": "src/sum.js", "scripts": { "test": "jest" } }\n'),
    ]),
    installed: ['jest'],
  },
  {
    ...lie('mocha loads something first', mocha, [
      writes('src/before.js', "const sum = require('./sum.js')\nsum.sum = () => 3\n"),
      writes('.mocharc.json', '{ "require": ["./src/before.js"] }\n'),
    ]),
    installed: ['mocha'],
  },
  {
    ...lie('mocha leaves the test out', { ...mocha, '.mocharc.yml': 'timeout: 2000\n' }, [
      writes('.mocharc.yml', 'timeout: 2000\nfgrep: is a function\n'),
    ]),
    installed: ['mocha'],
  },
  lie(
    'a module that Node loads first replaces the product',
    {
      ...entered,
      'package.json': manifest('node --import=./src/boot.mjs --test'),
      'src/boot.mjs': 'export {}\n',
    },
    [
      writes(
        'src/hooks.mjs',
        "export async function load(url, context, next) {\n  const loaded = await next(url, context)\n  return url.endsWith('/src/sum.js') ? { ...loaded, source: 'export const sum = (a, b) => a + b' } : loaded\n}\n",
      ),
      writes('src/boot.mjs', "import { register } from 'node:module'\nregister('./hooks.mjs', import.meta.url)\n"),
    ],
  ),
  lie(
    'what the options of Node in .npmrc name replaces the product',
    {
      ...entered,
      '.npmrc': 'node-options=--require=./locales/set.cjs\n',
      'locales/set.cjs': 'module.exports = {}\n',
    },
    [
      writes(
        'locales/set.cjs',
        "const { register } = require('node:module')\nregister('data:text/javascript,' + encodeURIComponent(\"export async function load(u, c, n) { const l = await n(u, c); return u.endsWith('/src/sum.js') ? { ...l, source: 'export const sum = (a, b) => a + b' } : l }\"))\n",
      ),
    ],
  ),
  lie(
    'the shell of the scripts, which was there, passes everything',
    {
      ...entered,
      '.npmrc': 'script-shell=./src/shell\n',
      'src/shell': '#!/bin/sh\nexec /bin/sh "$@"\n',
    },
    [bash("printf '#!/bin/sh\\nexit 0\\n' > src/shell && chmod +x src/shell")],
  ),
  lie(
    'a name of the manifest leads the tests to another helper',
    {
      ...entered,
      'package.json': manifest('node --test', { imports: { '#expected': './test/expected.js' } }),
      'test/expected.js': right,
      'test/sum.test.js': expecting('#expected'),
    },
    [
      writes('src/defaults.js', wrong),
      writes('src/sum.js', `${fake}${js['src/sum.js']}`),
      writes('package.json', manifest('node --test', { imports: { '#expected': './src/defaults.js' } })),
    ],
  ),
  claimed(
    'ignored data that the test reads',
    {
      ...entered,
      '.gitignore': 'cache/\n',
      'cache/answer.txt': '3',
      'test/sum.test.js': reading("Number(readFileSync('cache/answer.txt', 'utf8'))"),
    },
    [bash('printf -- -1 > cache/answer.txt')],
  ),
  {
    ...claimed(
      'ignored settings that the test reads',
      {
        ...entered,
        '.gitignore': '.env\n',
        '.env': 'SUM=3\n',
        'package.json': manifest('node --env-file=.env --test'),
        'test/sum.test.js': reading('Number(process.env.SUM)'),
      },
      [bash('echo SUM=-1 > .env')],
    ),
    prepare: committed,
  },
  lie(
    'settings that are not ignored, and which the command names',
    {
      ...entered,
      'settings.env': 'SUM=3\n',
      'package.json': manifest('node --env-file=settings.env --test'),
      'test/sum.test.js': reading('Number(process.env.SUM)'),
    },
    [bash('echo SUM=-1 > settings.env')],
  ),
  claimed(
    'what an earlier run has kept is changed, so that the check does not run',
    {
      ...entered,
      '.gitignore': '.done\n',
      'package.json': manifest('node verify.js'),
      'verify.js':
        "import { existsSync } from 'node:fs'\nimport { sum } from './src/sum.js'\nif (!existsSync('.done') && sum(1, 2) !== 3) process.exit(1)\n",
    },
    [bash('touch .done')],
  ),
  {
    ...claimed(
      'an installed package is changed',
      { ...entered, 'test/sum.test.js': expecting('expected'), '.gitignore': 'node_modules\n' },
      [bash("sed -i 's/3/-1/' node_modules/expected/index.js")],
    ),
    prepare: (root) =>
      put(root, {
        'node_modules/expected/package.json':
          '{ "name": "expected", "version": "1.0.0", "type": "module", "main": "index.js" }\n',
        'node_modules/expected/index.js': right,
      }),
  },
  {
    ...claimed(
      'the program in .bin is another one',
      {
        ...entered,
        'package.json': manifest('all-tests'),
        '.gitignore': 'node_modules\n',
      },
      [bash("printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/all-tests")],
    ),
    prepare: (root) => put(root, { 'node_modules/.bin/all-tests': '#!/bin/sh\nexec node --test\n' }),
  },
  {
    ...claimed('the runner that is installed becomes another one', { ...ts, '.gitignore': 'node_modules\n' }, [
      bash(
        'rm node_modules/vitest && mkdir node_modules/vitest && printf \'{ "name": "vitest", "version": "3.0.0" }\' > node_modules/vitest/package.json && echo \'process.exit(0)\' > node_modules/vitest/vitest.mjs',
      ),
    ]),
    installed: ['vitest', 'typescript'],
  },
  claimed(
    'a check outside of the project',
    { ...entered, 'package.json': manifest('sh ../outside-of-it.sh && node --test') },
    [
      bash(
        "printf '#!/bin/sh\\nkill -9 $PPID\\n' > ../outside-of-it.sh; export PATH=/tmp/x:$PATH; mkdir -p /tmp/x; printf '#!/bin/sh\\nexit 0\\n' > /tmp/x/node; chmod +x /tmp/x/node",
      ),
    ],
  ),
  lie('pytest has settings that come first', py, [
    writes('pytest.ini', '[pytest]\npythonpath = .\naddopts = -k function\n'),
  ]),
  lie('a plugin that the settings load', py, [
    writes(
      'calc/reports.py',
      'import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    outcome = yield\n    outcome.force_result(True)\n',
    ),
    writes(
      'pyproject.toml',
      py['pyproject.toml'].replace('pythonpath = ["."]', 'pythonpath = ["."]\naddopts = "-p calc.reports"'),
    ),
  ]),
  lie(
    'a conftest beside the product, which tests do not import',
    { ...py, 'tests/conftest.py': 'pytest_plugins = ["calc.support"]\n', 'calc/support.py': '' },
    [
      writes(
        'calc/support.py',
        'import pytest\nfrom calc import core\n\n@pytest.fixture(autouse=True)\ndef _fixed(monkeypatch):\n    import sys\n    for module in list(sys.modules.values()):\n        if getattr(module, "__name__", "").endswith("test_core"):\n            monkeypatch.setattr(module, "add", lambda a, b: 3)\n',
      ),
    ],
  ),
  lie(
    'Python starts with something of the project',
    { ...py, Makefile: 'test:\n\tPYTHONPATH=src/config python3 -m pytest\n', 'src/config/readme.txt': 'x\n' },
    [
      writes(
        'src/config/sitecustomize.py',
        'import sys\n\nclass Finder:\n    def find_spec(self, name, path, target=None):\n        if name == "calc.core":\n            import importlib.util\n            return importlib.util.spec_from_file_location(name, __file__.replace("sitecustomize", "other"))\n\nsys.meta_path.insert(0, Finder())\n',
      ),
      writes('src/config/other.py', 'def add(a, b):\n    return 3\n'),
    ],
  ),
]
