import { call, line, temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { AcceptOutput } from '../src/schemas/accept.ts'
import { CheckOutput } from '../src/schemas/check.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.js'\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
}
const renamed = {
  'sum.js': files['sum.js'].replaceAll('sum', 'add'),
  'sum.test.js': files['sum.test.js'].replaceAll('sum(', 'add(').replace('{ sum }', '{ add }'),
}

async function renaming() {
  const workspace = await temporaryWorkspace({ files })
  const calls = Object.entries(renamed).map(([file_path, content]) => call('write', { file_path, content }))
  const lines = [line('', ...calls), line('It is called add now.')]
  const { id } = await workedSession(workspace, { lines, task: 'Rename sum to add everywhere.', doneWhen: [] })
  return { workspace, id, in: { folder: workspace.root } }
}

test('what a turn rests on is shown with its diff, and accepted only when the user says so', async () => {
  const { workspace, ...work } = await renaming()
  await using _ = workspace
  const { out } = await loader(['accept'], work.in)
  expect(out).toContain('To be accepted:\n  sum.test.js')
  expect(out).toContain("+test('adds', () => assert.equal(add(1, 2), 3))")
  expect(out).not.toContain('+export const add')
  expect((await loader(['status'], work.in)).out).not.toContain('waived')

  const done = AcceptOutput.parse(JSON.parse((await loader(['accept', '--yes', '--json'], work.in)).out))
  expect(done).toMatchObject({ done: true, files: ['sum.test.js'], judgement: { word: 'accepted', by: 'the user' } })
  expect((await loader(['status'], work.in)).out).toContain('waived')
  expect((await loader(['accept'], work.in)).out).toContain('There is nothing to accept')
})

test('what has changed since it was judged cannot be accepted', async () => {
  const { workspace, ...work } = await renaming()
  await using _ = workspace
  await workspace.write('sum.test.js', '')
  const { code, err } = await loader(['accept', '--yes'], work.in)
  expect(code).not.toBe(0)
  expect(err).toContain('The files have changed since they were judged')
})

test('checks that were run on the same files are not run again', async () => {
  const { workspace, ...work } = await renaming()
  await using _ = workspace
  const first = await loader(['check', '--json'], work.in)
  const { judgement, ran } = CheckOutput.parse(JSON.parse(first.out))
  // What it rests on was named once; until it is accepted, that it is not keeps the exit code.
  const unaccepted = { names: ['sum.test.js'] }
  expect({ judgement, code: first.code }).toMatchObject({ judgement: { unaccepted }, code: 3 })
  const again = CheckOutput.parse(JSON.parse((await loader(['check', '--json'], work.in)).out))
  expect(again).toMatchObject({ ran: 0, judgement: { unaccepted } })
  expect(again.kept).toBeGreaterThanOrEqual(ran)
})
