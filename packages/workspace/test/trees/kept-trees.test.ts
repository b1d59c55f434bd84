import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { everyNth, sample, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type LocalTrees, openWorkspace, programOnPath } from '../../src/index.ts'
import { plainGit } from '../plain-git.ts'
import { pictureOf } from './picture.ts'
import { taken, temporaryTrees } from './side.ts'

const git = programOnPath('git', { PATH: process.env['PATH'] ?? '' }, '/nowhere') ?? ''
const child = fileURLToPath(new URL('../children/take-tree.ts', import.meta.url))
const atStep = fileURLToPath(new URL('../children/kill-at-step.ts', import.meta.url))
const hour = 3_600_000

function project() {
  const at = temporaryTrees()
  mkdirSync(at.path('src'), { recursive: true })
  writeFileSync(at.path('a.txt'), 'a\n')
  writeFileSync(at.path('src/b.txt'), 'b\r\n')
  writeFileSync(at.path('run.sh'), 'echo\n', { mode: 0o755 })
  writeFileSync(at.path('.gitattributes'), '* text eol=lf ident filter=x\n')
  symlinkSync('a.txt', at.path('link'))
  return at
}

/** What lies in a folder, by path relative to it. */
const filesIn = (root: string) => new Map([...pictureOf(root)].map(([path, what]) => [path.slice(root.length), what]))

describe('a frozen checkout', () => {
  test('has the files of the tree byte for byte, also after another tree and after somebody wrote into it', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    const picture = filesIn(at.root)
    rmSync(at.path('src'), { recursive: true })
    writeFileSync(at.path('src'), 'a file now')
    renameSync(at.path('a.txt'), at.path('b.txt'))
    const after = await taken(trees)
    for (const round of [1, 2]) {
      await using checkout = await trees.checkOut(before.id)
      expect([round, filesIn(checkout.folder)]).toEqual([round, picture])
      const { atime, mtime } = statSync(join(checkout.folder, 'a.txt'))
      writeFileSync(join(checkout.folder, 'a.txt'), 'z\n')
      utimesSync(join(checkout.folder, 'a.txt'), atime, mtime)
      chmodSync(join(checkout.folder, 'run.sh'), 0o644)
      rmSync(join(checkout.folder, 'link'))
      mkdirSync(join(checkout.folder, 'made/.git'), { recursive: true })
      writeFileSync(join(checkout.folder, 'made/x'), 'x')
      await checkout[Symbol.asyncDispose]()
      await using other = await trees.checkOut(after.id)
      expect(filesIn(other.folder)).toEqual(filesIn(at.root))
    }
  })

  test('belongs to one holder at a time, and is used again', async () => {
    using at = project()
    const trees = at.open()
    const { id } = await taken(trees)
    await using one = await trees.checkOut(id)
    await using other = await at.open().checkOut(id)
    expect(one.folder).not.toBe(other.folder)
    await one[Symbol.asyncDispose]()
    await using third = await trees.checkOut(id)
    expect(readdirSync(join(at.folder, 'checkouts'))).toHaveLength(2)
    expect(filesIn(third.folder)).toEqual(filesIn(at.root))
  })

  test('of a process that was killed is taken over', async () => {
    using at = project()
    const trees = at.open()
    const { id } = await taken(trees)
    const gone = spawn(process.execPath, ['-e', ''])
    await once(gone, 'exit')
    const home = join(at.folder, 'checkouts')
    await using held = await trees.checkOut(id)
    const own = basename(dirname(held.folder))
    await held[Symbol.asyncDispose]()
    const place = join(home, own.replace(/^\d+/, `${gone.pid}`))
    renameSync(join(home, 'free-0'), place)
    mkdirSync(join(place, 'files', 'half'), { recursive: true })
    writeFileSync(join(place, 'index.lock'), '')
    await using checkout = await trees.checkOut(id)
    expect(filesIn(checkout.folder)).toEqual(filesIn(at.root))
    expect(readdirSync(join(at.folder, 'checkouts'))).toHaveLength(1)
  })

  test('shows any mix of trees', async () => {
    using at = project()
    const trees = at.open()
    const before = await taken(trees)
    writeFileSync(at.path('a.txt'), 'changed')
    rmSync(at.path('src'), { recursive: true })
    mkdirSync(at.path('link2'))
    writeFileSync(at.path('link2/new'), 'new')
    const after = await taken(trees)
    const mixed = await trees.mix(after.id, [{ tree: before.id, paths: ['src', 'link2'] }])
    expect(await trees.changes(after.id, mixed)).toEqual([
      { path: 'link2/new', change: 'deleted' },
      { path: 'src/b.txt', change: 'added' },
    ])
    expect(await trees.mix(before.id, [{ tree: after.id, paths: ['a.txt', 'src', 'link2'] }])).toBe(after.id)
    await using checkout = await trees.checkOut(mixed)
    expect(readFileSync(join(checkout.folder, 'a.txt'), 'utf8')).toBe('changed')
    expect(readFileSync(join(checkout.folder, 'src/b.txt'), 'utf8')).toBe('b\r\n')
  })
})

describe('an inventory', () => {
  function installed() {
    const at = project()
    plainGit(at.root, ['init', '-q'])
    writeFileSync(at.path('.gitignore'), 'node_modules\n.venv\n')
    for (const name of ['left', '@s/right']) {
      mkdirSync(at.path('node_modules', name), { recursive: true })
      writeFileSync(at.path('node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
      writeFileSync(at.path('node_modules', name, 'index.js'), 'module.exports = 1\n')
    }
    mkdirSync(at.path('.venv/lib/six-1.0.dist-info'), { recursive: true })
    writeFileSync(at.path('.venv/lib/six.py'), '1\n')
    return at
  }

  const inventory = async (trees: LocalTrees) => (await trees.takeInventory()) ?? ''

  test('tells a file that was edited from a package that was replaced', async () => {
    using at = installed()
    const trees = at.open()
    const before = await inventory(trees)
    const nothing = { packages: [], files: [], nested: [] }
    expect(await trees.inventoryChanges(before, await inventory(trees))).toEqual(nothing)
    writeFileSync(at.path('node_modules/left/index.js'), 'module.exports = 2\n')
    writeFileSync(at.path('node_modules/@s/right/package.json'), JSON.stringify({ name: '@s/right', version: '2.0.0' }))
    writeFileSync(at.path('node_modules/@s/right/index.js'), 'module.exports = 3\n')
    renameSync(at.path('.venv/lib/six-1.0.dist-info'), at.path('.venv/lib/six-2.0.dist-info'))
    writeFileSync(at.path('node_modules/.bin'), '')
    mkdirSync(at.path('node_modules/.cache'))
    writeFileSync(at.path('node_modules/.cache/x'), 'written by a runner')
    const changes = await at.open().inventoryChanges(before, await inventory(trees))
    expect(changes.files).toEqual([
      { path: 'node_modules/left/index.js', change: 'modified', package: 'left@1.0.0' },
      { path: 'node_modules/.bin', change: 'added' },
    ])
    expect(changes.packages).toEqual(
      expect.arrayContaining([
        { path: 'node_modules/@s/right', before: '@s/right@1.0.0', after: '@s/right@2.0.0' },
        { path: '.venv/lib/six-1.0.dist-info', before: 'six@1.0' },
        { path: '.venv/lib/six-2.0.dist-info', after: 'six@2.0' },
      ]),
    )
  })

  test('finds the same after everything was installed anew with the same content', async () => {
    using at = installed()
    const trees = at.open()
    const before = await inventory(trees)
    execFileSync('cp', ['-r', at.path('node_modules'), at.path('again')])
    rmSync(at.path('node_modules'), { recursive: true })
    renameSync(at.path('again'), at.path('node_modules'))
    const after = await inventory(trees)
    expect(await trees.inventoryChanges(before, after)).toEqual({ packages: [], files: [], nested: [] })
  })

  test('notices a commit and an edit in a repository within the workspace', async () => {
    using at = installed()
    mkdirSync(at.path('nested'))
    plainGit(at.path('nested'), ['init', '-q'])
    const trees = at.open()
    const states = [await inventory(trees)]
    writeFileSync(at.path('nested/x'), 'x')
    states.push(await inventory(trees))
    plainGit(at.path('nested'), ['add', '-A'])
    plainGit(at.path('nested'), ['commit', '-qm', 'X'])
    states.push(await inventory(trees))
    for (const [one = '', other = ''] of [states.slice(0, 2), states.slice(1)]) {
      expect((await trees.inventoryChanges(one, other)).nested).toEqual(['nested/'])
    }
  })

  test('notices each change of a file that no tree holds: one that git was told to take for unchanged, and a large one', async () => {
    using at = installed()
    mkdirSync(at.path('nested'))
    plainGit(at.path('nested'), ['init', '-q'])
    writeFileSync(at.path('nested/x'), 'x')
    writeFileSync(at.path('large'), 'before that')
    plainGit(at.path('nested'), ['add', '-A'])
    plainGit(at.path('nested'), ['commit', '-qm', 'X'])
    plainGit(at.path('nested'), ['update-index', '--assume-unchanged', 'x'])
    const trees = at.open({ limits: { largestFile: 10 } })
    const before = await inventory(trees)
    writeFileSync(at.path('nested/x'), 'y')
    writeFileSync(at.path('large'), 'after that!')
    expect(await trees.inventoryChanges(before, await inventory(trees))).toEqual({
      packages: [],
      files: [
        { path: 'large', change: 'modified' },
        { path: 'nested/x', change: 'modified' },
      ],
      nested: [],
    })
  })
})

test('an inventory starts no program that a repository within the workspace names', async () => {
  using at = project()
  const nested = at.path('nested')
  const within = at.path('nested/sub')
  for (const folder of [nested, within]) {
    mkdirSync(folder)
    plainGit(folder, ['init', '-q'])
    writeFileSync(join(folder, 'x'), 'x')
    writeFileSync(join(folder, '.gitattributes'), '* filter=evil diff=evil\n')
    plainGit(folder, ['add', '-A'])
    plainGit(folder, ['commit', '-qm', 'X'])
    for (const name of ['filter.evil.clean', 'filter.evil.process', 'diff.evil.textconv', 'core.fsmonitor']) {
      plainGit(folder, ['config', name, `touch ${at.base}/ran; cat`])
    }
    writeFileSync(join(folder, 'x'), 'y')
  }
  plainGit(nested, [
    '-c',
    'core.fsmonitor=false',
    '-c',
    'filter.evil.process=',
    '-c',
    'filter.evil.clean=cat',
    'add',
    'sub',
  ])
  rmSync(join(at.base, 'ran'), { force: true })
  const trees = at.open()
  await taken(trees)
  await trees.takeInventory()
  await trees.takeInventory()
  expect(existsSync(join(at.base, 'ran'))).toBe(false)
})

describe('pruning', () => {
  test('keeps what is named, with everything in it, and forgets the rest', async () => {
    using at = project()
    const trees = at.open()
    const kept = await taken(trees)
    const picture = filesIn(at.root)
    const content = (round: number) => Buffer.from(`${round}`.repeat(1000)).toString('base64')
    for (let round = 0; round < 3; round += 1) writeFileSync(at.path('a.txt'), content(round))
    const forgotten = await taken(trees)
    writeFileSync(at.path('a.txt'), 'last')
    const last = await taken(trees)
    await trees.prune([kept.id, kept.rest, '0'.repeat(40)], Date.now())
    expect(await trees.changes(forgotten.id, last.id)).toHaveLength(1)
    await trees.prune([kept.id, kept.rest, last.rest], Date.now() + 2 * hour)
    await expect(trees.changes(forgotten.id, last.id)).rejects.toMatchObject({ code: 'blob_missing' })
    expect((await taken(at.open())).id).toBe(last.id)
    expect(await trees.size()).toBeGreaterThan(0)
    await trees.restore(await trees.planRestore(last, kept))
    expect(filesIn(at.root)).toEqual(picture)
  })
})

test('a workspace has trees when it is told where to keep them', async () => {
  using at = project()
  expect(openWorkspace({ root: at.root }).trees).toBe(undefined)
  const { trees } = openWorkspace({ root: at.root, treesFolder: at.folder, git })
  expect(await trees?.take()).toEqual({ kind: 'taken', tree: await taken(at.open()) })
})

describe('several at once', () => {
  test('take the same tree of one project in processes that know nothing of each other', async () => {
    using at = project()
    const run = promisify(execFile)
    const args = ['--conditions=@loader/source', child, at.root, at.folder, git]
    const answers = await Promise.all(
      Array.from({ length: times({ quick: 2, ci: 4 }) }).map(() => run(process.execPath, args, { encoding: 'utf8' })),
    )
    const tree = await taken(at.open())
    expect(answers.map(({ stdout }) => JSON.parse(stdout))).toEqual(answers.map(() => ({ kind: 'taken', tree })))
  }, 120_000)

  test('of one process come one after the other', async () => {
    using at = project()
    const [one, other] = [at.open(), at.open()]
    const trees = await Promise.all([one, other, one, other].map((each) => taken(each)))
    expect(new Set(trees.map(({ id }) => id)).size).toBe(1)
  })
})

describe('a kill', () => {
  /** A git that kills the process that takes the tree, before or after its nth command. */
  function killing(base: string, nth: number, when: 'before' | 'after'): string {
    const path = join(base, `git-${nth}-${when}`)
    const count = join(base, `count-${nth}-${when}`)
    const [first, then] = when === 'before' ? ['kill -9 $TAKER', ''] : ['', 'kill -9 $TAKER']
    const body = `echo x >> ${count}\nif [ $(wc -l < ${count}) -eq ${nth} ]; then ${first || ':'}; ${git} "$@"; ${then || ':'}; else exec ${git} "$@"; fi`
    writeFileSync(path, `#!/bin/sh\n${body}\n`)
    chmodSync(path, 0o755)
    return path
  }

  test('at any command of git leaves a repository that takes the right tree', async () => {
    using at = project()
    for (let file = 0; file < 100; file += 1) writeFileSync(at.path(`src/${file}`), `${file}`)
    using calm = temporaryTrees({ root: at.root })
    const { id } = await taken(calm.open())
    let killed = 0
    for (const nth of sample([1, 2, 3], { quick: 1 })) {
      for (const when of sample(['before', 'after'] as const, { quick: 1 })) {
        const folder = join(at.base, `side-${nth}-${when}`)
        const args = ['--conditions=@loader/source', child, at.root, folder, killing(at.base, nth, when)]
        const [, signal] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit')
        if (signal === 'SIGKILL') killed += 1
        // The last command of the one that was killed may still write; whoever opens after that sweeps.
        const leftAfterTree = async () => {
          using trees = at.open({ folder })
          expect([nth, when, (await taken(trees)).id]).toEqual([nth, when, id])
          return readdirSync(folder).filter((name) => name.startsWith('index.')).length
        }
        await expect.poll(leftAfterTree, { timeout: 60_000 }).toBe(1)
        expect(existsSync(join(folder, 'index'))).toBe(true)
      }
    }
    expect(killed).toBe(times({ quick: 1, ci: 6 }))
  }, 240_000)

  test('at any change of the disk leaves a repository that takes the right tree, and nothing else', async () => {
    using at = project()
    const start = join(at.base, 'start')
    const first = at.open({ folder: start })
    const before = await taken(first)
    first[Symbol.dispose]()
    await expect.poll(() => readdirSync(start).filter((name) => name.startsWith('index.'))).toEqual([])
    writeFileSync(at.path('a.txt'), 'changed\n')
    mkdirSync(at.path('new/deep'), { recursive: true })
    writeFileSync(at.path('new/deep/x'), 'x\n')
    rmSync(at.path('src/b.txt'))
    using calm = temporaryTrees({ root: at.root })
    const after = await taken(calm.open())
    const steps = join(at.base, 'steps')
    const stride = everyNth({ quick: 12, ci: 3, long: 1 })
    let killed = 0
    for (let step = 1; ; step += stride) {
      const folder = join(at.base, `side-${step}`)
      cpSync(start, folder, { recursive: true, preserveTimestamps: true })
      const variables = {
        COUNT: 'all',
        STEPS: steps,
        KILL_AT: `${step}`,
        KILL_WHEN: step % 2 === 0 ? 'before' : 'after',
      }
      const args = ['--conditions=@loader/source', '--import', atStep, child, at.root, folder, git]
      const running = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...variables } })
      const [, signal] = await once(running, 'exit')
      // Git that was started by the one that was killed may still write.
      const next = async () => {
        using trees = at.open({ folder })
        const tree = await taken(trees)
        await trees.planRestore(tree, before)
        const left = readdirSync(folder).filter((name) => name.startsWith('index.'))
        return { tree, left: left.length, faults: plainGit(folder, ['fsck', '--full', '--strict']) }
      }
      await expect
        .poll(next, { timeout: 60_000 })
        .toEqual({ tree: after, left: 1, faults: expect.not.stringMatching(/missing|corrupt/) })
      if (signal !== 'SIGKILL') break
      killed += 1
    }
    expect(killed).toBeGreaterThan(times({ quick: 1, ci: 8, long: 25 }))
  }, 600_000)
})

describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('a full disk', () => {
  test('is the reason why there is no tree, and the one of before is still right', async () => {
    using at = project()
    mkdirSync(at.folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', at.folder])
    try {
      const trees = at.open()
      const before = await taken(trees)
      writeFileSync(at.path('large'), randomBytes(2_000_000))
      expect(await trees.take()).toMatchObject({
        kind: 'refused',
        why: expect.stringMatching(/no space left|out of diskspace/i),
      })
      writeFileSync(join(at.folder, 'filler'), '')
      expect(() => writeFileSync(join(at.folder, 'filler'), Buffer.alloc(1_000_000))).toThrow(/ENOSPC/)
      writeFileSync(at.path('large'), 'small')
      expect(await trees.take()).toMatchObject({
        kind: 'refused',
        why: expect.stringMatching(/no space left|out of diskspace/i),
      })
      rmSync(join(at.folder, 'filler'))
      await trees.restore(await trees.planRestore(await taken(trees), before))
      expect((await taken(at.open())).id).toBe(before.id)
    } finally {
      execFileSync('umount', [at.folder])
    }
  }, 120_000)
})
