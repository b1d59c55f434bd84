import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { RewindOutput } from '../../src/schemas/rewind.ts'
import { type Stage, stage } from './stage/stage.ts'

const files = { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n', 'run.sh': 'echo\n' }
const shell = [
  'mv src/deep moved',
  'echo changed > a.txt',
  'rm src/b.txt',
  'chmod +x run.sh',
  'mkdir -p new/folder && echo x > new/folder/x',
  'git init -q nested 2>/dev/null; echo n > nested/n.txt',
].join('; ')
const doing = (command: string): WireLine[] => [
  line('I do it.', call('bash', { command })),
  { ...line('It is done.'), repeat: 'any' },
]
const told = ['-p', '--permission-mode', 'allow']

/** Everything in the project but repositories, as text by path; folders end with a slash. */
function contents(one: Stage, folder = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(one.path(folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name === '.git') continue
    if (entry.isDirectory()) Object.assign(found, { [`${path}/`]: '' }, contents(one, path))
    else found[path] = readFileSync(one.path(path), 'utf8')
  }
  return found
}

function write(one: Stage): void {
  for (const [path, content] of Object.entries(files)) one.write(path, content)
}

async function rewound(one: Stage, ...words: readonly string[]): Promise<RewindOutput> {
  const { stdout, stderr } = await one.run(['rewind', '--json', ...words])
  expect(stderr).toBe('')
  return RewindOutput.parse(JSON.parse(stdout))
}

const shown = (one: Stage, { files: all }: RewindOutput) =>
  all.map(({ path, outcome, action, reason }) =>
    [action ?? outcome, path.slice(one.project.length + 1), reason].filter(Boolean).join(' '),
  )

describe('the built command', () => {
  test('takes a turn back, with what the shell did, as it has said; what the user did since stays', async () => {
    await using one = await stage(...doing(shell))
    write(one)
    const before = contents(one)
    await one.run([...told, 'Move things about.'])
    one.write('a.txt', 'mine\n')
    one.write('new/mine.txt', 'mine\n')
    const preview = await rewound(one)
    const done = await rewound(one, '--yes')
    expect(shown(one, done)).toEqual(shown(one, preview))
    expect(shown(one, done)).toEqual([
      'remove new/folder/x',
      'remove moved/c.txt',
      'remove_folder new/folder',
      'remove_folder moved',
      'write run.sh',
      'write src/b.txt',
      'write src/deep/c.txt',
      'kept a.txt It was changed since.',
      'kept nested It is not in the tree (nested).',
    ])
    expect(contents(one)).toEqual({
      ...before,
      'a.txt': 'mine\n',
      'new/': '',
      'new/mine.txt': 'mine\n',
      'nested/': '',
      'nested/n.txt': 'n\n',
    })
  })

  test.runIf(fromCi)(
    'reads no object of the repository of the project, and leaves its index, its branches and its status as they are',
    async () => {
      await using one = await stage(...doing('echo changed > a.txt; echo new > new.txt'))
      write(one)
      const git = (...words: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
          cwd: one.project,
          encoding: 'utf8',
        })
      git('init', '-q')
      git('add', '-A')
      git('commit', '-qm', 'first')
      one.write('src/b.txt', 'staged\n')
      git('add', 'src/b.txt')
      const status = git('status', '--porcelain', '-b')
      const kept = () =>
        ['HEAD', 'index', 'config', 'logs/HEAD'].map((name) => readFileSync(one.path('.git', name)).toString('hex'))
      const before = kept()
      // From here on, reading an object finds none, or a wrong one.
      renameSync(one.path('.git/objects'), one.path('.git/objects-away'))
      mkdirSync(one.path('.git/objects'))
      const found = contents(one)
      await one.run([...told, 'Change the files.'])
      expect(contents(one)).toMatchObject({ 'a.txt': 'changed\n', 'new.txt': 'new\n' })
      expect((await one.run(['diff', '--stat'])).stdout).toBe('M a.txt  +1 -1\nA new.txt  +1 -0\n2 files, +2 -1\n')
      await rewound(one, '--yes')
      expect(contents(one)).toEqual(found)
      expect(readdirSync(one.path('.git/objects'))).toEqual([])
      expect(kept()).toEqual(before)
      execFileSync('rmdir', [one.path('.git/objects')])
      renameSync(one.path('.git/objects-away'), one.path('.git/objects'))
      expect(git('status', '--porcelain', '-b')).toBe(status)
    },
  )

  test('without git says once that there is no undo and no evidence, verifies nothing, and touches no file', async () => {
    await using one = await stage(...doing('echo changed > a.txt'))
    write(one)
    one.write('package.json', JSON.stringify({ scripts: { test: 'true' } }))
    const programs = join(one.project, '..', 'programs')
    mkdirSync(programs)
    for (const name of ['bash', 'sh', 'env']) symlinkSync(`/bin/${name}`, join(programs, name))
    const environment = { PATH: programs }
    const { stderr, code } = await one.runBuilt([...told, '--check', 'true', 'Change the file.'], { environment })
    expect(stderr.match(/no undo and no evidence/g)).toHaveLength(1)
    expect(code).toBe(3)
    const { unseen, files: none } = await rewound(one, '--yes')
    expect(none).toEqual([])
    expect(unseen).toMatchObject([{ why: expect.stringContaining('no git on this machine') }])
    expect(readFileSync(one.path('a.txt'), 'utf8')).toBe('changed\n')
  })

  test.runIf(fromCi)(
    'that is killed while files go back leaves each as it was or as it will be, and goes on when it is told again',
    async () => {
      const names = Array.from({ length: 300 }, (_unused, index) => `many/${index}.txt`)
      await using one = await stage(
        ...doing('for f in many/*; do echo changed > $f; done; rm many/7.txt; mkdir other; mv many/8.txt other'),
      )
      for (const name of names) one.write(name, `${name}\n`)
      const before = contents(one)
      await one.run([...told, 'Change all of them.'])
      const after = contents(one)
      expect(after).toMatchObject({ 'many/0.txt': 'changed\n', 'other/8.txt': 'changed\n' })
      const running = one.start(['rewind', '--yes'])
      await expect
        .poll(() => existsSync(one.path('many/7.txt')) || contents(one)['many/0.txt'] !== 'changed\n', {
          interval: 1,
          timeout: 60_000,
        })
        .toBe(true)
      running.process.kill('SIGKILL')
      await running.ended
      const found = contents(one)
      const isWhole = (path: string) =>
        path.endsWith('.loader-tmp') || [before[path], after[path]].includes(found[path])
      expect(Object.keys({ ...before, ...after, ...found }).filter((path) => !isWhole(path))).toEqual([])
      await one.run(['rewind', '--yes'])
      expect(contents(one)).toEqual(before)
    },
  )
})
