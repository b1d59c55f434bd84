import { expect, test } from 'vitest'
import { entriesOf } from '../../src/trials/entries-of.ts'

async function entries(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const project = { paths: Object.keys(files), text: async (path: string) => files[path] }
  return [...(await entriesOf(project))].toSorted()
}

test.for<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['main', { 'package.json': '{ "main": "src/a.js" }', 'src/a.js': '', 'src/b.js': '' }, ['src/a.js']],
  ['built output, by its source', { 'package.json': '{ "main": "dist/a.js" }', 'src/a.ts': '' }, ['src/a.ts']],
  [
    'built output and its source, where both are there',
    { 'package.json': '{ "main": "dist/a.js" }', 'src/a.ts': '', 'dist/a.js': '' },
    ['dist/a.js', 'src/a.ts'],
  ],
  [
    'every way in',
    {
      'package.json': '{ "bin": { "x": "./cli.js" }, "exports": { ".": { "import": "./a.mjs" } } }',
      'cli.js': '',
      'a.mjs': '',
    },
    ['a.mjs', 'cli.js'],
  ],
  [
    'what a script starts',
    { 'package.json': '{ "scripts": { "start": "node server.js" } }', 'server.js': '' },
    ['server.js'],
  ],
  ['what lies where it is looked for', { 'package.json': '{}', 'index.js': '', 'other.js': '' }, ['index.js']],
  [
    'the modules of a Python package, but for its tests',
    {
      'pyproject.toml': '[project]\nname = "a"\n',
      'a/__init__.py': '',
      'a/b.py': '',
      'tests/__init__.py': '',
      'tests/test_b.py': '',
    },
    ['a/__init__.py', 'a/b.py'],
  ],
  [
    'a command of a Python package',
    { 'pyproject.toml': '[project.scripts]\nx = "a.main:run"\n', 'src/a/main.py': '' },
    ['src/a/main.py'],
  ],
  ['nothing where no manifest names anything', { 'a.js': '', 'a.py': '' }, []],
])('programs are entered by %s', async ([, files, expected]) => {
  expect(await entries(files)).toEqual(expected)
})

test('a script that is a part of the check enters nothing, unless another script starts the same file', async () => {
  const files = {
    'package.json': '{ "scripts": { "test": "node check.js && node app.js", "start": "node app.js" } }',
    'check.js': '',
    'app.js': '',
  }
  const project = { paths: Object.keys(files), text: async (path: string) => (files as Record<string, string>)[path] }
  const found = await entriesOf(project, [{ manifest: 'package.json', name: 'test' }])
  expect([...found]).toEqual(['app.js'])
})

test('a script that runs a command of the check within a longer one enters nothing', async () => {
  const files = {
    'package.json':
      '{ "scripts": { "test": "node check.js", "coverage": "npx c8 node check.js", "start": "node check.js" } }',
    'check.js': '',
  }
  const texts = (start: boolean) => ({
    paths: Object.keys(files),
    text: async (path: string) => {
      const text = (files as Record<string, string>)[path]
      return start ? text : text?.replace('"start": "node check.js"', '"x": "y"')
    },
  })
  const ran = [{ manifest: 'package.json', name: 'test' }]
  const commands = [['node', 'check.js']]
  expect([...(await entriesOf(texts(false), ran, commands))]).toEqual([])
  expect([...(await entriesOf(texts(false), ran))]).toEqual(['check.js'])
  // What is started by the same command may be a program that the check starts.
  expect([...(await entriesOf(texts(true), ran, commands))]).toEqual(['check.js'])
})
