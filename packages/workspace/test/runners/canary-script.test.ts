import { needing, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { scriptCanary } from '../../src/runners/canary-script.ts'
import { aProject, type Files } from './a-project.ts'
import { hasCompiler, hasPython } from './installed.ts'

/** Whether the canary fails, as it has to. The script itself ends well, or the case says nothing. */
async function fails(files: Files, module: string): Promise<boolean> {
  const path = Object.keys(files).find((it) => it.startsWith('checks/')) as string
  const project = aProject({ 'package.json': '{ "type": "module" }', ...files })
  const command = commandOf(path)
  expect(await project.run(command)).toMatchObject({ exitCode: 0 })
  const canary = scriptCanary({ path, text: files[path] as string, modules: [module], mark: 'canary0123' })
  project.add(Object.fromEntries(canary))
  const { exitCode } = await project.run(command)
  expect([0, 1]).toContain(exitCode)
  return exitCode === 1
}

function commandOf(path: string): string {
  if (path.endsWith('.c')) return `cc -Wall -Wextra -Werror -Isrc ${path} src/core.c -o run && ./run --some words`
  return `${path.endsWith('.py') ? 'PYTHONPATH=. python3' : 'node'} ${path} --some words`
}

const sum = 'export function sum(a, b) {\n  return a + b\n}\n'
const asserting =
  "import assert from 'node:assert'\nimport { sum } from '../src/sum.js'\nassert.equal(sum(1, 2), 3)\nassert.deepEqual(process.argv.slice(2), ['--some', 'words'])\n"
const product = (text: string, check = asserting) => ({ 'src/sum.js': text, 'checks/sum.js': check })
const doing = (statement: string) => product(`export function sum(a, b) {\n  ${statement}\n}\n`)

const add = 'def add(a, b):\n    return a + b\n'
const assertingInPython =
  'import sys\nfrom src.core import add\nassert add(1, 2) == 3\nassert sys.argv[1:] == ["--some", "words"]\n'
const inPython = (text: string, check = assertingInPython) => ({ 'src/core.py': text, 'checks/core.py': check })

describe('a script in JavaScript whose product says nothing about its end fails as a canary', () => {
  const cases: readonly [string, Files][] = [
    ['it has assertions', product(sum)],
    ['it ends itself', product(sum, `${asserting}process.exit(0)\n`)],
    ['it ends itself later', product(sum, `${asserting}setTimeout(() => process.exit(), 10)\n`)],
    [
      'it counts, and says so at the end',
      product(
        sum,
        `import { sum } from '../src/sum.js'\nlet bad = 0\nprocess.on('exit', () => {\n  process.exitCode = bad\n})\nif (sum(1, 2) !== 3) bad = 1\n`,
      ),
    ],
    [
      'it ends in a promise',
      product(
        sum,
        `import { sum } from '../src/sum.js'\nasync function main() {\n  if (sum(1, 2) !== 3) throw new Error()\n}\nmain().then(() => process.exit(0), () => process.exit(1))\n`,
      ),
    ],
    [
      'a helper of its own ends it',
      {
        ...product(
          sum,
          `import { sum } from '../src/sum.js'\nimport { done } from './helper.js'\ndone(sum(1, 2) === 3)\n`,
        ),
        'checks/helper.js': 'export const done = (isWell) => process.exit(isWell ? 0 : 1)\n',
      },
    ],
    [
      'the product has a listener of its own that minds its business',
      product(`process.on('exit', () => {})\nprocess.once('uncaughtException', (error) => { throw error })\n${sum}`),
    ],
    [
      'it runs the product as a program, which ends itself',
      {
        ...product(
          `if (process.argv[1].endsWith('sum.js') && !process.argv[1].includes('checks')) process.exit(0)\n${sum}`,
          `import { execFileSync } from 'node:child_process'\nimport '../src/sum.js'\nexecFileSync(process.execPath, ['src/sum.js'])\n`,
        ),
      },
    ],
    [
      'it is CommonJS',
      {
        'package.json': '{}',
        'src/sum.js': 'exports.sum = (a, b) => a + b\n',
        'checks/sum.js':
          "if (require.main === module) require('node:assert').equal(require('../src/sum.js').sum(1, 2), 3)\n",
      },
    ],
    [
      'it looks whether it is the program',
      product(
        sum,
        `import { pathToFileURL } from 'node:url'\n${asserting}if (import.meta.url !== pathToFileURL(process.argv[1]).href) process.exit(1)\n`,
      ),
    ],
  ]
  test.for(sample(cases, { quick: 2 }))('%s', async ([, files]) => {
    expect(await fails(files, 'src/sum.js')).toBe(true)
  })
})

describe('a product that decides how a script in JavaScript ends', () => {
  const cases: readonly [string, Files][] = [
    ['ends it when it is called', doing('process.exit(0)')],
    ['ends it when it is called with what it knows', doing("if (typeof a === 'number') process.exit()")],
    ['ends it a little later', doing('setImmediate(() => process.exit(0))\n  return 3')],
    ['ends it without its listeners', doing('process.reallyExit(0)')],
    [
      'ends it its own way, once called',
      doing('const real = process.reallyExit\n  process.reallyExit = () => real.call(process, 0)\n  return a + b'),
    ],
    [
      'ends it through a file that was there',
      {
        ...doing('quit()'),
        'src/sum.js': "import { quit } from './quit.js'\nexport function sum() {\n  quit()\n}\n",
        'src/quit.js': 'export const quit = () => process.exit(0)\n',
      },
    ],
    ['sets its code at the end, once called', doing("process.on('exit', () => {\n    process.exitCode = 0\n  })")],
    ['ends it at its end, once called', doing("process.prependListener('exit', () => process.exit(0))")],
    ['hides what it throws, once called', doing("process.on('uncaughtException', () => {})")],
    [
      'hides what it throws in another way, once called',
      doing('process.setUncaughtExceptionCaptureCallback(() => {})'),
    ],
    [
      'takes assertions away, once called',
      product(
        "import assert from 'node:assert'\nexport function sum(a, b) {\n  assert.strictEqual = () => {}\n  return a + b\n}\n",
      ),
    ],
    [
      'sets its code as soon as it is loaded',
      product(`process.on('exit', () => {\n  process.exitCode = 0\n})\n${sum}`),
    ],
    [
      'is CommonJS',
      {
        'package.json': '{}',
        'src/sum.js': 'exports.sum = () => process.exit(0)\n',
        'checks/sum.js': "require('node:assert').equal(require('../src/sum.js').sum(1, 2), 3)\n",
      },
    ],
  ]
  test.for(sample(cases, { quick: 2 }))('%s', async ([, files]) => {
    expect(await fails(files, 'src/sum.js')).toBe(false)
  })
})

describe.runIf(hasPython)(needing(!hasPython && 'python3 is not installed', 'a script in Python'), () => {
  const cases: readonly [string, Files, boolean][] = [
    ['fails as a canary where it has assertions', inPython(add), true],
    ['fails where it ends itself', inPython(add, `${assertingInPython}sys.exit(0)\n`), true],
    ['fails where it ends itself at once', inPython(add, `${assertingInPython}import os\nos._exit(0)\n`), true],
    [
      'fails where it looks whether it is the program',
      inPython(add, `${assertingInPython}assert __name__ == "__main__"\n`),
      true,
    ],
    ['ends well where the product ends it', inPython('import sys\n\ndef add(a, b):\n    sys.exit(0)\n'), false],
    [
      'ends well where the product ends it without a word',
      inPython('import os\n\ndef add(a, b):\n    os._exit(0)\n'),
      false,
    ],
    [
      'ends well where the product ends it at its end, once called',
      inPython('import atexit, os\n\ndef add(a, b):\n    atexit.register(lambda: os._exit(0))\n'),
      false,
    ],
    [
      'ends well where the product ends it at its end',
      inPython(`import atexit, os\natexit.register(lambda: os._exit(0))\n${add}`),
      false,
    ],
  ]
  test.for(sample(cases, { quick: 2 }))('%s', async ([, files, expected]) => {
    expect(await fails(files, 'src/core.py')).toBe(expected)
  })
})

const header = 'int add(int a, int b);\n'
const assertingInC =
  '#include "core.h"\n#include <assert.h>\n#include <stdlib.h>\n\nint main(int argc, char **argv) {\n  (void)argv;\n  assert(add(1, 2) == 3);\n  assert(argc == 3);\n  return 0;\n}\n'
const inC = (text: string, check = assertingInC, top = header) => ({
  'src/core.c': `#include "core.h"\n${text}`,
  'src/core.h': top,
  'checks/core.c': check,
})
const adds = 'int add(int a, int b) {\n  return a + b;\n}\n'
const counting = (end: string) =>
  `#include "core.h"\n#include <stdlib.h>\n#include <unistd.h>\n\nint main(void) {\n  int bad = add(1, 2) != 3;\n  ${end}\n}\n`

describe.runIf(hasCompiler)(needing(!hasCompiler && 'cc is not installed', 'a program in C'), () => {
  const cases: readonly [string, Files, boolean][] = [
    ['fails as a canary where it has assertions', inC(adds), true],
    ['fails where it returns what it has counted', inC(adds, counting('return bad;')), true],
    ['fails where it ends itself', inC(adds, counting('exit(bad);')), true],
    ['fails where it ends itself at once', inC(adds, counting('_exit(bad);')), true],
    [
      'ends well where the product ends it',
      inC('#include <stdlib.h>\nint add(int a, int b) {\n  exit(a + b - 3);\n}\n'),
      false,
    ],
    [
      'ends well where the product ends it before it begins',
      inC(`#include <unistd.h>\n__attribute__((constructor)) static void begin(void) {\n  _exit(0);\n}\n${adds}`),
      false,
    ],
    [
      'ends well where the product ends it well at its end',
      inC(
        `#include <stdlib.h>\n#include <unistd.h>\nstatic void end(void) {\n  _exit(0);\n}\n__attribute__((constructor)) static void begin(void) {\n  atexit(end);\n}\n${adds}`,
      ),
      false,
    ],
    [
      'ends well where a header takes its main away',
      inC(adds, assertingInC, `${header}#define main(...) main(void) { return 0; } int unused(__VA_ARGS__)\n`),
      false,
    ],
    [
      'ends well where a header takes its assertions away',
      inC(adds, assertingInC.replace('(void)argv', '(void)argv, (void)argc'), `#define NDEBUG\n${header}`),
      false,
    ],
  ]
  test.for(sample(cases, { quick: 2 }))('%s', async ([, files, expected]) => {
    expect(await fails(files, 'src/core.c')).toBe(expected)
  })
})
