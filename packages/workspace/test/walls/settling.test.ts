import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { SetAside } from '@loader/workspace'
import { sample } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identities } from './identities.ts'
import { Walled } from './walled-run.ts'
import { World } from './world.ts'

const memory = '/dev/shm'
const hasOtherFileSystem = existsSync(memory) && statSync(memory).dev !== statSync(import.meta.dirname).dev

/** What becomes of what a command left at guarded places. */
describe.each(sample(identities, { quick: 1 }))('after a command of $name', ({ runs, owns, skip }) => {
  let walled: Walled
  beforeAll(() => {
    walled = new Walled(runs)
  })
  afterAll(() => walled[Symbol.asyncDispose]())
  const options = { timeout: 120_000, skip: skip !== undefined }

  const run = async (world: World, command: string, session = world.place.session) =>
    (await walled.run({ place: { ...world.place, session }, reach: 'work', command: world.fill(command) })).setAside

  const became = (all: readonly SetAside[]) =>
    Object.fromEntries(all.map(({ path, became: how }) => [basename(path), how]))

  const left = `mkdir -p .idea/shut && echo x > .idea/shut/file && chmod 000 .idea/shut .idea; ln -s /nowhere .claude; mkfifo .envrc
    perl -e 'mkdir ".fleet"; chdir ".fleet"; for (1..30) { mkdir "d" x 200; chdir "d" x 200 }'
    git init -q sub && git -C sub config core.pager x && chmod 500 sub/.git`

  test.skipIf(!hasOtherFileSystem)('all of it is moved, to another file system as well', options, async () => {
    const session = mkdtempSync(join(memory, 'loader-'))
    if (owns !== 0) chownSync(session, runs, runs)
    for (const place of [undefined, session]) {
      await using world = await World.make(owns)
      const all = await run(world, left, place)
      expect(became(all)).toEqual({
        '.idea': 'kept',
        '.claude': 'kept',
        '.envrc': place === undefined ? 'kept' : 'dropped',
        '.fleet': 'kept',
        config: 'kept',
      })
      expect(readdirSync(world.root)).not.toEqual(expect.arrayContaining(['.fleet']))
      expect(statSync(join(world.root, 'sub/.git')).mode & 0o777).toBe(0o500)
      const claude = all.find(({ path }) => path.endsWith('.claude'))
      expect(readlinkSync(claude?.became === 'kept' ? claude.keptAt : '')).toBe('/nowhere')
    }
    rmSync(session, { recursive: true })
  })

  test('what cannot be moved is named, stands in the way of nothing else, and is moved later', options, async () => {
    await using world = await World.make(owns)
    await run(world, 'true')
    const into = join(world.place.session, 'set-aside')
    rmSync(into, { recursive: true })
    // Nothing can be moved into a link that leads nowhere.
    symlinkSync('/proc/none', into)
    const first = await run(world, 'mkdir .idea; touch .envrc; rm .husky')
    expect(became(first)).toEqual({ '.idea': 'stuck', '.envrc': 'stuck' })
    expect(readlinkSync(join(world.root, '.husky'))).toBe('hooks-real')
    rmSync(into)
    expect(became(await run(world, 'true'))).toEqual({ '.idea': 'kept', '.envrc': 'kept' })
    expect(existsSync(join(world.root, '.idea'))).toBe(false)
  })

  test('folders that a command has shut hide nothing, from this look or from the next guard', options, async () => {
    await using world = await World.make(owns)
    const before = world.snapshot()
    const shut = 'touch .envrc; chmod 000 .git .github nested; chmod 000 .'
    expect(became(await run(world, shut))).toEqual({ '.envrc': 'kept' })
    const evil = `cd {ROOT} || exit; chmod 700 . .git .github nested; for f in .git/config .github/workflows/ci.yml nested/deep/.git/config; do echo '[x]' >> $f; done`
    expect(await run(world, evil)).toEqual([])
    expect(world.snapshot()).toEqual(before)
  })

  test('a rebase of the user goes on, and is set aside when a command adds to what it runs', options, async () => {
    await using world = await World.make(owns)
    const asUser = (script: string) =>
      execFileSync('bash', ['-c', script], {
        cwd: world.root,
        env: { ...world.variables, GIT_SEQUENCE_EDITOR: 'sh todo' },
        ...(owns === 0 ? {} : { uid: owns, gid: owns }),
        stdio: 'ignore',
      })
    asUser(
      `for n in a b; do git commit -q --allow-empty -m $n; done; echo 'printf "break\\nexec true\\n" > "$1"' > todo; git rebase -i HEAD~1`,
    )
    const todo = join(world.root, '.git/rebase-merge/git-rebase-todo')
    expect(readFileSync(todo, 'utf8')).toContain('exec true')
    expect(await run(world, 'git status')).toEqual([])
    expect(became(await run(world, `echo 'exec {PWN}' >> .git/rebase-merge/git-rebase-todo`))).toEqual({
      'rebase-merge': 'kept',
    })
  })

  test('in a work tree, nothing is left in the repository that it belongs to', options, async () => {
    await using world = await World.make(owns)
    const tree = join(world.home, 'tree')
    execFileSync('git', ['worktree', 'add', '-q', tree], {
      cwd: world.root,
      env: world.variables,
      ...(owns === 0 ? {} : { uid: owns, gid: owns }),
    })
    const place = { ...world.place, root: tree, session: `${world.place.session}-tree` }
    const command = `cd {ROOT}/.git && mkdir -p modules/m/objects modules/m/refs rebase-merge worktrees/tree/rebase-merge; echo 'ref: refs/heads/main' > modules/m/HEAD; printf '[core]\n\tfsmonitor = "{PWN} ;"\n' > modules/m/config
      echo 'exec {PWN}' > rebase-merge/git-rebase-todo; echo 'exec {PWN}' > worktrees/tree/rebase-merge/git-rebase-todo; ln -s {HOME} worktrees/new; ln -s x commondir; echo x > config.worktree; echo x >> config
      cd worktrees/tree; echo x > config.worktree; echo x > commondir; echo x > gitdir; mkdir hooks; echo x > hooks/pre-commit`
    const { setAside, output } = await walled.run({ place, reach: 'work', command: world.fill(command) })
    expect(output).toMatch(/Read-only|busy/)
    const names = setAside.map(({ path }) => path.slice(join(world.root, '.git/').length)).sort()
    expect(names).toEqual([
      'commondir',
      'config.worktree',
      'modules/m/config',
      'rebase-merge',
      'worktrees/new',
      'worktrees/tree/config.worktree',
      'worktrees/tree/hooks',
      'worktrees/tree/rebase-merge',
    ])
    expect(world.git(world.root, 'log', '--oneline').trim()).toMatch(/one$/)
  })

  test('hooks are guarded where the user’s own settings look for them', options, async () => {
    await using world = await World.make(owns)
    writeFileSync(
      join(world.home, '.gitconfig'),
      `[core]
        hooksPath = .githooks
        pager = less -R
        editor = code --wait
      [filter "x"]
        clean = sh src/x
      [filter "lfs"]
        clean = git-lfs clean -- %f
        required = true
      [safe]
        directory = ${world.root}/build/dependency
      [init]
        defaultBranch = main
      [remote "origin"]
        uploadpack = ./tools/upload`,
    )
    writeFileSync(join(world.root, 'src/x'), 'cat\n')
    const all = await run(
      world,
      'mkdir .githooks; echo {PWN} > .githooks/pre-commit; echo evil > src/x; mv src s; mkdir src',
    )
    expect(became(all)).toEqual({ '.githooks': 'kept' })
    const everyday = 'mkdir -p build/dependency tools/upload; for f in clean less code main true; do echo x > $f; done'
    expect(await run(world, everyday)).toEqual([])
    expect(readFileSync(join(world.root, 'src/x'), 'utf8')).toBe('cat\n')
  })

  test('new repositories stay as git and people make them', options, async () => {
    await using world = await World.make(owns)
    const made = `git init -q new && cd new && git config user.name A && git config user.email a@b && git remote add origin https://example.com/x.git && git commit -q --allow-empty -m x && cd ..
      git clone -q . clone && git clone -q --bare . bare.git && git -C clone checkout -q -b b && git -C clone push -q -u origin b:c && git worktree add -q wt && git -C wt commit -q --allow-empty -m w
      git -C clone worktree add -q ../clone-tree && git -C clone-tree status`
    const { exitCode, setAside, output } = await walled.run({ place: world.place, reach: 'work', command: made })
    expect({ exitCode, setAside, output }).toMatchObject({ exitCode: 0, setAside: [] })
    const again =
      'git -C clone fetch -q && git -C new log --oneline && git -C bare.git log --oneline -1 && git -C wt status'
    expect(await run(world, again)).toEqual([])
    expect(world.git(join(world.root, 'new'), 'remote', '-v')).toContain('example.com')
  })

  test('with the network, repositories in packages are looked at', options, async () => {
    await using world = await World.make(owns)
    const inPackages = join(world.root, 'node_modules')
    const command = `git init -q node_modules/a && git init -q node_modules/dep/b && git -C node_modules/dep/b config core.fsmonitor "{PWN} ;"`
    const { setAside } = await walled.run({ place: world.place, reach: 'network', command: world.fill(command) })
    expect(setAside.map(({ path }) => path)).toEqual([join(inPackages, 'dep/b/.git/config')])
    const more = 'git -C node_modules/a config core.fsmonitor x; mv node_modules/dep node_modules/d; true'
    const next = await walled.run({ place: world.place, reach: 'network', command: more })
    expect([next.setAside, next.output]).toEqual([[], expect.stringMatching(/busy|Read-only|could not lock/)])
  })
})
