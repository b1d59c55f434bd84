import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Policy, Reach } from '@loader/session-core/coding'
import { commandSetup } from '../processes/command-setup.ts'
import { secretsOf } from '../processes/known-secrets.ts'
import type { ProcessOptions } from '../processes/process-options.ts'
import type { CommandRequest } from '../processes/run-command.ts'
import { findWalls } from './find-walls.ts'
import type { Access } from './mount.ts'
import type {
  Available,
  EndedWalledCommand,
  WallsStage,
  WalledCommand,
  Walls,
  WallsPlace,
  WallsSettings,
} from './walls.ts'

export interface WallsAroundOptions extends ProcessOptions {
  readonly root: string
  /** `off` is for machines that are walls themselves: a container, CI. Absent means required. */
  readonly use?: 'required' | 'off' | undefined
  readonly settings?: WallsSettings | undefined
  /** A folder of ours in which each session has its /tmp and its layers. Absent means one that goes with this process. */
  readonly scratch?: string | undefined
  /** A folder of ours for the package caches of the project. Absent means one in `scratch`. */
  readonly caches?: string | undefined
  /** Further folders that no command may see. */
  readonly hidden?: readonly string[] | undefined
  /** Secrets of the program itself. They are replaced wherever they show, as are the values of variables that are withheld. */
  readonly credentials?: readonly string[] | undefined
}

/** A command, without what is the same for all commands of a workspace. */
export type CommandInWalls = Pick<CommandRequest, 'command' | 'cwd' | 'timeoutMs' | 'cap' | 'signal' | 'onOutput'> & {
  /** Variables besides those of every command. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Folders of ours for one command. */
export type OwnFolders = Pick<WallsPlace, 'session' | 'caches' | 'hidden'>

/** The walls of an agent as its policy records them. */
export type WallsState = NonNullable<Policy['walls']>

/** The walls around one workspace: found once, the same for all that runs in it, with a place for each session. */
export interface WallsAround {
  state(): Promise<WallsState>
  run(command: CommandInWalls, reach: Reach, sessionId?: string): Promise<EndedWalledCommand>
  /**
   * What work in the workspace finds at a real path: tools that read and write files themselves obey it too. Those that
   * only read ask what a look finds, which takes far less. Undefined where no walls hold.
   */
  access(path: string, sessionId?: string, reach?: 'look' | 'work'): Promise<Access | undefined>
  /** What they can hold here. */
  available(): Promise<Available>
  /** Runs a command in folders of its own, with something else in the place of the workspace. */
  runOn(
    stage: WallsStage | undefined,
    command: CommandInWalls,
    reach: Reach,
    own: OwnFolders,
  ): Promise<EndedWalledCommand>
  /** Where the changes of a session to a folder of installed packages lie. */
  layerOf(path: string, sessionId: string): Promise<string | undefined>
  /** The secrets that are known now, in all their spellings: no output and no text of a tool shows them. */
  secrets(): readonly string[]
  /** Takes away what is kept of a session that is deleted. */
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
  // Whether layers can be mounted is a matter of the file system that they will lie on.
  if (scratch !== undefined) await mkdir(scratch, { recursive: true, mode: 0o700 })
  return findWalls({ ...options, walls: options.use, layers: scratch })
}

/** Why there are none, with the command line that makes them possible where there is one. */
function inWords({ why, mend }: Extract<Available, { kind: 'none' }>): string {
  return mend === undefined ? why : `${why}; what helps: ${mend}`
}

/** The places of sessions. The same one each time: walls keep what they have worked out for it. */
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

/** Gone when the process ends. One listener for all: a program may have many agents. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loader-walls-'))
  if (passing.size === 0) process.once('exit', removePassing)
  passing.add(folder)
  return folder
}

function removePassing(): void {
  for (const folder of passing) rmSync(folder, { recursive: true, force: true })
}
