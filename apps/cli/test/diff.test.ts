import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, line, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { LocalTrees } from '@loader/workspace'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DiffOutput } from '../src/schemas/diff.ts'
import { loader } from './written/fake-console.ts'
import { projectIn } from './written/store-in.ts'
import { workedSession } from './written/worked-session.ts'

const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'run.sh': 'echo\n' }
const shell = 'sed -i s/two/three/ a.txt && mv b.txt moved.txt && chmod +x run.sh'

async function worked(workspace: TemporaryWorkspace): Promise<string> {
  const bash = (command: string) => line('I do it.', call('bash', { command }))
  const { id } = await workedSession(workspace, {
    task: 'Change the files.',
    lines: [bash(shell), line('Changed.')],
    doneWhen: [{ command: 'true' }],
  })
  return id
}

describe('a diff', () => {
  let workspace: TemporaryWorkspace
  let id: string
  beforeAll(async () => {
    workspace = await temporaryWorkspace({ files })
    id = await worked(workspace)
  })
  afterAll(() => workspace.dispose())

  test('is a patch that makes of the files before those after, and back', async () => {
    const { out, code } = await loader(['diff'], { folder: workspace.root })
    expect(code).toBe(0)
    expect(out).toContain('-two\n+three\n')
    await using other = await temporaryWorkspace({ files: { ...files, patch: out } })
    execFileSync('git', ['apply', 'patch'], { cwd: other.root })
    const { patch: _, ...after } = await other.files()
    expect(after).toEqual(await workspace.files())
    execFileSync('git', ['apply', '-R', 'patch'], { cwd: other.root })
    expect(await other.files()).toEqual({ ...files, patch: out })
  })

  test('in short has a line for each file; that of a turn that is not there names those that are', async () => {
    const { out } = await loader(['diff', '--stat', '--turn', '1'], { folder: workspace.root })
    expect(out).toBe('M a.txt  +1 -1\nD b.txt  +0 -1\nA moved.txt  +1 -0\nM run.sh  mode\n4 files, +2 -2\n')
    const { code, err } = await loader(['diff', '--turn', '9'], { folder: workspace.root })
    expect(code).toBe(2)
    expect(err).toContain('Its turns are: turn_')
  })

  test('leaves out what the user has changed before and since', async () => {
    writeFileSync(workspace.path('b.txt'), 'mine\n')
    writeFileSync(workspace.path('notes.txt'), 'mine\n')
    const { out } = await loader(['diff', id, '--json'], { folder: workspace.root })
    const output = DiffOutput.parse(JSON.parse(out))
    expect(output).toMatchObject({ session: id, turnIds: [expect.any(String)], unseen: [] })
    expect(output.files).toEqual([
      { path: 'a.txt', change: 'modified', added: 1, removed: 1 },
      { path: 'b.txt', change: 'deleted', added: 0, removed: 1 },
      { path: 'moved.txt', change: 'added', added: 1, removed: 0 },
      { path: 'run.sh', change: 'mode', added: 0, removed: 0 },
    ])
  })
})

test('content that a terminal would obey is written out where a terminal shows it', async () => {
  await using workspace = await temporaryWorkspace({ files })
  await workedSession(workspace, {
    task: 'Change the files.',
    lines: [
      line('I do it.', call('bash', { command: String.raw`printf '\033]0;title\007\n' > a.txt` })),
      line('Changed.'),
    ],
    doneWhen: [{ command: 'true' }],
  })
  const shown = await loader(['diff'], { folder: workspace.root, typed: '' })
  expect(shown.out).not.toContain('\u001b]0;')
  expect(shown.out).toContain(String.raw`\x1b]0;title\x07`)
})

test('a session that changed nothing has no diff, and says so', async () => {
  await using workspace = await temporaryWorkspace({ files })
  await workedSession(workspace, { task: 'What is in a.txt?', lines: [line('One and two.')], doneWhen: [] })
  expect(await loader(['diff'], { folder: workspace.root })).toMatchObject({
    code: 0,
    out: '',
    err: 'loader: No file is different for 1 turn.\n',
  })
})

test.runIf(fromCi)(
  'trees go when no session names them any more, and stay while one does, in the trash too',
  async () => {
    await using workspace = await temporaryWorkspace({ files })
    const first = await worked(workspace)
    const { out } = await loader(['diff', first, '--json'], { folder: workspace.root })
    const { before, after } = DiffOutput.parse(JSON.parse(out))
    if (before === null || after === null) throw new Error('something was changed')
    const { folders } = projectIn(workspace.root)
    const agedHours = (hours: number) => {
      const time = new Date(Date.now() - hours * 3_600_000).toISOString()
      execFileSync('find', [join(folders.trees, 'objects'), '-type', 'f', '-exec', 'touch', '-d', time, '{}', '+'])
    }
    const isKept = async (tree: string) => {
      using trees = new LocalTrees({
        root: workspace.root,
        folder: folders.trees,
        git: 'git',
        variables: { PATH: process.env['PATH'] ?? '' },
      })
      return trees.files(tree).then(
        () => true,
        () => false,
      )
    }
    await workspace.write('a.txt', 'something else\n')
    const second = await worked(workspace)
    agedHours(2)
    await loader(['delete', '--yes', first], { folder: workspace.root })
    expect([await isKept(before), await isKept(after)]).toEqual([true, true])
    const third = await worked(workspace)
    await loader(['delete', '--yes', '--erase', third], { folder: workspace.root })
    expect(await isKept(before)).toBe(true)
    execFileSync('rm', ['-r', join(folders.sessions, '_trash')])
    agedHours(2)
    await loader(['delete', '--yes', '--erase', second], { folder: workspace.root })
    expect(await isKept(before)).toBe(false)
  },
)
