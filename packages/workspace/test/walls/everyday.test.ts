import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fromCi, sample } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identities } from './identities.ts'
import { Walled } from './walled-run.ts'
import { World } from './world.ts'

describe.each(sample(identities, { quick: 1 }))('everyday work of $name', ({ runs, owns, skip }) => {
  let walled: Walled
  beforeAll(() => {
    walled = new Walled(runs)
  })
  afterAll(() => walled[Symbol.asyncDispose]())
  const options = { timeout: 120_000, skip: skip !== undefined }
  /** For what takes several worlds, and is met in one of them by other tests. */
  const fromCiOn = { ...options, skip: options.skip || !fromCi }

  const work = async (world: World, command: string, reach: 'look' | 'work' | 'network' = 'work', more = {}) =>
    await walled.run({ place: { ...world.place, ...more }, reach, command: world.fill(command) })

  const succeeds = async (world: World, command: string, more = {}) => {
    const run = await work(world, command, 'work', more)
    expect({ output: run.output, exitCode: run.exitCode, setAside: run.setAside }).toMatchObject({
      exitCode: 0,
      setAside: [],
    })
    return run
  }

  const everyday: readonly (readonly [string, string])[] = [
    [
      'commits',
      'echo b > src/b && echo nested > .git/info/exclude && git add -A && ! git ls-files | grep sock && git commit -qm two && git log --oneline | grep two',
    ],
    ['stashes', 'echo b >> src/a.txt && git stash -q && git stash pop -q && grep b src/a.txt'],
    [
      'makes a branch and goes back',
      'git checkout -q -b other && git commit -q --allow-empty -m x && git checkout -q main',
    ],
    [
      'rebases',
      'git checkout -q -b b && git commit -q --allow-empty -m b && git checkout -q main && echo c > c && git add c && git commit -qm c && git checkout -q b && git rebase -q main && git log --oneline | grep " c"',
    ],
    [
      'tags, resets, cleans',
      'git tag v1 && git reset -q --hard HEAD && touch junk && git clean -fdq -e dev.sock -e dev.pipe -e .loader -e nested && ! test -e junk',
    ],
    ['begins a repository', 'mkdir new && cd new && git init -q && touch f && git add f && git commit -qm first'],
    ['works in a nested repository', 'cd nested/deep && git add file && git commit -qm nested'],
    ['adds a work tree', 'git worktree add -q wt && cd wt && git commit -q --allow-empty -m w'],
    [
      'runs make, npm, python, perl and node',
      `make && npm run -s hello && python3 -c 'print(1)' && perl -e 'print 2' && node -e 'require("./node_modules/dep")'`,
    ],
    ['uses a tool of the home folder', 'greet | grep "hello from tool"'],
    ['has its git configuration', 'test "$(git config alias.st)" = status'],
    ['writes to /tmp', 'echo x > /tmp/x && f=$(mktemp) && test -w "$f" && d=$(mktemp -d) && rmdir "$d"'],
    [
      'finds and deletes',
      'mkdir -p o && touch o/1 o/2 && find o -name 1 -delete && find o -type f -exec rm {} + && rmdir o',
    ],
    [
      'talks to itself over the network',
      `node -e 'const s=require("http").createServer((q,r)=>r.end("ok")).listen(0,async()=>{console.log(await (await fetch("http://127.0.0.1:"+s.address().port)).text());s.close()})' | grep ok`,
    ],
    [
      'makes pipes and sockets',
      `mkfifo p && (echo x > p &) && cat p && python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('s')" && rm s p`,
    ],
    ['starts processes in the background', 'sleep 0.05 & wait && echo done'],
    [
      'locks files and uses shared memory',
      `python3 -c "
import fcntl, multiprocessing
f=open('lock','w'); fcntl.flock(f,fcntl.LOCK_EX)
with multiprocessing.Pool(2) as p: print(p.map(abs,[-1,2]))"`,
    ],
  ]

  test.each(sample(everyday, { quick: 2, ci: 9 }))('%s', options, async (_, command) => {
    await using world = await World.make(owns)
    expect((await succeeds(world, command)).setAside).toEqual([])
  })

  test('keeps /tmp and caches from one command to the next, and leaves nothing on the machine', options, async () => {
    await using world = await World.make(owns)
    const before = world.everything()
    await succeeds(
      world,
      'echo 1 > /tmp/kept; echo 2 > ~/.npm/_cacache/new; test "$(cat ~/.npm/_cacache/entry)" = cached',
    )
    await succeeds(world, 'cat /tmp/kept ~/.npm/_cacache/new')
    expect(world.everything()).toEqual(before)
  })

  test('changes packages for the session, until they are installed anew', options, async () => {
    await using world = await World.make(owns)
    const run = await succeeds(world, 'echo changed > node_modules/dep/index.js')
    expect(run.layered).toEqual([join(world.root, 'node_modules')])
    const again = await succeeds(world, 'cat node_modules/dep/index.js')
    expect([again.output, again.layered]).toEqual(['changed\n', []])
    expect((await work(world, 'cat node_modules/dep/index.js', 'look')).output).toBe('changed\n')
    expect((await work(world, 'cat node_modules/dep/index.js', 'network')).output).toBe('module.exports = 1\n')
    const installed = await work(world, 'mkdir node_modules/more && echo new > node_modules/dep/index.js', 'network')
    expect(installed.exitCode).toBe(0)
    expect(readFileSync(join(world.root, 'node_modules/dep/index.js'), 'utf8')).toBe('new\n')
    expect((await succeeds(world, 'cat node_modules/dep/index.js')).output).toBe('new\n')
  })

  test('in a work tree, a submodule and a package of a monorepo commits', fromCiOn, async () => {
    await using world = await World.make(owns)
    const { root, home } = world
    const asOwner = (command: string) =>
      execFileSync('sh', ['-c', command], {
        cwd: root,
        env: world.variables,
        ...(owns === 0 ? {} : { uid: owns, gid: owns }),
      })
    asOwner('git worktree add -q ../tree && mkdir -p packages/p && touch packages/p/f && echo 1 > .env')
    asOwner(
      `git init -q ../lib && cd ../lib && git commit -q --allow-empty -m l && cd ../project && git -c protocol.file.allow=always submodule --quiet add ../lib sub`,
    )
    for (const place of [join(home, 'tree'), join(root, 'sub'), join(root, 'packages/p')]) {
      const session = join(world.place.session, place.replaceAll('/', '-'))
      const run = await succeeds(world, 'echo x > new && git add new && git commit -qm from-inside', {
        root: place,
        session,
      })
      expect(run.output).toBe('')
      const evil = await work(
        world,
        'git config core.fsmonitor x; echo x >> $(git rev-parse --git-common-dir)/config; echo "gitdir: x" > .git; cat ../../.env',
        'work',
        { root: place, session },
      )
      expect(evil.output).toMatch(/Read-only|busy|could not lock/)
    }
    expect(readFileSync(join(root, '.git/config'), 'utf8')).not.toContain('fsmonitor')
    expect(world.git(root, 'log', '--all', '--oneline').match(/from-inside/g)).toHaveLength(2)
  })

  test('a workspace may have spaces, commas and line ends in its name', fromCiOn, async () => {
    for (const name of ['a b', 'a,b', "it's", 'a\nb', 'ü:"x"\\']) {
      await using world = await World.make(owns, name)
      const run = await work(
        world,
        'cat src/a.txt && git commit -q --allow-empty -m x && echo y > node_modules/new; echo x > .npmrc',
      )
      expect(run.output).toMatch(/^a\n/)
      expect(existsSync(join(world.root, 'node_modules/new'))).toBe(false)
      expect(readFileSync(join(world.root, '.npmrc'), 'utf8')).toBe('fund=false\n')
    }
  })

  test('names what it made at guarded paths, and keeps it', options, async () => {
    await using world = await World.make(owns)
    const { setAside } = await work(world, 'mkdir .idea && echo x > .idea/w; mkfifo .envrc; rm .husky')
    expect(setAside.map(({ path }) => path).sort()).toEqual([join(world.root, '.envrc'), join(world.root, '.idea')])
    const idea = setAside.find(({ path }) => path.endsWith('.idea'))
    expect(readdirSync(idea?.became === 'kept' ? idea.keptAt : '')).toEqual(['w'])
    expect(lstatSync(join(world.root, '.husky')).isSymbolicLink()).toBe(true)
  })

  test('may change a guarded path that the user took from the list, and no path that was added', options, async () => {
    await using world = await World.make(owns)
    const settings = { guard: ['src'], unguard: ['.vscode', '.loader'] }
    await work(world, 'echo 1 > .vscode/new; echo 1 > src/new; echo 1 > .loader/new', 'work', { settings })
    expect(['.vscode/new', 'src/new', '.loader/new'].map((path) => existsSync(join(world.root, path)))).toEqual([
      true,
      false,
      false,
    ])
  })

  test('reads and writes what the settings let in', options, async () => {
    await using world = await World.make(owns)
    const settings = { readable: ['~/notes.txt'], writable: [join(world.outside, 'open')] }
    const run = await succeeds(world, 'cat ~/notes.txt && echo w > {OUT}/written && ! echo x > ~/notes.txt', {
      settings,
    })
    expect(run.output).toContain('[secret:known]')
    expect(run.secretsReplaced).toBeGreaterThan(0)
    expect(readFileSync(join(world.outside, 'open/written'), 'utf8')).toBe('w\n')
  })

  test('does not write into what the settings let in while it looks', options, async () => {
    await using world = await World.make(owns)
    const settings = { writable: [join(world.outside, 'open')] }
    const run = await work(world, 'echo w > {OUT}/written; echo w > seen.txt; ls {OUT}', 'look', { settings })
    expect(run.output).toMatch(/[Rr]ead-only/)
    expect(existsSync(join(world.outside, 'open/written'))).toBe(false)
  })

  test(
    'uses a tool that was installed for its user alone, and not what is private in one for all',
    options,
    async () => {
      await using world = await World.make(owns)
      world.write(join(world.home, '.tool/state'), 'private\n', 0o600)
      if (owns !== 0) chownSync(join(world.home, '.tool/state'), owns, owns)
      expect((await work(world, 'greet; cat ~/.tool/state')).output).toBe('hello from tool\n')
      for (const path of ['', 'bin', 'bin/greet', 'lib']) chmodSync(join(world.home, '.tool', path), 0o700)
      chmodSync(join(world.home, '.tool/lib/name'), 0o600)
      const session = `${world.place.session}-2`
      const run = await work(world, 'greet; cat ~/.tool/credentials.toml', 'work', { session })
      expect([run.output, run.secretsReplaced]).toEqual(['hello from tool\n', 0])
    },
  )

  test('goes on when what is hidden from it has gone', options, async () => {
    await using world = await World.make(owns)
    await succeeds(world, 'true')
    rmSync(join(world.home, '.tool/credentials.toml'))
    expect((await succeeds(world, 'greet')).output).toBe('hello from tool\n')
  })

  test('does not see what a variable names that it does not get', options, async () => {
    await using world = await World.make(owns)
    const named = join(world.outside, 'open/cluster')
    world.write(named, 'named\n')
    if (owns !== 0) chownSync(named, owns, owns)
    const variables = { ...world.variables, KUBECONFIG: named }
    expect((await work(world, 'cat {OUT}/cluster', 'work', { variables })).output).toBe('')
    const passVariables = ['KUBECONFIG']
    expect((await work(world, 'cat {OUT}/cluster', 'work', { variables, passVariables })).output).toBe('named\n')
    const settings = { readable: [named] }
    expect((await work(world, 'cat {OUT}/cluster', 'work', { variables, settings })).output).toBe('named\n')
  })

  test('is lent an agent and no key', options, async () => {
    await using world = await World.make(owns)
    const variables = { ...world.variables, SSH_AUTH_SOCK: join(world.home, '.agent.sock') }
    const lent = { settings: { lend: ['ssh-agent'] as const }, variables }
    const run = await work(
      world,
      `node -e "require('net').connect(process.env.SSH_AUTH_SOCK).pipe(process.stdout)"; cat ~/.ssh/id_ed25519`,
      'network',
      lent,
    )
    expect(run.output).toContain('heard')
    expect(run.output).not.toContain(world.secret)
    expect((await work(world, 'echo "[$SSH_AUTH_SOCK]"', 'work', lent)).output).toBe('[]\n')
  })

  test('with the network reaches this machine', options, async () => {
    await using world = await World.make(owns)
    expect((await work(world, 'exec 3<>/dev/tcp/127.0.0.1/{PORT} && cat <&3', 'network')).output).toBe('heard\n')
  })

  test('can gain no rights', options, async () => {
    await using world = await World.make(owns)
    const { output } = await work(
      world,
      'grep -E "^(CapEff|CapPrm|CapBnd|NoNewPrivs)" /proc/self/status; for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/bus/pci/*/* /sys/kernel/uevent_helper; do test -w $f && echo "can write $f"; done; mknod d b 8 0; mount -t tmpfs t /mnt && echo mounted; unshare -Urm sh -c "mount -o remount,rw,bind / && touch /x" && echo remounted; cat /etc/shadow',
    )
    expect(
      output
        .split('\n')
        .slice(0, 4)
        .map((line) => line.split('\t')[1]),
    ).toEqual(['0000000000000000', '0000000000000000', '0000000000000000', '1'])
    expect(output).not.toMatch(/can write|^mounted|remounted|root:/m)
  })

  test('that looks changes nothing', options, async () => {
    await using world = await World.make(owns)
    symlinkSync('src', join(world.root, 'link'))
    writeFileSync(join(world.root, 'loose'), '')
    const before = world.everything()
    const run = await work(
      world,
      'git log --oneline && cat link/a.txt && touch x; rm loose; git commit --allow-empty -m x; echo x > node_modules/x',
      'look',
    )
    expect(run.output).toContain('Read-only file system')
    expect(world.everything()).toEqual(before)
  })

  test('leaves nothing in the way when the session is forgotten', options, async () => {
    await using world = await World.make(owns)
    await work(world, 'echo 1 > /tmp/kept; echo 2 > node_modules/new; mkdir .idea')
    const kept = [world.place.session, world.keptForOwner(world.place.session)].filter((path) => existsSync(path))
    expect(kept).toHaveLength(runs === owns ? 1 : 2)
    // By another process, which made none of it.
    await using another = new Walled(runs)
    await another.forget(world.place)
    expect(kept.filter((path) => existsSync(path))).toEqual([])
    await walled.forget(world.place)
    expect((await succeeds(world, 'ls /tmp node_modules')).output).not.toMatch(/kept|new/)
  })
})
