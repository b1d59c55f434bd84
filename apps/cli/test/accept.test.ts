import { call, line, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AcceptOutput } from '../src/schemas/accept.ts'
import { CheckOutput } from '../src/schemas/check.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'

const files = {
  // make is started sooner than npm.
  Makefile: 'test:\n\tnode --test\n',
  'package.json': '{ "type": "module" }\n',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.js'\ntest('adds', () => assert.equal(sum(1, 2), 3))\n",
}
const renamed = {
  'sum.js': files['sum.js'].replaceAll('sum', 'add'),
  'sum.test.js': files['sum.test.js'].replaceAll('sum(', 'add(').replace('{ sum }', '{ add }'),
}

interface Renamed extends AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly in: { readonly folder: string }
}

/** The trials of a turn in which sum became add, in the test as well. */
async function renaming(): Promise<Renamed> {
  const workspace = await temporaryWorkspace({ files })
  const calls = Object.entries(renamed).map(([file_path, content]) => call('write', { file_path, content }))
  const lines = [line('', ...calls), line('It is called add now.')]
  await workedSession(workspace, { lines, task: 'Rename sum to add everywhere.', doneWhen: [] })
  return { workspace, in: { folder: workspace.root }, [Symbol.asyncDispose]: () => workspace.dispose() }
}

describe('what a turn rests on', () => {
  let work: Renamed
  beforeAll(async () => {
    work = await renaming()
  })
  afterAll(() => work[Symbol.asyncDispose]())

  test('is shown with its diff', async () => {
    const { out } = await loader(['accept'], work.in)
    expect(out).toContain('To be accepted:\n  sum.test.js')
    expect(out).toContain("+test('adds', () => assert.equal(add(1, 2), 3))")
    expect(out).not.toContain('+export const add')
    expect((await loader(['status'], work.in)).out).not.toContain('waived')
  })

  test('cannot be accepted when it has changed since it was judged', async () => {
    const { workspace } = work
    await workspace.write('sum.test.js', '')
    const { code, err } = await loader(['accept', '--yes'], work.in)
    expect(code).not.toBe(0)
    expect(err).toContain('The files have changed since they were judged')
    await workspace.write('sum.test.js', renamed['sum.test.js'])
  })

  test('is accepted when the user says so', async () => {
    const done = AcceptOutput.parse(JSON.parse((await loader(['accept', '--yes', '--json'], work.in)).out))
    expect(done).toMatchObject({ done: true, files: ['sum.test.js'], judgement: { word: 'accepted', by: 'the user' } })
    expect((await loader(['status'], work.in)).out).toContain('waived')
    expect((await loader(['accept'], work.in)).out).toContain('There is nothing to accept')
  })
})

test.runIf(fromCi)('checks that were run on the same files are not run again', async () => {
  await using work = await renaming()
  const first = await loader(['check', '--json'], work.in)
  const { judgement, ran } = CheckOutput.parse(JSON.parse(first.out))
  // What it rests on was named once; until it is accepted, that it is not keeps the exit code.
  const unaccepted = { names: ['sum.test.js'] }
  expect({ judgement, code: first.code }).toMatchObject({ judgement: { unaccepted }, code: 3 })
  const again = CheckOutput.parse(JSON.parse((await loader(['check', '--json'], work.in)).out))
  expect(again).toMatchObject({ ran: 0, judgement: { unaccepted } })
  expect(again.kept).toBeGreaterThanOrEqual(ran)
})
