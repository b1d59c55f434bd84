import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { openWorkspace } from '@loader/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { tickMs } from '../../src/files/change-times.ts'

function project() {
  const base = mkdtempSync(join(tmpdir(), 'beside-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'project')
  const path = (name: string) => join(root, name)
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  write('.gitignore', '.env\ncoverage\n')
  write('.env', 'A=1\n')
  write('a.py', 'a = 1\n')
  write('__pycache__/a.pyc', 'a')
  write('node_modules/one/package.json', '{ "name": "one", "version": "1.0.0" }\n')
  write('node_modules/one/index.js', '1\n')
  write('node_modules/.cache/x', 'x')
  write('node_modules/.vite/y', 'y')
  const { trials } = openWorkspace({ root, treesFolder: join(base, 'files.git'), roomsFolder: base })
  // What changed in the latest step of change times counts as changed since.
  const written = Date.now()
  while (Date.now() <= written + tickMs) continue
  if (trials === undefined) throw new Error('There are no rooms.')
  return { path, write, trials }
}
const nothing = { ignored: [], packages: [], session: [], notLooked: [] }

test('what lies beside the tree is told apart by where it lies, and what is as it was is not named', async () => {
  const { path, write, trials } = project()
  const before = await trials.lookBeside()
  write('.env', 'A=1\n')
  expect(await trials.besideChanges(before, await trials.lookBeside())).toEqual(nothing)
  write('.env', 'A=2\n')
  write('coverage/report', 'all\n')
  write('__pycache__/a.pyc', 'b')
  write('node_modules/one/index.js', '2\n')
  rmSync(path('node_modules/.cache'), { recursive: true })
  expect(await trials.besideChanges(before, await trials.lookBeside())).toEqual({
    ...nothing,
    ignored: ['.env', '__pycache__', 'coverage/report', 'node_modules/.cache'],
    packages: ['one'],
  })
})

test('where there is nothing to compare with, that is said', async () => {
  const { trials } = project()
  const now = await trials.lookBeside()
  expect(await trials.besideChanges({}, now)).toEqual({ ...nothing, notLooked: ['ignored', 'packages'] })
})
