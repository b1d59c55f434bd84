import type { DriveOptions } from '../completion/drive.ts'
import { bash, edit, type ScriptedCall, write } from '../completion/story.ts'
import { mended, sumProject } from '../completion/sum-project.ts'

export interface DerivationRow {
  /** Where the checks come from. */
  readonly from: string
  readonly options: Partial<DriveOptions>
  readonly calls: readonly ScriptedCall[]
  readonly checks: readonly string[]
  readonly source: string
}

const many = Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\n')
const scripts = {
  test: 'npm test',
  lint: 'npm run lint',
  build: 'npm run build',
  'test:watch': 'npm run test:watch',
  start: 'npm start',
}

/** The sources of checks, in their order. */
export const derivations: readonly DerivationRow[] = [
  {
    from: 'what the user said stands alone',
    options: { files: sumProject, doneWhen: [{ command: 'node check.mjs' }] },
    calls: [edit(...mended)],
    checks: ['node check.mjs'],
    source: 'user',
  },
  {
    from: 'the project declares a test',
    options: { files: sumProject },
    calls: [edit(...mended)],
    checks: ['npm test'],
    source: 'project',
  },
  {
    from: 'a small task is held to the first that there is',
    options: { facts: { kind: 'node', commands: { lint: 'npm run lint', build: 'npm run build' } } },
    calls: [write('a.js', 'a\n')],
    checks: ['npm run build'],
    source: 'project',
  },
  {
    from: 'a larger one to all kinds, but none that watches or serves',
    options: { facts: { kind: 'node', commands: scripts } },
    calls: [write('a.js', many)],
    checks: ['npm test', 'npm run build', 'npm run lint'],
    source: 'project',
  },
  {
    from: 'a python project has tests',
    options: { files: { 'test_a.py': '' }, facts: { kind: 'python' } },
    calls: [write('a.py', 'a = 1\n')],
    checks: ['python3 -m pytest -q'],
    source: 'project',
  },
  {
    from: 'a python project runs by uv',
    options: { files: { 'tests/test_a.py': '' }, facts: { kind: 'python', packageManager: 'uv' } },
    calls: [write('a.py', 'a = 1\n')],
    checks: ['uv run pytest -q'],
    source: 'project',
  },
  {
    from: 'a python project has no tests',
    options: { facts: { kind: 'python' } },
    calls: [write('a.py', 'a = 1\n')],
    checks: ['test -f a.py', 'python3 -m py_compile a.py'],
    source: 'presence',
  },
  {
    from: 'a rust project',
    options: { facts: { kind: 'rust' } },
    calls: [write('src/lib.rs', 'fn a() {}\n')],
    checks: ['cargo test'],
    source: 'project',
  },
  {
    from: 'a large task in a rust project',
    options: { facts: { kind: 'rust' } },
    calls: [write('src/lib.rs', `${many}\n`.repeat(5))],
    checks: ['cargo test', 'cargo check'],
    source: 'project',
  },
  {
    from: 'a go project',
    options: { facts: { kind: 'go' } },
    calls: [write('a.go', 'package a\n')],
    checks: ['go test ./...'],
    source: 'project',
  },
  {
    from: 'a project with a makefile',
    options: { files: { Makefile: 'test:\n\t@true\n' } },
    calls: [write('a.c', 'int a;\n')],
    checks: ['make test'],
    source: 'project',
  },
  {
    from: 'checks that were run already',
    options: { shell: () => ({ exitCode: 0, output: '' }) },
    calls: [bash('ls'), bash('pytest -q'), bash('node app.js'), bash('ruff check .'), write('a.txt', 'a')],
    checks: ['ruff check .', 'pytest -q'],
    source: 'commands',
  },
  {
    from: 'of checks that were run already, the whole ones before the narrow',
    options: { shell: () => ({ exitCode: 0, output: '' }) },
    calls: [bash('pytest tests/test_a.py'), bash('pytest'), write('a.txt', 'a')],
    checks: ['pytest'],
    source: 'commands',
  },
  {
    from: 'checks that were run and failed are none to go by',
    options: { shell: () => ({ exitCode: 1, output: '' }) },
    calls: [bash('pytest'), write('a.txt', 'a')],
    checks: ['test -f a.txt'],
    source: 'presence',
  },
  {
    from: 'a small task without any: its files are there and parse',
    options: { files: { 'old.txt': 'x' } },
    calls: [write('a b.txt', 'a'), write('c.mjs', 'c'), bash('rm old.txt')],
    checks: ['test ! -e old.txt', "test -f 'a b.txt'", 'test -f c.mjs', 'node --check c.mjs'],
    source: 'presence',
  },
  {
    from: 'a larger task without any',
    options: {},
    calls: [write('a.txt', many)],
    checks: [],
    source: 'presence',
  },
]
