import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Policy, Reach } from '@loader/session-core/coding'
import { childVariables } from '../processes/child-variables.ts'
import { commandSetup } from '../processes/command-setup.ts'
import { secretsOf } from '../processes/known-secrets.ts'
import type { ProcessOptions } from '../processes/process-options.ts'
import type { CommandRequest } from '../processes/run-command.ts'
import type { StayingProcess } from '../processes/staying-process.ts'
import { findWalls } from './find-walls.ts'
import type { Access } from './mount.ts'
import type {
  Available,
  EndedWalledCommand,
  SetAside,
  WallsStage,
  WalledCommand,
  Walls,
  WallsPlace,
  WallsSettings,
} from './walls.ts'

export interface WallsAroundOptions extends ProcessOptions {
  readonly root: string
  /** `off` is for machines that isolate commands themselves: a container, CI. Absent means required. */
  readonly use?: 'required' | 'off' | undefined
  readonly settings?: WallsSettings | undefined
  /** A private folder for each session's /tmp and layers. Absent means a temporary one, removed with this process. */
  readonly scratch?: string | undefined
  /** A private folder for the package caches of the project. Absent means one in `scratch`. */
  readonly caches?: string | undefined
  /** Further folders that commands must not see. */
  readonly hidden?: readonly string[] | undefined
  /** Secrets of the program itself. They are replaced in all output, as are the values of withheld variables. */
  readonly credentials?: readonly string[] | undefined
}

/** A command, without the settings shared by all commands of a workspace. */
export type CommandInWalls = Pick<
  CommandRequest,
  'command' | 'cwd' | 'timeoutMs' | 'cap' | 'signal' | 'onOutput' | 'onStarted' | 'input'
> & {
  /** It goes on while others run; see `WalledCommand`. */
  readonly goesOn?: WalledCommand['goesOn']
  /** Variables in addition to those of every command. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A program that stays and is talked to, such as a server of tools. */
export interface StayingCommand {
  /** The program and its arguments; no shell reads them. */
  readonly words: readonly [string, ...string[]]
  /** A real path. */
  readonly cwd: string
  /** Variables in addition to those of every command. */
  readonly variables?: Readonly<Record<string, string>>
}

/** The private folders for one command. */
export type OwnFolders = Pick<WallsPlace, 'session' | 'caches' | 'hidden'>

/** The walls of an agent as its policy records them. */
export type WallsState = NonNullable<Policy['walls']>

/** The walls around one workspace: found once, shared by all commands in it, with a place for each session. */
export interface WallsAround {
  state(): Promise<WallsState>
  run(command: CommandInWalls, reach: Reach, sessionId?: string): Promise<EndedWalledCommand>
  /**
   * What a command would find at a real path. Tools that read and write files themselves obey it too; tools that only
   * read ask for the reach `look`, which is far cheaper. Undefined without walls.
   */
  access(path: string, sessionId?: string, reach?: 'look' | 'work'): Promise<Access | undefined>
  /** What the walls can enforce here. */
  available(): Promise<Available>
  /** Runs a command with its own folders, and with another folder in place of the workspace. */
  runOn(
    stage: WallsStage | undefined,
    command: CommandInWalls,
    reach: Reach,
    own: OwnFolders,
  ): Promise<EndedWalledCommand>
  /**
   * Starts a program that stays. Its walls must be made for it alone, with a private folder as their root: nothing is set
   * aside after it. Undefined where walls are wanted and there are none.
   */
  stay(command: StayingCommand, reach: Reach, name: string): Promise<StayingProcess | undefined>
  /** The private folder of a session. */
  folderOf(sessionId: string): string
  /** The process that keeps the loopback which commands of a session share, by its mark. */
  loopbackOf(sessionId: string): Promise<string | undefined>
  /** From now on, commands of the session share the loopback that this process keeps. */
  shareLoopback(sessionId: string, mark: string): Promise<void>
  /** Sets aside what commands that go on have made at guarded paths so far. */
  sweep(sessionId: string): Promise<readonly SetAside[]>
  /** The path of a session's changes to a folder of installed packages. */
  layerOf(path: string, sessionId: string): Promise<string | undefined>
  /** The currently known secrets in every encoding: they are removed from all output and text of tools. */
  secrets(): readonly string[]
  /** Removes everything kept of a deleted session. */
  forget(sessionId: string): Promise<void>
}

/** The walls for all commands of an agent. They are looked for when the first command needs them. */
export function wallsAround(options: WallsAroundOptions): WallsAround {
  let found: Promise<Walls> | undefined
  const walls = () => (found ??= lookFor(options))
  const placeFor = placesOf(options)
  const secrets = secretsOf(options, options.credentials)
  const whole = (command: CommandInWalls) => wholeCommand(command, options, secrets())
  return {
    async state() {
      if (options.use === 'off') return { state: 'off', kind: 'none', guarantees: [], why: 'they are switched off' }
      const available = await (await walls()).available()
      if (available.kind === 'none') return { state: 'missing', kind: 'none', guarantees: [], why: inWords(available) }
      const { kind, guarantees } = await (await walls()).recordFor('work')
      const [lacking] = available.lacking
      const { writable = [] } = options.settings ?? {}
      return {
        state: 'held',
        kind,
        guarantees,
        ...(lacking !== undefined && { why: lacking }),
        ...(writable.length > 0 && { writable: [...writable] }),
      }
    },
    async run(command, reach, sessionId) {
      return (await walls()).start(await whole(command), reach, placeFor(sessionId))
    },
    async available() {
      return (await walls()).available()
    },
    async runOn(stage, command, reach, { hidden = [], ...own }) {
      const place = { ...placeFor(), ...own, hidden: [...(options.hidden ?? []), ...hidden] }
      return (await walls()).start(await whole(command), reach, place, stage)
    },
    async stay({ words, cwd, variables }, reach, name) {
      const found = await walls()
      if (reach !== 'open' && options.use !== 'off' && (await found.available()).kind === 'none') return undefined
      const containment = await found.contain(reach, placeFor(name))
      // Few agents have a program that stays.
      const { startStaying } = await import('../processes/staying-process.ts')
      const isHeld = reach !== 'open' && options.use !== 'off'
      const own = isHeld ? { TMPDIR: '/tmp' } : {}
      return startStaying({ words, cwd, variables: { ...childVariables(options), ...own, ...variables }, containment })
    },
    folderOf: (sessionId) => placeFor(sessionId).session,
    async loopbackOf(sessionId) {
      return (await walls()).loopbackOf?.(placeFor(sessionId))
    },
    async shareLoopback(sessionId, mark) {
      const found = await walls()
      found.shareLoopback?.(placeFor(sessionId), mark)
    },
    async sweep(sessionId) {
      return (await walls()).sweep?.(placeFor(sessionId)) ?? []
    },
    async layerOf(path, sessionId) {
      return (await walls()).layerOf(path, placeFor(sessionId))
    },
    async access(path, sessionId, reach = 'work') {
      const { kind } = await (await walls()).available()
      return kind === 'none' ? undefined : (await walls()).access(path, reach, placeFor(sessionId))
    },
    secrets,
    async forget(sessionId) {
      const found = await walls()
      found.forget(placeFor(sessionId))
    },
  }
}

async function wholeCommand(
  { variables, ...command }: CommandInWalls,
  options: WallsAroundOptions,
  secrets: readonly string[],
): Promise<WalledCommand> {
  const { shell, graceMs, variables: usual } = await commandSetup(options.root, options)
  return { ...command, shell, graceMs, secrets, variables: { ...usual, ...variables } }
}

async function lookFor(options: WallsAroundOptions): Promise<Walls> {
  const { scratch } = options
  // Whether layers can be mounted depends on the file system that holds them.
  if (scratch !== undefined) await mkdir(scratch, { recursive: true, mode: 0o700 })
  return findWalls({ ...options, walls: options.use, layers: scratch })
}

/** Why there are no walls, with the shell command that makes them possible if one is known. */
function inWords({ why, mend }: Extract<Available, { kind: 'none' }>): string {
  return mend === undefined ? why : `${why}; what helps: ${mend}`
}

/** The place of each session. Always the same object, because walls cache their results by it. */
function placesOf(options: WallsAroundOptions): (sessionId?: string) => WallsPlace {
  const { root, settings, hidden, variables, passVariables } = options
  const places = new Map<string, WallsPlace>()
  let base = options.scratch
  return (sessionId = 'checks') => {
    const known = places.get(sessionId)
    if (known !== undefined) return known
    base ??= passingFolder()
    const place = {
      root,
      session: join(base, sessionId),
      caches: options.caches ?? join(base, 'caches'),
      settings,
      hidden,
      variables,
      passVariables,
    }
    places.set(sessionId, place)
    return place
  }
}

const passing = new Set<string>()

/** A folder that is removed when the process ends. One exit listener for all: a program may have many agents. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loader-walls-'))
  if (passing.size === 0) process.once('exit', removePassing)
  passing.add(folder)
  return folder
}

function removePassing(): void {
  for (const folder of passing) rmSync(folder, { recursive: true, force: true })
}
