import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromCi, sample } from '@loader/test-tier'
import {
  type KeptIgnored,
  LocalTrees,
  openRooms,
  programOnPath,
  type RoomCommand,
  type RoomOf,
  type WallsAround,
  wallsAround,
} from '@loader/workspace'
import { readReport } from '../../src/runners/read-reports.ts'
import { noWalls } from '../walls/here.ts'
import { type Repository, RoomWorld } from './room-world.ts'

describe.skipIf(noWalls !== undefined)('a room', () => {
  const places = [
    { place: 'without git', git: 'none' },
    { place: 'in a subfolder of a repository', git: 'above' },
    { place: 'in a linked work tree', git: 'linked' },
  ] as const
  test.each(sample(places, { quick: 1 }))(
    'of a workspace $place has its files, and changes nothing of it',
    async ({ git }) => {
      await using at = opened({}, 'project', git)
      const { world } = at
      const before = world.picture()
      const room = { tree: await at.take(), ignored: { kind: 'now' } } as const
      const command = `cat src/a.txt .env dist/built.txt node_modules/dep/index.js
git -c safe.directory='*' ls-files src | head -1; for each in .git ../.git; do echo x >> $each/config || echo x >> $each; done 2>/dev/null; echo x > src/a.txt; true`
      const files = 'a\nSETTING=1\nbuilt\nmodule.exports = 1\n'
      const output = await at.output(room, { command: `{ ${command}; } 2>/dev/null` })
      expect(output).toBe(git === 'none' ? files : `${files}src/a.txt\n`)
      expect(world.picture()).toEqual(before)
    },
  )

  // Where it usually lies, it is looked for below.
  test.runIf(fromCi)('sees nothing of what is kept of the project, wherever that lies', async () => {
    const kept = fileURLToPath(new URL('../../.turbo/', import.meta.url))
    mkdirSync(kept, { recursive: true })
    const away = mkdtempSync(`${kept}state-`)
    onTestFinished(() => rmSync(away, { recursive: true, force: true }))
    await using at = opened({}, 'project', 'own', away)
    const command = `find ${away} -type f -o -type d | grep -v -E '/(kit|reports)(/|$)' | sort; touch ${away}/x && ls ${away}`
    const first = await at.output({ tree: await at.take() }, { command })
    expect(first).not.toMatch(/files\.git|checkouts|below|layers|index/)
    expect(readdirSync(away)).not.toContain('x')
  })

  test('tells which files of its tree the command has changed, and of no others', async () => {
    await using at = opened()
    const tree = await at.take()
    const room = { tree, ignored: { kind: 'now' }, over: new Map([['src/over.txt', 'over\n']]) } as const
    const quiet = await at.run(room, { command: 'cat src/a.txt; touch src/a.txt; echo 1 > new.txt; echo 1 >> .env' })
    expect(quiet.rewritten).toEqual([])
    const command = 'touch -r src/a.txt t; echo b > src/a.txt; touch -r t src/a.txt; rm run.sh; echo 1 > src/over.txt'
    const loud = await at.run(room, { command })
    expect(loud.rewritten).toEqual(['run.sh', 'src/a.txt', 'src/over.txt'])
  })

  test('has texts that lie over its tree, and lacks what they take away', async () => {
    await using at = opened()
    const tree = await at.take()
    const over = new Map([
      ['src/b.txt', null],
      ['packages', null],
      ['run.sh', '#!/bin/sh\necho other\n'],
      ['src/a.txt/inside', 'a folder now\n'],
      ['link', 'no link now\n'],
      ['dist/built.txt', 'over what is ignored\n'],
      ['dist/deep', null],
      ['node_modules/dep/index.js', 'over a package\n'],
      ['new/deep/file', 'new\n'],
    ])
    const command = `find . -path ./.git -prune -o -type f -print | sort | xargs tail -n +1; ./run.sh`
    expect(await at.output({ tree, over, ignored: { kind: 'now' } }, { command })).toBe(`==> ./.env <==
SETTING=1

==> ./.gitignore <==
node_modules
.env
dist
out
__pycache__

==> ./Makefile <==
out: src/a.txt
	@cat src/a.txt > out
	@echo made

==> ./dist/built.txt <==
over what is ignored

==> ./link <==
no link now

==> ./new/deep/file <==
new

==> ./node_modules/dep/index.js <==
over a package

==> ./node_modules/dep/linked.js <==
stored

==> ./run.sh <==
#!/bin/sh
echo other

==> ./src/a.txt/inside <==
a folder now
other
`)
  })

  test('refuses texts at paths that lead elsewhere', async () => {
    await using at = opened()
    const tree = await at.take()
    for (const path of ['../outside', '/etc/passwd', 'src/../../x', '', 'src//a', './a']) {
      const over = new Map([[path, 'x']])
      await expect(at.run({ tree, over }, { command: 'true' })).rejects.toThrow('cannot lie in a room')
    }
  })

  test('says when it has no folder to run the command in, and has one that only its tree has', async () => {
    await using at = opened()
    const tree = await at.take()
    const none = await at.run({ tree }, { command: 'pwd', cwd: 'nowhere' })
    expect([none.how.kind, none.ending]).toEqual([
      'none',
      { how: 'not_started', why: expect.stringContaining('nowhere') },
    ])
    rmSync(at.world.path('packages'), { recursive: true })
    expect(await at.output({ tree }, { command: 'pwd; cat main.js', cwd: 'packages/p' })).toBe(
      `${at.world.path('packages/p')}\np\n`,
    )
  })

  test('lets make build anew what was made of other files, and only that', async () => {
    await using at = opened()
    at.world.write('out', 'made of older files\n')
    const kept = await at.keep()
    const tree = await at.take()
    const twice = 'make; cat out; make'
    for (const ignored of [{ kind: 'kept', id: kept.id }, { kind: 'now' }, { kind: 'none' }] as const) {
      expect(await at.output({ tree, ignored }, { command: twice })).toBe("made\na\nmake: 'out' is up to date.\n")
    }
  })

  test('has a repository of git whose only commit is the tree, with nothing of that of the user', async () => {
    await using at = opened()
    const { world } = at
    world.write('.gitattributes', '*.txt text eol=crlf\n*.bin filter=strange\n')
    world.write('src/crlf.txt', 'one\r\ntwo\n')
    world.write('src/data.bin', 'data\n')
    world.git('config', 'filter.strange.clean', 'echo strange')
    const before = world.picture()
    const tree = await at.take()
    const script = `git rev-parse HEAD^{tree} && git log --format=%s && git diff --exit-code && git status --porcelain
git ls-files | wc -l; git check-ignore .env dist; echo more >> src/b.txt; git diff --exit-code | tail -1
git commit -qam two && git log --format=%s && git stash list && git gc -q && git config x.y z && git remote`
    const first = await at.run({ tree }, { command: script })
    const count = world.git('ls-files').split('\n').length + 2
    expect(first.output.text()).toBe(
      `${tree}\nThe files of this room.\n${count}\n.env\ndist\n+more\ntwo\nThe files of this room.\n`,
    )
    expect(world.picture()).toEqual(before)
    world.write('src/b.txt', 'b2\n')
    const other = await at.take()
    expect(
      await at.output(
        { tree: other },
        { command: 'git rev-parse HEAD^{tree}; git cat-file -e HEAD:src/a.txt; git fsck --full 2>&1' },
      ),
    ).toBe(`${other}\n`)
  })

  test('has what no tree can hold: large files to read, repositories within, empty folders', async () => {
    await using at = opened({ largestFile: 1000 })
    const { world } = at
    writeFileSync(world.path('large.bin'), 'large\n')
    truncateSync(world.path('large.bin'), 5000)
    mkdirSync(world.path('inner'))
    world.write('inner/file', 'inner\n')
    world.git('-C', 'inner', 'init', '-q')
    world.git('-C', 'inner', 'add', '.')
    world.git('-C', 'inner', 'commit', '-qm', 'inner')
    const before = world.picture()
    const command = `head -1 large.bin; cat inner/file; echo x >> inner/file; git -C inner log --format=%s; ls -d empty
echo x >> large.bin || echo read-only`
    const output = await at.output({ tree: await at.take() }, { command })
    expect(output).toMatch(/^large\ninner\ninner\nempty\n.*Read-only file system\nread-only\n$/)
    expect(world.picture()).toEqual(before)
  })

  test('has installed packages as they are, or with what a session changed for itself', async () => {
    await using at = opened()
    const tree = await at.take()
    const change = 'echo changed > node_modules/dep/index.js; rm node_modules/dep/linked.js; echo x > node_modules/new'
    await at.walls.run({ command: change, cwd: at.world.root, timeoutMs: 60_000, cap }, 'work', 'one')
    const command = 'cat node_modules/dep/index.js; ls node_modules node_modules/dep'
    const as = 'module.exports = 1\nnode_modules:\ndep\n\nnode_modules/dep:\nindex.js\nlinked.js\n'
    expect(await at.output({ tree }, { command })).toBe(as)
    const layered = { kind: 'layered', session: 'one' } as const
    expect(await at.output({ tree, packages: layered }, { command: `${command}; rm -rf node_modules/*` })).toBe(
      'changed\nnode_modules:\ndep\nnew\n\nnode_modules/dep:\nindex.js\n',
    )
    expect(await at.output({ tree, packages: layered }, { command: 'cat node_modules/new' })).toBe('x\n')
    expect(await at.output({ tree, packages: { kind: 'layered', session: 'other' } }, { command })).toBe(as)
  })

  test('has no network, and sees neither the home nor other rooms nor what is kept of the project', async () => {
    await using at = opened()
    writeFileSync(join(at.world.home, 'secret'), 'secret')
    const command = `ls -A ~ ${at.world.base}/state ${at.world.state} 2>&1; cat /proc/net/dev | wc -l; ls /tmp`
    const output = await at.output({ tree: await at.take() }, { command })
    expect(output).not.toContain('secret')
    expect(output).not.toMatch(/files\.git|checkouts|scratch/)
    expect(output).toContain('\n3\n')
  })

  test('tells what runners report by name of test', async () => {
    await using at = opened()
    at.world.write('test/a.test.mjs', "import test from 'node:test'\ntest('holds', () => {})\n")
    const { reports, output } = await at.run(
      { tree: await at.take() },
      { command: `"${process.execPath}" --test test/`, runners: {} },
    )
    const told = [...reports.values()].map((bytes) => readReport(Buffer.from(bytes).toString(), at.world.root))
    expect([output.text(), told[0]?.results]).toEqual([
      expect.any(String),
      [{ name: 'test/a.test.mjs › holds', file: 'test/a.test.mjs', outcome: 'green' }],
    ])
  })

  test.runIf(fromCi)('takes no link for a report', async () => {
    await using at = opened()
    const command = `ln -s /etc/passwd "$(dirname "$(echo "$LOADER_RUNNERS" | grep -o '"reports":"[^"]*' | cut -d'"' -f4)")/reports/x.jsonl"; true`
    const { reports } = await at.run({ tree: await at.take() }, { command, runners: {} })
    expect([...reports.keys()]).toEqual([])
  })

  test.runIf(fromCi)('lies at a path with any name', async () => {
    for (const name of ['a,b:c', 'a b', 'a\\b"c', "it's #1", 'täg\nline']) {
      await using at = opened({}, name)
      const { world } = at
      world.write('node_modules/dep/index.js', 'packages of it\n')
      mkdirSync(world.path('p,q:r/node_modules/x'), { recursive: true })
      writeFileSync(world.path('p,q:r/node_modules/x/y'), 'strange\n')
      const before = world.picture()
      const run = await at.run(
        { tree: await at.take() },
        {
          command:
            'pwd; cat src/a.txt node_modules/dep/index.js; cat p*r/node_modules/x/y; echo z > node_modules/dep/index.js; rm -rf p*r src 2>/dev/null',
        },
      )
      expect([run.how.kind, run.output.text()]).toEqual(['overlay', `${world.root}\na\npackages of it\nstrange\n`])
      expect(world.picture()).toEqual(before)
    }
  })
})

describe('ignored files', () => {
  test('are kept while they are small, and what is not is there as long as it looks the same', async () => {
    await using at = opened()
    const { world } = at
    world.write('dist/large', 'x'.repeat(17 * 1024 * 1024))
    const kept = await at.keep()
    expect(kept.without).toEqual(['dist'])
    const room = { tree: await at.take(), ignored: { kind: 'kept', id: kept.id } } as const
    world.write('.env', 'SETTING=2\n')
    const command = 'cat .env; ls dist'
    expect(await at.output(room, { command })).toBe('SETTING=1\nbuilt.txt\ndeep\nlarge\n')
    chmodSync(world.path('dist/deep/more.txt'), 0o600)
    expect(await at.output(room, { command: `${command} 2>&1` })).toMatch(/^SETTING=1\nls: .*dist/)
  })

  test('that differ are named, of what was not kept the folder', async () => {
    await using at = opened()
    const { world } = at
    const first = await at.keep()
    expect(await at.rooms.ignoredChanges(first.id, first.id)).toEqual([])
    world.write('.env', 'SETTING=2\n')
    rmSync(world.path('dist/built.txt'))
    symlinkSync('/etc/passwd', world.path('dist/link'))
    const second = await at.keep()
    expect(await at.rooms.ignoredChanges(first.id, second.id)).toEqual([
      { path: '.env', change: 'modified' },
      { path: 'dist/built.txt', change: 'deleted' },
      { path: 'dist/link', change: 'added' },
    ])
    world.write('dist/large', 'x'.repeat(17 * 1024 * 1024))
    const third = await at.keep()
    expect(await at.rooms.ignoredChanges(second.id, third.id)).toEqual([{ path: 'dist', change: 'modified' }])
    expect(await at.rooms.ignoredChanges(third.id, (await at.keep()).id)).toEqual([])
    expect(third.id).toBe((await at.keep()).id)
  })

  test('take over what differs between two others, and nothing else', async () => {
    await using at = opened()
    const { world, rooms } = at
    const first = await at.keep()
    world.write('dist/built.txt', 'by a call')
    const second = await at.keep()
    world.write('.env', 'SETTING=by the user')
    rmSync(world.path('dist/deep'), { recursive: true })
    const third = await at.keep()
    const moved = await rooms.moveIgnored(first.id, { from: second.id, to: third.id })
    expect(await rooms.ignoredChanges(first.id, moved)).toEqual([
      { path: '.env', change: 'modified' },
      { path: 'dist/deep/more.txt', change: 'deleted' },
    ])
    expect(await rooms.ignoredChanges(moved, third.id)).toEqual([{ path: 'dist/built.txt', change: 'modified' }])
    expect(await rooms.moveIgnored(second.id, { from: second.id, to: third.id })).toBe(third.id)
    world.write('dist/large', 'x'.repeat(17 * 1024 * 1024))
    const fourth = await at.keep()
    const grown = await rooms.moveIgnored(moved, { from: third.id, to: fourth.id })
    expect(await rooms.ignoredChanges(grown, fourth.id)).toEqual([])
    rmSync(world.path('dist/large'))
    const shrunk = await rooms.moveIgnored(grown, { from: fourth.id, to: (await at.keep()).id })
    expect(await rooms.ignoredChanges(shrunk, third.id)).toEqual([])
  })
})

const cap = { headBytes: 10_000, tailBytes: 10_000 }

function opened(
  limits: { readonly largestFile?: number } = {},
  name = 'project',
  repository: Repository = 'own',
  away?: string,
) {
  const world = new RoomWorld({ name, repository })
  const { root, variables } = world
  const state = away ?? world.state
  const git = programOnPath('git', variables, root)
  const trees = new LocalTrees({ root, folder: join(state, 'files.git'), git, variables, limits })
  const walls: WallsAround = wallsAround({ root, variables, scratch: join(state, 'scratch') })
  const rooms = openRooms({ root, trees, walls, stateFolder: state, variables })
  const run = async (
    room: Partial<RoomOf> & Pick<RoomOf, 'tree'>,
    command: Partial<RoomCommand> & Pick<RoomCommand, 'command'>,
  ) =>
    await rooms.run(
      { ignored: { kind: 'none' }, packages: { kind: 'installed' }, ...room },
      { timeoutMs: 60_000, reach: 'work', cap, ...command },
    )
  return {
    world,
    trees,
    walls,
    rooms,
    run,
    output: async (...args: Parameters<typeof run>) => (await run(...args)).output.text(),
    async take(): Promise<string> {
      const taken = await trees.take()
      if (taken.kind === 'refused') throw new Error(taken.why)
      return taken.tree.id
    },
    async keep(): Promise<KeptIgnored> {
      const kept = await rooms.keepIgnored()
      if (kept.kind === 'refused') throw new Error(kept.why)
      return kept
    },
    async [Symbol.asyncDispose]() {
      await rooms[Symbol.asyncDispose]()
      trees[Symbol.dispose]()
      const left = world.left()
      world[Symbol.dispose]()
      expect(left).toEqual([])
    },
  }
}
