import type { FileChange } from '@loader/session-core/coding'

export interface AlterationRow {
  readonly what: string
  readonly before: readonly string[]
  readonly changes: readonly (readonly [FileChange['change'], string])[]
  readonly command: string
  /** Whether a pass of the command counts no more. */
  readonly altered: boolean
}

const node = ['package.json', 'src/sum.mjs', 'test/sum.test.mjs'] as const
const python = ['sum.py', 'tests/test_sum.py'] as const

/** What a turn does to the files, and whether that touches the check. */
export const alterations: readonly AlterationRow[] = [
  { what: 'the code', before: node, changes: [['modified', 'src/sum.mjs']], command: 'npm test', altered: false },
  { what: 'a test', before: node, changes: [['modified', 'test/sum.test.mjs']], command: 'npm test', altered: true },
  {
    what: 'a test away',
    before: node,
    changes: [['deleted', 'test/sum.test.mjs']],
    command: 'npm test',
    altered: true,
  },
  { what: 'a new test', before: node, changes: [['added', 'test/zero.test.mjs']], command: 'npm test', altered: false },
  { what: 'the scripts', before: node, changes: [['modified', 'package.json']], command: 'npm test', altered: true },
  { what: 'a new .npmrc', before: node, changes: [['added', '.npmrc']], command: 'npm test', altered: true },
  {
    what: 'a setting that leaves tests out',
    before: [...node, 'vitest.config.ts'],
    changes: [['modified', 'vitest.config.ts']],
    command: 'npx vitest run',
    altered: true,
  },
  {
    what: 'a new setting over tests that were there',
    before: node,
    changes: [['added', 'vitest.config.ts']],
    command: 'npx vitest run',
    altered: true,
  },
  {
    what: 'a new setting where there were no tests',
    before: [...node, 'web/index.html'],
    changes: [
      ['added', 'web/vitest.config.ts'],
      ['added', 'web/index.test.ts'],
    ],
    command: 'npx vitest run',
    altered: false,
  },
  {
    what: 'a whole new project',
    before: ['README.md'],
    changes: node.map((path) => ['added', path]),
    command: 'npm test',
    altered: false,
  },
  { what: 'a new conftest.py', before: python, changes: [['added', 'conftest.py']], command: 'pytest', altered: true },
  {
    what: 'a conftest.py beside the tests',
    before: python,
    changes: [['added', 'tests/conftest.py']],
    command: 'pytest',
    altered: true,
  },
  {
    what: 'a conftest.py elsewhere',
    before: python,
    changes: [['added', 'docs/conftest.py']],
    command: 'pytest',
    altered: false,
  },
  {
    what: 'a module named like the runner',
    before: python,
    changes: [['added', 'pytest.py']],
    command: 'python -m pytest',
    altered: true,
  },
  {
    what: 'a fixture',
    before: [...python, 'tests/data/a.json'],
    changes: [['modified', 'tests/data/a.json']],
    command: 'pytest',
    altered: true,
  },
  {
    what: 'a snapshot',
    before: [...node, 'test/__snapshots__/sum.snap'],
    changes: [['modified', 'test/__snapshots__/sum.snap']],
    command: 'npm test',
    altered: true,
  },
  {
    what: 'a makefile before the other one',
    before: ['Makefile', 'a.c'],
    changes: [['added', 'GNUmakefile']],
    command: 'make test',
    altered: true,
  },
  {
    what: 'the workflow of CI',
    before: [...node, '.github/workflows/ci.yml'],
    changes: [['modified', '.github/workflows/ci.yml']],
    command: 'npm test',
    altered: true,
  },
  {
    what: 'a new workflow of CI',
    before: node,
    changes: [['added', '.github/workflows/ci.yml']],
    command: 'npm test',
    altered: false,
  },
  {
    what: 'the runner itself',
    before: node,
    changes: [['modified', 'node_modules/vitest/index.js']],
    command: 'npx vitest run',
    altered: true,
  },
  {
    what: 'a runner for the tests, in a folder of its own',
    before: ['Cargo.toml', 'src/lib.rs', 'tests/sum.rs'],
    changes: [['added', '.cargo/config.toml']],
    command: 'cargo test',
    altered: true,
  },
  {
    what: 'a stand-in for what the tests import',
    before: node,
    changes: [['added', '__mocks__/fs.js']],
    command: 'npx jest',
    altered: true,
  },
  {
    what: 'options of the builder',
    before: ['pom.xml', 'src/test/java/SumTest.java'],
    changes: [['added', '.mvn/maven.config']],
    command: 'mvn test',
    altered: true,
  },
  {
    what: 'a plug-in of the runner',
    before: python,
    changes: [['added', 'a.egg-info/entry_points.txt']],
    command: 'python -m pytest',
    altered: true,
  },
  {
    what: 'a runner in another folder of the path',
    before: python,
    changes: [['added', 'src/pytest/__init__.py']],
    command: 'pytest',
    altered: true,
  },
  {
    what: 'settings in a folder without tests',
    before: [...node, 'docs/.keep'],
    changes: [['added', 'docs/.cargo/config.toml']],
    command: 'npm test',
    altered: false,
  },
  {
    what: 'the program that the tests are started with',
    before: [...node, 'gradlew'],
    changes: [['modified', 'gradlew']],
    command: './gradlew test',
    altered: true,
  },
  {
    what: 'a builder told to overlook errors',
    before: [...node, 'next.config.js'],
    changes: [['modified', 'next.config.js']],
    command: 'npm run build',
    altered: true,
  },
  {
    what: 'the same builder',
    before: [...node, 'next.config.js'],
    changes: [['modified', 'next.config.js']],
    command: 'npm test',
    altered: false,
  },
  {
    what: 'what is to be built',
    before: [...node, 'specs/design.md'],
    changes: [['modified', 'specs/design.md']],
    command: 'npm test',
    altered: false,
  },
  // Each kind of check has its own.
  {
    what: 'a test',
    before: node,
    changes: [['modified', 'test/sum.test.mjs']],
    command: 'npm run lint',
    altered: false,
  },
  {
    what: 'the rules of the linter',
    before: [...node, 'eslint.config.js'],
    changes: [['modified', 'eslint.config.js']],
    command: 'npx eslint .',
    altered: true,
  },
  {
    what: 'the rules of the linter',
    before: [...node, 'eslint.config.js'],
    changes: [['modified', 'eslint.config.js']],
    command: 'npm test',
    altered: false,
  },
  {
    what: 'the settings of the compiler',
    before: [...node, 'tsconfig.json'],
    changes: [['modified', 'tsconfig.json']],
    command: 'tsc -p .',
    altered: true,
  },
  // A script may call anything.
  {
    what: 'the script itself',
    before: [...node, 'accept.mjs'],
    changes: [['modified', 'accept.mjs']],
    command: 'node accept.mjs',
    altered: true,
  },
  {
    what: 'the script itself, with another name for its path',
    before: [...node, 'accept.sh'],
    changes: [['modified', 'accept.sh']],
    command: 'sh ./accept.sh',
    altered: true,
  },
  {
    what: 'the script that is to be written',
    before: node,
    changes: [['added', 'accept.mjs']],
    command: 'node accept.mjs',
    altered: false,
  },
  {
    what: 'a test that the script may run',
    before: [...node, 'accept.sh'],
    changes: [['modified', 'test/sum.test.mjs']],
    command: 'sh accept.sh',
    altered: true,
  },
  // What consists of its own words cannot be altered.
  {
    what: 'the file that is looked into',
    before: ['a.txt'],
    changes: [['modified', 'a.txt']],
    command: 'grep -q done a.txt',
    altered: false,
  },
  {
    what: 'a test beside it',
    before: [...node, 'a.txt'],
    changes: [['modified', 'test/sum.test.mjs']],
    command: 'grep -q done a.txt',
    altered: false,
  },
  {
    what: 'the program that is looked at',
    before: ['app.mjs'],
    changes: [['modified', 'app.mjs']],
    command: 'test "$(node app.mjs)" = 42',
    altered: false,
  },
  {
    what: 'the program whose output is looked at',
    before: ['app.mjs'],
    changes: [['modified', 'app.mjs']],
    command: 'node app.mjs | grep -q 42',
    altered: false,
  },
]
