import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { openWorkspace } from '../src/index.ts'

const json = (value: object) => JSON.stringify(value, null, 2)
const manifest = {
  name: 'a',
  version: '1.0.0',
  type: 'module',
  scripts: { test: 'vitest run' },
  dependencies: { zod: '^4.0.0' },
  devDependencies: { vitest: '^5.0.0', typescript: '^7.0.0' },
}
const cargo = `[package]
name = "a"
edition = "2024"

[dependencies]
serde = "1"

[dev-dependencies]
proptest = "1"

[lib]
test = true
`
const python = `[project]
name = "a"
dependencies = [
  "requests>=2",
]

[dependency-groups]
dev = ["pytest>=8"]

[tool.pytest.ini_options]
addopts = "--strict-markers"
`

const module = `module example.org/sum

go 1.22

require (
\texample.org/a v1.0.0
\tgithub.com/stretchr/testify v1.9.0
)
`

/** What a file is before and after, and whether that leaves alone what checks the project. */
const changes: readonly (readonly [what: string, path: string, before: string, after: string, same: boolean])[] = [
  [
    'a new dependency',
    'package.json',
    json(manifest),
    json({ ...manifest, dependencies: { zod: '^4', a: '1' } }),
    true,
  ],
  ['its first one', 'package.json', json({ type: 'module' }), json({ type: 'module', dependencies: { a: '1' } }), true],
  ['another version', 'package.json', json(manifest), json({ ...manifest, version: '2.0.0' }), true],
  ['other white space', 'package.json', json(manifest), JSON.stringify(manifest), true],
  ['one in a folder', 'packages/b/package.json', json(manifest), json({ ...manifest, dependencies: {} }), true],
  ['another script', 'package.json', json(manifest), json({ ...manifest, scripts: { test: 'true' } }), false],
  ['another name', 'package.json', json(manifest), json({ ...manifest, name: 'b' }), false],
  ['settings of a runner', 'package.json', json(manifest), json({ ...manifest, jest: { bail: 1 } }), false],
  ['other overrides', 'package.json', json(manifest), json({ ...manifest, overrides: { zod: '3' } }), false],
  ['no runner', 'package.json', json(manifest), json({ ...manifest, devDependencies: {} }), false],
  [
    'a runner in another version',
    'package.json',
    json(manifest),
    json({ ...manifest, devDependencies: { ...manifest.devDependencies, vitest: '^1.0.0' } }),
    false,
  ],
  [
    'a package under another name',
    'package.json',
    json(manifest),
    json({ ...manifest, dependencies: { zod: 'npm:a@1' } }),
    false,
  ],
  [
    'a package from a folder',
    'package.json',
    json(manifest),
    json({ ...manifest, dependencies: { zod: 'file:./a' } }),
    false,
  ],
  ['what is no JSON any more', 'package.json', json(manifest), '{', false],
  ['what is no object', 'package.json', '[]', '[ ]', false],
  ['a new crate', 'Cargo.toml', cargo, cargo.replace('serde = "1"', 'serde = "1"\nrand = "1"'), true],
  ['a crate with a section', 'Cargo.toml', cargo, `${cargo}\n[dependencies.rand]\nversion = "1"\n`, true],
  ['a comment', 'Cargo.toml', cargo, cargo.replace('edition', '# the latest\nedition'), true],
  ['tests turned off', 'Cargo.toml', cargo, cargo.replace('test = true', 'test = false'), false],
  ['tests turned off, above', 'Cargo.toml', cargo, cargo.replace('edition', 'autotests = false\nedition'), false],
  ['a tool for tests', 'Cargo.toml', cargo, cargo.replace('proptest = "1"', 'proptest = "0.1"'), false],
  [
    'a long text around a section',
    'Cargo.toml',
    cargo,
    cargo.replace('serde = "1"', 'serde = """').concat('"""\n'),
    false,
  ],
  ['a new package', 'pyproject.toml', python, python.replace('"requests', '"httpx",\n  "requests'), true],
  [
    'another group',
    'pyproject.toml',
    python,
    python.replace('[tool', '[dependency-groups]\nweb = ["flask"]\n\n[tool'),
    true,
  ],
  ['options of the runner', 'pyproject.toml', python, python.replace('--strict-markers', '-k nothing'), false],
  [
    'options behind a number sign',
    'pyproject.toml',
    python.replace('--strict', '--x=#a'),
    python.replace('--strict', '--x=#b'),
    false,
  ],
  ['another runner', 'pyproject.toml', python, python.replace('pytest>=8', 'pytest-dry-run'), false],
  ['a command', 'package.json', json(manifest), json({ ...manifest, bin: { a: './a.js' } }), true],
  [
    'a command named like a tool',
    'package.json',
    json(manifest),
    json({ ...manifest, bin: { vitest: './a.js' } }),
    false,
  ],
  [
    'a script that starts it',
    'package.json',
    json(manifest),
    json({ ...manifest, scripts: { ...manifest.scripts, start: 'node a.js' } }),
    true,
  ],
  [
    'a script that starts it, for the tests',
    'package.json',
    json({ scripts: { test: 'npm run start', start: 'node a.js' } }),
    json({ scripts: { test: 'npm run start', start: 'true' } }),
    false,
  ],
  [
    'a script before the tests',
    'package.json',
    json(manifest),
    json({ ...manifest, scripts: { ...manifest.scripts, pretest: 'rm -r test' } }),
    false,
  ],
  ['a crate from a folder', 'Cargo.toml', cargo, cargo.replace('serde = "1"', 'serde = { path = "a" }'), false],
  [
    'a crate under another name',
    'Cargo.toml',
    cargo,
    cargo.replace('serde = "1"', 'serde = { package = "a", version = "1" }'),
    false,
  ],
  ['a crate of the workspace', 'Cargo.toml', cargo, cargo.replace('serde = "1"', 'serde.workspace = true'), true],
  [
    'a plug-in of the runner, in letters that are written out',
    'pyproject.toml',
    python,
    python.replace(
      'name = "a"',
      String.raw`name = "a"\nentry-points."p\u0079t\u0065st11".a = "a"`.replace('\\n', '\n'),
    ),
    false,
  ],
  [
    'a command by its whole key',
    'pyproject.toml',
    python,
    python.replace('name = "a"', 'name = "a"\nscripts.python = "a:b"'),
    false,
  ],
  ['a package from a folder', 'pyproject.toml', python, python.replace('"requests>=2"', '"requests @ file:a"'), false],
  ['a package of pipenv', 'Pipfile', '[packages]\na = "*"\n', '[packages]\na = "*"\nb = "*"\n', true],
  ['a script of pipenv', 'Pipfile', '[scripts]\nt = "pytest"\n', '[scripts]\nt = "true"\n', false],
  ['a new module', 'go.mod', module, module.replace('require (', 'require (\n\texample.org/b v1.0.0'), true],
  ['a module in a line', 'go.mod', module, `${module}\nrequire example.org/b v1.0.0 // indirect\n`, true],
  [
    'another version of the language',
    'go.mod',
    module,
    module.replace('go 1.22', 'go 1.23.0\ntoolchain go1.23.1'),
    true,
  ],
  ['other assertions', 'go.mod', module, module.replace('testify v1.9.0', 'testify v1.0.0'), false],
  ['a module from a folder', 'go.mod', module, `${module}\nreplace example.org/a => ./a\n`, false],
  ['another name of the module', 'go.mod', module, module.replace('example.org/sum', 'example.org/other'), false],
  ['an ordinary file', 'a.json', '{"dependencies":{}}', '{"dependencies":{"a":"1"}}', false],
]

test.for(changes)('%s in %s', async ([, path, before, after, same]) => {
  await using at = await temporaryWorkspace({ files: { [path]: before } })
  await using side = await temporaryWorkspace()
  const { trees } = openWorkspace({ root: at.root, treesFolder: side.path('trees') })
  const taken = async () => {
    const answer = await trees?.take()
    return answer?.kind === 'taken' ? answer.tree.id : ''
  }
  const start = await taken()
  await at.write(path, after)
  expect(await trees?.changes(start, await taken())).toEqual([
    { path, change: 'modified', ...(same && { onlyDependencies: true }) },
  ])
})
