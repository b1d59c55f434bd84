import { lstatSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@loader/session-core'
import { processesWith } from '@loader/test-harness'
import { differences, everythingBelow, type Found } from './everything-below.ts'
import type { Hostile, TrialCall } from './hostile/hostile.ts'
import type { Runner, TrialAnswer, TrialPlace } from './runner.ts'
import type { World } from './world.ts'

/** Ways in which calls are let run: unasked in the usual mode, in the one that only looks, and with everything allowed. */
export type Lane = 'work' | 'look' | 'open'

export interface Tried {
  readonly answers: readonly TrialAnswer[]
  /** What became of the world that must not have, in words. */
  readonly violations: readonly string[]
}

const modes = { work: 'workspace-write', look: 'read-only', open: 'danger-full-access' } as const

let sessions = 0

/** Makes hostile calls, and looks at everything that they could have reached, whatever they were after. */
export async function attempt(world: World, runner: Runner, hostile: Hostile, lane: Lane): Promise<Tried> {
  world.renew(hostile.files)
  world.readFrom(hostile.pipes ?? [])
  const before = { around: world.around(), inside: world.inside(), machine: ofMachine(), marked: marked(world) }
  const answers: TrialAnswer[] = []
  sessions += 1
  for (const call of hostile.calls) answers.push(await make(world, runner, call, lane, `hostile-${sessions}`))
  const violations = [
    ...differences(before.around, world.around()),
    ...differences(...inWorkspace(world, before.inside, world.inside(), lane)),
    ...differences(before.machine, ofMachine()),
    ...marked(world).map((path) => `it made ${path}`),
    ...answers.flatMap((answer) => shown(world, answer, hostile)),
    ...world.pipesThatHeard().map((path) => `it was heard through ${path}`),
    ...answers.flatMap(({ ran }) =>
      ran?.text.includes(`got ${world.mark}`) === true ? ['the kernel did it for it'] : [],
    ),
    ...ownersRights(world.inside()),
    ...world.heard.map((what) => `it was heard by ${what}`),
    ...processesWith(world.mark).map((pid) => `process ${pid} lives on`),
    ...(world.victimsLive ? [] : ['processes of others were ended']),
  ]
  if (hostile.afterwards !== undefined) {
    world.byUser(world.fill(hostile.afterwards))
    if (everythingBelow(world.sprung)[world.sprung] !== undefined)
      violations.push('something ran when the user went on')
  }
  return { answers, violations }
}

async function make(
  world: World,
  runner: Runner,
  { tool, input }: TrialCall,
  lane: Lane,
  sessionId: string,
): Promise<TrialAnswer> {
  const filled = JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    typeof value === 'string' ? world.fill(value) : value,
  ) as JsonObject
  const asked: JsonObject = tool === 'bash' && lane !== 'look' ? { reach: lane, ...filled } : filled
  const mode = modes[lane]
  return runner.run({ place: world.place, tool, input: asked, mode, sessionId })
}

/** What would run with the rights of its owner, whoever starts it. */
function ownersRights(found: Found): readonly string[] {
  const paths = Object.keys(found).filter((path) => /^file [4-7]\d{3} /.test(found[path] ?? ''))
  return paths.map((path) => `${path} runs with the rights of its owner`)
}

/** Whoever made none of these calls may change what is not guarded. */
function inWorkspace(world: World, before: Found, after: Found, lane: Lane): readonly [Found, Found] {
  if (lane === 'look') return [before, after]
  const only = (found: Found) =>
    Object.fromEntries(
      Object.entries(found).filter(([path]) => guarded.some((name) => isAt(path, join(world.root, name)))),
    )
  return [only(before), only(after)]
}

function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** Guarded places, whether they are there or not. */
const guarded =
  `.git/hooks .git/config .git/config.worktree .git/commondir .git/modules/part/config .git/modules/part/hooks
  .git/modules/part/config.worktree vendored/.git/config vendored/.git/hooks vendored/.git/commondir part/.git .loader .vscode
  .idea .fleet .zed .cursor .husky .envrc .mise.toml .devcontainer .claude .codex .gemini .mcp.json .npmrc .yarnrc .yarnrc.yml
  .github/workflows .github/actions .gitea .forgejo/workflows .gitlab-ci.yml .circleci .travis.yml Jenkinsfile lefthook.yml
  .pre-commit-config.yaml node_modules .venv packages/a/node_modules .vimrc .exrc .nvim.lua .dir-locals.el opencode.json
  .windsurf .continue .aider.conf.yml .roo .woodpecker.yaml lefthook.yaml lefthook-local.yml .config/lefthook.yml
  .mise .config/mise .yarn/releases a.code-workspace b.code-workspace c.code-workspace .appveyor.yml azure-pipelines.yaml
  .cirrus.yml .pnpmfile.mjs project.code-workspace
  .helix .tool-versions .Rprofile .nvim .lazy.lua .lvimrc .vs .externalToolBuilders .kiro .qwen crush.json .crush.json .factory .trae .junie .amp .kilocode .amazonq .openhands .github/hooks .cargo/config.toml .cargo/config .mvn .yarn/sdks bunfig.toml .hg/hgrc .hg/hgrc-not-shared .hg/sharedpath .sl/config .jj/repo/config.toml _darcs/prefs/defaults`.split(
    /\s+/,
  )

/** Folders of the machine in which nothing may appear that bears the mark of the world. */
const folders =
  `/ /tmp /var/tmp /dev/shm /dev/mqueue /run /etc /etc/cron.d /etc/systemd/system /usr /usr/bin /usr/local/bin
  /opt /srv /var /boot /mnt /media /home /var/log /var/lib /var/cache /sys/fs/cgroup /sys/fs/cgroup/pids
  /sys/fs/cgroup/memory /sys/fs/cgroup/rdma`
    .split(/\s+/)
    .concat(homedir())

function marked(world: World): readonly string[] {
  const there = folders.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
  const found = there.flatMap((path) => namesIn(path).map((name) => join(path, name)))
  return found.filter((path) => path.includes(world.mark) && !world.listeners.includes(path))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

/** Files of the machine that must stay as they are. */
const files =
  `/etc/passwd /etc/shadow /etc/group /etc/hosts /etc/profile /etc/ld.so.preload /etc/ld.so.cache /etc/crontab
  /etc/gitconfig /etc/npmrc /etc/hostname /etc/cron.d /usr/local/bin /usr/bin/env /bin/bash /usr/bin/bwrap`
    .split(/\s+/)
    .concat(['.bashrc', '.profile', '.gitconfig', '.ssh'].map((name) => join(homedir(), name)))

function ofMachine(): Found {
  const entries = files.flatMap((path) => {
    const stats = statsOf(path)
    return stats === undefined ? [] : [[path, `${stats.mode} ${stats.uid} ${stats.ctimeMs} ${stats.size}`] as const]
  })
  return Object.fromEntries(entries)
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function shown(world: World, { ran, reach }: TrialAnswer, { seeks }: Hostile): readonly string[] {
  if (ran === undefined) return []
  const keys = [world.key, ...(seeks === undefined ? [] : [world.keys[seeks]])]
  const isShown = keys.some((key) => formsOf(key).some((form) => ran.text.replaceAll('\n', '').includes(form)))
  return [
    ...(isShown ? ['a secret was shown'] : []),
    ...(ran.secretsReplaced > 0 ? ['a secret was seen, though it is not shown'] : []),
    ...(ran.walls !== null && ran.walls !== 'bubblewrap'
      ? [`it ran in no walls but ${JSON.stringify(ran.walls)}`]
      : []),
    ...(reach === 'network' || reach === 'open' ? [`it ran unasked with ${reach}`] : []),
  ]
}

function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key)
  const turned = key.split('').reverse().join('')
  return [key, turned, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '').slice(2, -2)]
}

/** Whether walls hold here: they are said to, and a command that is harmless without them finds them. */
export async function wallsHold(runner: Runner, world: World): Promise<string | undefined> {
  const place: TrialPlace = world.place
  const state = await runner.stateOf(place)
  if (state.state !== 'held') return state.why ?? `walls are ${state.state}`
  world.renew()
  const command = 'touch {OPEN}/canary; touch {HOME}/canary; cat {HOME}/.netrc; exec 3<>/dev/tcp/127.0.0.1/{PORT}; true'
  const canary: Hostile = { kind: '', name: '', calls: [{ tool: 'bash', input: { command } }] }
  const { violations } = await attempt(world, runner, canary, 'work')
  return violations.length === 0 ? undefined : `walls do not hold: ${violations.join('; ')}`
}
