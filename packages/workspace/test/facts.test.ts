import type { ProjectFacts } from '@loader/session-core/coding'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { openWorkspace } from '../src/index.ts'

const scripts = { test: 'vitest', lint: 'eslint .', build: 'tsc', 'type-check': 'tsc --noEmit', dev: 'vite' }
const packageJson = JSON.stringify({ scripts })
const run = (manager: string) => ({
  test: `${manager} run test`,
  lint: `${manager} run lint`,
  build: `${manager} run build`,
  typecheck: `${manager} run type-check`,
})
const unitTest = 'import unittest\n\nclass T(unittest.TestCase):\n    pass\n'

type Row = readonly [about: string, files: Readonly<Record<string, string>>, facts: ProjectFacts]

const node: readonly Row[] = [
  ...(
    [
      ['package-lock.json', 'npm'],
      ['npm-shrinkwrap.json', 'npm'],
      ['pnpm-lock.yaml', 'pnpm'],
      ['yarn.lock', 'yarn'],
      ['bun.lock', 'bun'],
      ['bun.lockb', 'bun'],
    ] as const
  ).map(([lock, manager]): Row => {
    const files = { 'package.json': packageJson, [lock]: '' }
    return [`node, by ${lock}`, files, { kind: 'node', packageManager: manager, commands: run(manager) }]
  }),
  [
    'node, by the manager that it names, whatever lies beside it',
    { 'package.json': JSON.stringify({ packageManager: 'yarn@4.1.0+sha224.x', scripts }), 'package-lock.json': '' },
    { kind: 'node', packageManager: 'yarn', commands: run('yarn') },
  ],
  ['node, without a lock file', { 'package.json': packageJson }, { kind: 'node', commands: run('npm') }],
  [
    'node, with nothing but the test that npm writes',
    { 'package.json': JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
    { kind: 'node' },
  ],
  ['node, with a package file that is none', { 'package.json': '{ "scripts":' }, { kind: 'node' }],
  [
    'node, with scripts that are none',
    { 'package.json': '{ "scripts": { "test": 1, "lint": "x" } }' },
    { kind: 'node', commands: { lint: 'npm run lint' } },
  ],
]

const python: readonly Row[] = [
  [
    'python, with uv and pytest',
    {
      'pyproject.toml': '[project]\nname = "x"\n\n[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n',
      'uv.lock': '',
    },
    {
      kind: 'python',
      packageManager: 'uv',
      commands: { test: 'uv run pytest', lint: 'uv run ruff check', typecheck: 'uv run mypy .' },
    },
  ],
  [
    'python, with poetry and pytest among its dependencies',
    { 'pyproject.toml': '[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\n' },
    { kind: 'python', packageManager: 'poetry', commands: { test: 'poetry run pytest' } },
  ],
  [
    'python, with pip and pytest',
    { 'requirements.txt': 'flask\npytest>=8\n', 'setup.cfg': '[flake8]\n' },
    { kind: 'python', packageManager: 'pip', commands: { test: 'python3 -m pytest', lint: 'python3 -m flake8' } },
  ],
  [
    'python, with pytest in a list',
    { 'pyproject.toml': '[dependency-groups]\ndev = ["ruff", "pytest-cov"]\n' },
    { kind: 'python', packageManager: 'pip', commands: { test: 'python3 -m pytest', lint: 'python3 -m ruff check' } },
  ],
  [
    'python, with an environment of its own',
    { 'requirements.txt': '', 'conftest.py': '', '.venv/bin/python': '' },
    { kind: 'python', packageManager: 'pip', commands: { test: '.venv/bin/python -m pytest' } },
  ],
  [
    'python, with unittest in a package',
    { 'setup.py': '', 'tests/__init__.py': '', 'tests/test_a.py': unitTest },
    { kind: 'python', packageManager: 'pip', commands: { test: 'python3 -m unittest' } },
  ],
  [
    'python, with unittest in a folder, and uv',
    { 'uv.lock': '', 'tests/test_a.py': unitTest },
    { kind: 'python', packageManager: 'uv', commands: { test: 'uv run python -m unittest discover -s tests' } },
  ],
  ['python, with pipenv and no tests', { Pipfile: '[packages]\n' }, { kind: 'python', packageManager: 'pipenv' }],
  [
    'python, with pdm',
    { 'pyproject.toml': '', 'pdm.lock': '', 'pytest.ini': '' },
    { kind: 'python', packageManager: 'pdm', commands: { test: 'pdm run pytest' } },
  ],
]

const others: readonly Row[] = [
  [
    'rust',
    { 'Cargo.toml': '[package]\n', 'clippy.toml': '' },
    {
      kind: 'rust',
      packageManager: 'cargo',
      commands: { test: 'cargo test', build: 'cargo build', typecheck: 'cargo check', lint: 'cargo clippy' },
    },
  ],
  [
    'go',
    { 'go.mod': 'module x\n', '.golangci.yml': '' },
    {
      kind: 'go',
      packageManager: 'go',
      commands: {
        test: 'go test ./...',
        build: 'go build ./...',
        typecheck: 'go vet ./...',
        lint: 'golangci-lint run',
      },
    },
  ],
  [
    'make',
    { Makefile: 'lint := no\n.PHONY: test\ntest build: all\n\techo lint:\n' },
    { kind: 'make', packageManager: 'make', commands: { test: 'make test', build: 'make build' } },
  ],
  [
    'go, with a Makefile that fills in what is missing',
    { 'go.mod': '', Makefile: 'lint:\n\tx\ntest:\n\ty\n' },
    {
      kind: 'go',
      packageManager: 'go',
      commands: { test: 'go test ./...', build: 'go build ./...', typecheck: 'go vet ./...', lint: 'make lint' },
    },
  ],
  ['nothing', { 'notes.txt': 'npm test' }, {}],
]

describe('what a project is', () => {
  test.each([...node, ...python, ...others])('%s', async (_, files, expected) => {
    await using workspace = await temporaryWorkspace({ files })
    expect(await openWorkspace({ root: workspace.root }).facts()).toEqual(expected)
  })

  test('has the instruction files that apply', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'AGENTS.md': 'x', 'go.mod': '' } })
    expect(await openWorkspace({ root: workspace.root }).facts()).toMatchObject({
      kind: 'go',
      instructions: ['AGENTS.md'],
    })
  })
})
