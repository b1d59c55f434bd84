import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { call, type Completion, line, temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Stage, stage } from './scene/stage.ts'
import { toldTrees } from './scene/told-trees.ts'

const bash = (command: string) => call('bash', { command })
const config = { permissionMode: 'allow', completionCheck: false } as const
const files = { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n', 'run.sh': 'echo\n' }
const shell = [
  'mv src/deep moved',
  'echo changed > a.txt',
  'rm src/b.txt',
  'chmod +x run.sh',
  'mkdir -p new/folder && echo x > new/folder/x && ln -s x new/link',
].join(' && ')

/** A turn of one command and an answer, then another for each further command. */
function turns(...commands: readonly string[]): Completion[] {
  return commands.flatMap((command) => [line('I do it.', bash(command)), line('Ended.')])
}

async function run(set: Stage, words: string): Promise<void> {
  await set.agent.run(words)
}

/** Paths below the project, with what happens to them. */
function shown(set: Stage, rewound: { readonly files: readonly { path: string; outcome: string; action?: string }[] }) {
  const start = set.place.workspace.root.length + 1
  return rewound.files.map(({ path, outcome, action }) => `${action ?? outcome} ${path.slice(start)}`)
}

describe('undo of a turn', () => {
  test('takes back what a shell has moved, made, changed and deleted, as the preview says', async () => {
    await using set = await stage(turns(shell), { files, config, trees: 'kept' })
    await run(set, 'Move things about.')
    expect(await set.place.workspace.files()).toMatchObject({ 'moved/c.txt': 'c\n', 'new/folder/x': 'x\n' })
    const before = set.agent.session.state?.workspace?.baseline?.tree?.id
    const preview = await set.agent.rewind({ toTurn: 1, files: true, preview: true })
    expect(shown(set, preview)).toEqual([
      'remove new/link',
      'remove new/folder/x',
      'remove moved/c.txt',
      'remove_folder new/folder',
      'remove_folder new',
      'remove_folder moved',
      'write a.txt',
      'write run.sh',
      'write src/b.txt',
      'write src/deep/c.txt',
    ])
    const { plan } = preview
    if (plan === undefined) throw new Error('there is something to take back')
    const done = await set.agent.rewind({ toTurn: 1, files: true, plan })
    expect(shown(set, done)).toEqual(shown(set, preview))
    expect(await set.place.workspace.files()).toEqual(files)
    expect(existsSync(set.place.workspace.path('new'))).toBe(false)
    // It ends with a look, so that what is known of the files is what they are.
    expect(set.agent.session.state?.workspace?.tree?.id).toBe(before)
    await set.expectWhole()
  })

  test.runIf(fromCi)('keeps and lists files that others have changed since', async () => {
    await using set = await stage(turns('echo turn | tee a.txt src/b.txt new.txt; rm run.sh'), {
      files,
      config,
      trees: 'kept',
    })
    await run(set, 'Change the files.')
    const { workspace } = set.place
    await workspace.write('a.txt', 'mine\n')
    rmSync(workspace.path('new.txt'))
    await workspace.write('run.sh', 'mine\n')
    const { files: rewound } = await set.agent.rewind({ toTurn: 1, files: true })
    const start = workspace.root.length + 1
    expect(rewound.map(({ path, outcome, reason }) => [path.slice(start), outcome, reason])).toEqual([
      ['src/b.txt', 'restored', undefined],
      ['a.txt', 'kept', 'It was changed since.'],
      ['new.txt', 'kept', 'It is as it was before already.'],
      ['run.sh', 'kept', 'It was changed since.'],
    ])
    expect(await workspace.files()).toEqual({ ...files, 'a.txt': 'mine\n', 'run.sh': 'mine\n' })
  })

  test.runIf(fromCi)(
    'leaves alone what the user changes while the model is asked, between two commands and two turns',
    async () => {
      const edited = (path: string, answer: Completion) => () => {
        writeFileSync(set.place.workspace.path(path), 'mine\n')
        return answer
      }
      await using set = await stage(
        [
          line('One.', bash('echo turn > a.txt; echo turn > src/b.txt')),
          edited('src/b.txt', line('Two.', bash('echo turn >> a.txt'))),
          line('Ended.'),
          edited('notes.txt', line('Three.', bash('echo more >> a.txt; echo more >> notes.txt'))),
          line('Ended.'),
        ],
        { files, config, trees: 'kept' },
      )
      await run(set, 'Change the files.')
      await run(set, 'Change them again.')
      const { files: rewound } = await set.agent.rewind({ toTurn: 2, files: true })
      const start = set.place.workspace.root.length + 1
      const meanwhile = 'Another program changed it between the calls of these turns.'
      expect(rewound.map(({ path, outcome, reason }) => [path.slice(start), outcome, reason])).toEqual([
        ['a.txt', 'restored', undefined],
        ['notes.txt', 'restored', undefined],
        ['src/b.txt', 'kept', meanwhile],
      ])
      expect(await set.place.workspace.files()).toEqual({ ...files, 'src/b.txt': 'mine\n', 'notes.txt': 'mine\n' })
    },
  )

  test.runIf(fromCi)(
    'of a turn that changed a file before and after another writer restores the content of that writer',
    async () => {
      await using set = await stage(turns('echo one > a.txt', 'echo three >> a.txt'), { files, config, trees: 'kept' })
      await run(set, 'Change the file.')
      await set.place.workspace.write('a.txt', 'theirs\n')
      await run(set, 'Change it again.')
      const { files: rewound } = await set.agent.rewind({ toTurn: 2, files: true })
      expect(rewound).toMatchObject([{ outcome: 'restored', reason: expect.stringContaining('goes back no further') }])
      expect(await set.place.workspace.read('a.txt')).toBe('theirs\n')
    },
  )

  test.runIf(fromCi)(
    'works after another process has taken up the session, and a folder can become a file and a file a folder',
    async () => {
      const command = 'rm -r src && echo file > src && rm a.txt && mkdir a.txt && echo x > a.txt/x'
      await using set = await stage(turns(command), { files, config, trees: 'kept' })
      await run(set, 'Turn things round.')
      const { id } = set.agent.session
      await set.agent.close()
      const next = set.place.again()
      await next.resumeSession(id)
      await next.rewind({ toTurn: 1, files: true })
      expect(await set.place.workspace.files()).toEqual(files)
    },
  )

  test.runIf(fromCi)('of a question has nothing to do with files, also of those that were changed before', async () => {
    await using set = await stage([...turns('echo turn > a.txt'), line('It says turn.')], {
      files,
      config,
      trees: 'kept',
    })
    await run(set, 'Change the file.')
    await run(set, 'What does a.txt say?')
    expect(await set.agent.rewind({ toTurn: 1, files: true })).toMatchObject({ files: [], unseen: [] })
    expect(await set.place.workspace.read('a.txt')).toBe('turn\n')
  })

  test.runIf(fromCi)(
    'puts back a repository in the project as little as it takes one away, and leaves that of the user alone',
    async () => {
      await using set = await stage(turns('git init -q nested && echo n > nested/n.txt && echo turn > a.txt'), {
        files,
        config,
        trees: 'kept',
      })
      await run(set, 'Make a repository.')
      const { files: rewound } = await set.agent.rewind({ toTurn: 1, files: true })
      expect(rewound).toMatchObject([
        { outcome: 'restored' },
        { outcome: 'kept', reason: 'It is not in the tree (nested).' },
      ])
      expect(readFileSync(set.place.workspace.path('nested/n.txt'), 'utf8')).toBe('n\n')
      expect(await set.place.workspace.read('a.txt')).toBe('a\n')
    },
  )

  test('lists a turn whose files were not observed, and changes none of them', async () => {
    await using programs = await temporaryWorkspace()
    symlinkSync('/bin/bash', programs.path('bash'))
    const walls = { use: 'off', variables: { PATH: programs.root } } as const
    await using set = await stage(turns('echo turn > a.txt'), { files, config, walls, trees: 'kept' })
    await run(set, 'Change the file.')
    const { files: rewound, unseen } = await set.agent.rewind({ toTurn: 1, files: true })
    expect(rewound).toEqual([])
    expect(unseen).toMatchObject([{ why: expect.stringContaining('There is no git on this machine') }])
    expect(await set.place.workspace.read('a.txt')).toBe('turn\n')
  })
})

test.runIf(fromCi)('a file that is moved away and back since stays where it is', async () => {
  await using set = await stage(turns('echo turn > a.txt'), { files, config, trees: 'kept' })
  await run(set, 'Change the file.')
  const { workspace } = set.place
  renameSync(workspace.path('a.txt'), workspace.path('elsewhere.txt'))
  const { files: rewound } = await set.agent.rewind({ toTurn: 1, files: true })
  expect(rewound).toMatchObject([{ outcome: 'kept', reason: 'It was removed since.' }])
  expect(await workspace.read('elsewhere.txt')).toBe('turn\n')
})

test('undo reverts the changes of calls, one span each, and lists what others changed in between', async () => {
  const asked: unknown[] = []
  const trees = toldTrees({
    steps: [{ path: 'a.txt', action: 'write' }],
    without: async (spans) => {
      asked.push(spans.map(({ before, after }) => [before.id, after.id]))
      return { tree: { id: 'before', rest: 'none' }, torn: ['a.txt', 'src/b.txt'] }
    },
    restore: async ({ from, to, steps }) => {
      asked.push([from.id, to.id])
      return steps.map(({ path }) => ({ path, outcome: 'restored' }))
    },
  })
  await using set = await stage(turns('echo one > a.txt', 'echo two > a.txt'), { config, trees })
  await run(set, 'Change the file.')
  await run(set, 'Change it again.')
  const { id } = set.agent.session
  await set.agent.close()
  // It is all in the session, so that the next process knows it as well.
  const next = set.place.again()
  await next.resumeSession(id)
  const { files: rewound } = await next.rewind({ toTurn: 2, files: true })
  // The trees around what calls did in each turn; what came between the turns stays.
  const stretches = [
    ['1', '2'],
    ['4', '5'],
  ]
  expect(asked).toEqual([stretches, ['5', 'before']])
  const { root } = set.place.workspace
  const meanwhile = 'Another program changed it between the calls of these turns'
  expect(rewound).toEqual([
    {
      path: `${root}/a.txt`,
      outcome: 'restored',
      action: 'write',
      reason: `${meanwhile}, so it goes back no further than to that.`,
    },
    { path: `${root}/src/b.txt`, outcome: 'kept', reason: `${meanwhile}.` },
  ])
})

test('going back to what is no turn is refused, and nothing happens', async () => {
  await using set = await stage(turns('echo turn > a.txt'), { files, config })
  await run(set, 'Change it.')
  const before = set.agent.session.state?.seq
  const bad: unknown[] = [0, -0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, undefined, null, '']
  for (const toTurn of bad) {
    await expect(set.agent.rewind({ toTurn: toTurn as number, files: true })).rejects.toMatchObject({
      code: 'invalid_id',
      message: expect.stringMatching(/cannot go back to turn/),
    })
  }
  expect(set.agent.session.state?.seq).toBe(before)
  expect(await set.place.workspace.files()).toMatchObject({ 'a.txt': 'turn\n' })
})
