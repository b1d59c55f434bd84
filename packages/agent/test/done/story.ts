import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { SessionState } from '@loader/session-core'
import { call, line, type ScriptedCall, type ScriptLine } from '@loader/test-harness'
import { exitCodeOfEnd } from '@loader/workflow'
import type { AgentConfig } from '../../src/index.ts'
import { scene, type SceneOptions } from '../scene/scene.ts'
import { expectReadByOlderVersion } from './older-reader.ts'

type Files = Readonly<Record<string, string | null>>

interface Go {
  /** What the user changes before the turn, while no call runs. Null removes a file. */
  readonly edits?: Files
  /** What the user types into a shell after these edits. */
  readonly shell?: string
  readonly task?: string
  /** The calls of each answer but the last. */
  readonly does: readonly (readonly ScriptedCall[])[]
  readonly says?: string
  /** A call that comes with each of these answers. */
  readonly states?: ScriptedCall
  readonly doneWhen?: readonly string[]
}

export interface Story {
  readonly what: string
  readonly files: Readonly<Record<string, string>>
  /** Packages that are installed. */
  readonly installed?: readonly Installed[]
  /** What else was there before the session: a repository, packages, many files. */
  readonly prepare?: (root: string) => void
  /** Whether the model can call `finish`. Absent: it ends by an answer alone. */
  readonly statements?: 'wanted'
  /** The project is a repository of git, and all of it is committed. */
  readonly git?: true
  /** What the user has done in a shell before the session. */
  readonly shell?: string
  /** So many modules more, which nothing uses. */
  readonly modules?: number
  readonly turns: readonly Go[]
  readonly config?: AgentConfig
  /** Absent: as far as this machine has them. */
  readonly walls?: SceneOptions['walls']
}

export interface Played {
  readonly lastTurn: NonNullable<SessionState['lastTurn']>
  readonly word: string | undefined
  /** As the command would end, without wishes. */
  readonly exit: number
}

// The package that knows the runners has all of them.
const require = createRequire(new URL('../../../workspace/package.json', import.meta.url))

/** Plays the turns of a story on the real loop, in rooms, in the walls that this machine has. */
export async function play(story: Story): Promise<Played> {
  const lines = story.turns.flatMap(({ does, says = 'Done.', states }): ScriptLine[] => [
    ...does.map((calls) => line('', ...calls)),
    // A model that is sent back says the same again.
    ...Array.from({ length: 5 }, () => line(says, ...(states === undefined ? [] : [states]))),
  ])
  await using stage = await scene({
    files: story.files,
    lines: [],
    walls: story.walls ?? {},
    trees: 'kept',
    config: { permissionMode: 'allow', ...story.config },
    ...(story.statements !== undefined && { statements: story.statements }),
  })
  const root = stage.workspace.root
  install(root, story.installed ?? [])
  story.prepare?.(root)
  addModules(root, story)
  if (story.git === true) write(root, { '.gitignore': story.files['.gitignore'] ?? 'node_modules\n' })
  if (story.shell !== undefined) typeInto(root, story.shell)
  if (story.git === true) typeInto(root, 'git init -q . && git add -A && git commit -qm start')
  let used = 0
  for (const go of story.turns) {
    write(root, go.edits ?? {})
    if (go.shell !== undefined) typeInto(root, go.shell)
    const count = go.does.length + 5
    const agent = stage.again({
      lines: lines.slice(used, used + count),
      config: { permissionMode: 'allow', ...story.config },
    })
    used += count
    if (used > count) await agent.resumeSession('latest', { takeover: true })
    const doneWhen = go.doneWhen?.map((command) => ({ command }))
    await agent.run(go.task ?? 'Fix the project as its tests want it.', doneWhen === undefined ? {} : { doneWhen })
    if (go !== story.turns.at(-1)) await agent.close()
    else {
      expectReadByOlderVersion(await stage.history(agent.session.id))
      return playedOf(agent.session.state)
    }
  }
  throw new Error('A story without turns.')
}

function playedOf(state: SessionState | null): Played {
  const lastTurn = state?.lastTurn
  if (lastTurn?.end === undefined) throw new Error(`The turn did not come to its end: ${lastTurn?.reason}`)
  const turnOptions = { strict: false, expectsChange: false }
  return {
    lastTurn,
    word: lastTurn.judgement?.word,
    exit: exitCodeOfEnd(lastTurn.end, lastTurn.judgement ?? null, turnOptions),
  }
}

export function writes(path: string, content: string): ScriptedCall {
  return call('write', { file_path: path, content })
}

export function edits(path: string, from: string, to: string): ScriptedCall {
  return call('edit', { file_path: path, old_string: from, new_string: to })
}

export function bash(command: string): ScriptedCall {
  return call('bash', { command })
}

function write(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(root, path))
    else {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
}

const user = { name: 'A User', email: 'user@example.invalid' }

/** The user, in a shell of their own. */
function typeInto(root: string, command: string): void {
  const names = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, user.name],
    [`GIT_${who}_EMAIL`, user.email],
  ])
  const env = { ...process.env, ...Object.fromEntries(names), GIT_CONFIG_GLOBAL: '/dev/null' }
  execFileSync('sh', ['-ec', command], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Modules as projects of some age have them, in folders of fifty. */
function addModules(root: string, { modules = 0, files }: Story): void {
  const isPython = Object.keys(files).some((path) => path.endsWith('.py'))
  for (let index = 0; index < modules; index += 1) {
    const folder = `old/part${Math.floor(index / 50)}`
    const [name, text] = isPython
      ? [`module${index}.py`, `def value${index}():\n    return ${index}\n`]
      : [`module${index}.js`, `export function value${index}() {\n  return ${index}\n}\n`]
    write(root, { [`${folder}/${name}`]: text })
  }
}

const bins = {
  vitest: 'vitest.mjs',
  typescript: 'bin/tsc',
  eslint: 'bin/eslint.js',
  jest: 'bin/jest.js',
  mocha: 'bin/mocha.js',
} as const

type Installed = keyof typeof bins

function install(root: string, packages: readonly Installed[]): void {
  if (packages.length === 0) return
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  for (const name of packages) {
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), join(root, 'node_modules', name))
    symlinkSync(join('..', name, bins[name]), join(root, 'node_modules/.bin', name === 'typescript' ? 'tsc' : name))
  }
}
