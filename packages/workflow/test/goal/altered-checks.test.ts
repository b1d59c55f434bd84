import { expect, test } from 'vitest'
import { alteredChecks } from '../../src/goal/altered-checks.ts'
import { checkFor } from '../../src/goal/proposal.ts'
import { Drive } from '../completion/drive.ts'
import { bash, write } from '../completion/story.ts'
import { alterations } from './altered-checks.table.ts'

const userCheck = (command: string) => checkFor({ command, text: command, source: 'user' })

test.for(alterations)('changing $what: `$command` is altered: $altered', ({ before, changes, command, altered }) => {
  const drive = new Drive({ task: 'Go.', files: Object.fromEntries(before.map((path) => [path, `${path}\n`])) })
  const calls = changes.map(([change, path]) =>
    change === 'deleted' ? bash(`rm ${path}`) : write(path, `${path}, ${change}\n`),
  )
  drive.answer({ text: '', calls })
  drive.look()
  expect(alteredChecks(drive.state, userCheck(command)).length > 0).toBe(altered)
})

test('the reason names the file', () => {
  const drive = new Drive({ task: 'Go.', files: { 'test/a.test.js': '1' } })
  drive.answer({ text: '', calls: [write('test/a.test.js', '2')] })
  drive.look()
  const reason = 'test/a.test.js, which belongs to the checks of the project, was modified in this turn'
  expect(alteredChecks(drive.state, userCheck('npm test'))).toEqual([{ path: 'test/a.test.js', reason }])
})

test('a manifest of which only the dependencies have changed is no altered check', () => {
  const drive = new Drive({ task: 'Go.', files: { 'package.json': '1' } })
  drive.answer({ text: '', calls: [write('package.json', '2')] })
  drive.look()
  const check = userCheck('npm test')
  expect(alteredChecks(drive.state, check)).toHaveLength(1)
  const { workspace } = drive.state
  const changed = [{ path: 'package.json', change: 'modified', onlyDependencies: true }] as const
  expect(alteredChecks({ ...drive.state, workspace: workspace && { ...workspace, changed } }, check)).toEqual([])
  const own = userCheck('node package.json')
  expect(alteredChecks({ ...drive.state, workspace: workspace && { ...workspace, changed } }, own)).toHaveLength(1)
})

test('where nobody has looked since the last change, a check may have been altered', () => {
  const drive = new Drive({ task: 'Go.', files: { 'test/a.test.js': '1' } })
  drive.answer({ text: '', calls: [write('src/a.js', '2')] })
  expect(alteredChecks(drive.state, userCheck('npm test'))).toHaveLength(1)
  expect(alteredChecks(drive.state, userCheck('grep -q 2 src/a.js'))).toEqual([])
})

test('where nothing can have been changed, nothing was altered', () => {
  const drive = new Drive({ task: 'Go.', files: { 'test/a.test.js': '1' } })
  drive.answer({ text: 'Nothing to do.' })
  expect(alteredChecks(drive.state, userCheck('npm test'))).toEqual([])
})

test('what a call has written counts even where a look leaves it out', () => {
  const drive = new Drive({ task: 'Go.', files: { 'tests/test_a.py': '1' } })
  drive.answer({ text: '', calls: [write('conftest.py', 'import pytest'), write('.gitignore', 'conftest.py')] })
  drive.look()
  const { workspace } = drive.state
  const changed = (workspace?.changed ?? []).filter(({ path }) => path !== 'conftest.py')
  const ignoring = { ...drive.state, workspace: workspace && { ...workspace, changed } }
  expect(alteredChecks(ignoring, userCheck('pytest')).map(({ path }) => path)).toEqual(['conftest.py'])
})
