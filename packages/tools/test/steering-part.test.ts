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
  ['an ordinary file', 'a.json', '{"dependencies":{}}', '{"dependencies":{"a":"1"}}', false],
]

test.for(changes)('%s in %s', async ([, path, before, after, same]) => {
  await using at = await temporaryWorkspace({ files: { [path]: before } })
  const workspace = openWorkspace({ root: at.root, git: null })
  const [, contentBefore, steeringBefore] = (await workspace.snapshot()).files.get(path)?.split(':') ?? []
  await at.write(path, after)
  const [, content, steering] = (await workspace.snapshot()).files.get(path)?.split(':') ?? []
  expect(content).not.toBe(contentBefore)
  expect(steering !== undefined && steering === steeringBefore).toBe(same)
})
