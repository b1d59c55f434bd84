import type { MarkerFiles } from './marker-files.ts'
import type { ObservedFacts } from './project-facts.ts'

const marks = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'uv.lock', 'poetry.lock']

interface Seen {
  readonly files: MarkerFiles
  readonly project: string
  /** The text of all files that can name a tool as a dependency or hold its settings. */
  readonly all: string
}

export async function pythonFacts(files: MarkerFiles): Promise<ObservedFacts | undefined> {
  if (!marks.some(files.has)) return undefined
  const project = (await files.text('pyproject.toml')) ?? ''
  const others = ['setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt', 'Pipfile']
  const texts = await Promise.all([...others, 'setup.py'].map(files.text))
  const seen = { files, project, all: [project, ...texts].join('\n') }
  const packageManager = managerOf(seen)
  const run = runnerOf(files, packageManager)
  const commands = { ...(await testCommand(seen, run)), ...lintCommand(seen, run), ...typecheckCommand(seen, run) }
  return { kind: 'python', packageManager, commands }
}

function managerOf({ files, project }: Seen): string {
  if (files.has('uv.lock') || /^\[tool\.uv\b/m.test(project)) return 'uv'
  if (files.has('poetry.lock') || /^\[tool\.poetry\b/m.test(project)) return 'poetry'
  if (files.has('pdm.lock')) return 'pdm'
  return files.has('Pipfile') ? 'pipenv' : 'pip'
}

/** How a tool of the project is run: by its package manager, or by the interpreter that has it installed. */
interface Runner {
  readonly tool: (command: string) => string
  readonly python: (options: string) => string
}

function runnerOf(files: MarkerFiles, manager: string): Runner {
  if (manager !== 'pip') return { tool: (it) => `${manager} run ${it}`, python: (it) => `${manager} run python ${it}` }
  const python = ['.venv/bin/python', 'venv/bin/python'].find(files.has) ?? 'python3'
  return { tool: (it) => `${python} -m ${it}`, python: (it) => `${python} ${it}` }
}

async function testCommand(seen: Seen, { tool, python }: Runner): Promise<Record<string, string>> {
  if (usesPytest(seen)) return { test: tool('pytest') }
  for (const folder of ['tests', 'test', '.']) {
    if (!(await hasUnitTests(seen.files, folder))) continue
    const isPackage = folder === '.' || seen.files.has(`${folder}/__init__.py`)
    return { test: python(isPackage ? '-m unittest' : `-m unittest discover -s ${folder}`) }
  }
  return {}
}

function usesPytest({ files, all, project }: Seen): boolean {
  const isConfigured = /^\[tool\.pytest\b/m.test(project) || /^\[(tool:)?pytest\]/m.test(all)
  return isConfigured || ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some(files.has) || isNamed('pytest', all)
}

const mostTestFiles = 5

async function hasUnitTests(files: MarkerFiles, folder: string): Promise<boolean> {
  const tests = files.names(folder).filter((name) => /^test.*\.py$/.test(name))
  const texts = await Promise.all(tests.slice(0, mostTestFiles).map((name) => files.text(`${folder}/${name}`)))
  return texts.some((text) => /^\s*(import|from) unittest\b/m.test(text ?? ''))
}

function lintCommand({ files, all, project }: Seen, { tool }: Runner): Record<string, string> {
  const ruff = ['ruff.toml', '.ruff.toml'].some(files.has) || /^\[tool\.ruff\b/m.test(project) || isNamed('ruff', all)
  if (ruff) return { lint: tool('ruff check') }
  return files.has('.flake8') || /^\[flake8\]/m.test(all) ? { lint: tool('flake8') } : {}
}

function typecheckCommand({ files, all, project }: Seen, { tool }: Runner): Record<string, string> {
  const mypy = ['mypy.ini', '.mypy.ini'].some(files.has) || /^\[tool\.mypy\b/m.test(project) || /^\[mypy\]/m.test(all)
  return mypy ? { typecheck: tool('mypy .') } : {}
}

/** Whether a list of requirements names the tool or one of its plug-ins. */
function isNamed(name: string, text: string): boolean {
  return new RegExp(String.raw`^[\s"'\[,]*${name}\b`, 'm').test(text) || new RegExp(`["']${name}\\b`).test(text)
}
