import { statSync } from 'node:fs'
import { type Environment, LoaderError, type Signal } from '@loader/session-core'
import type {
  Check,
  CheckRun,
  CheckTrials,
  Grounding,
  ProjectFacts,
  SeenPath,
  Workspace,
  WorkspaceTrees,
} from '@loader/session-core/coding'
import { realRoot } from './paths/place.ts'
import { childVariables } from './processes/child-variables.ts'
import type { ProcessOptions } from './processes/process-options.ts'
import { programOnPath } from './processes/program-on-path.ts'
import { ground, seenPaths } from './grounding/ground.ts'
import { type Instructions, instructionsFor } from './facts/instructions.ts'
import { projectFacts } from './facts/project-facts.ts'
import { runCheck } from './run-check.ts'
import { openRooms } from './rooms/open-rooms.ts'
import { LocalTrials } from './trials/open-trials.ts'
import { LocalTrees } from './trees/open-trees.ts'
import { type WallsAround, wallsAround } from './walls/walls-around.ts'

export interface WorkspaceOptions extends ProcessOptions {
  readonly root: string
  /** The walls in which checks run. Absent means the walls of this machine. */
  readonly walls?: WallsAround
  /** The current folder, relative to the root; instruction files on the path to it apply. Absent means the root. */
  readonly cwd?: string
  /** Instructions that hold besides those in files of the workspace, and come before them. */
  readonly instructions?: () => readonly Instructions[]
  /** The clock. Absent means that of this machine. */
  readonly environment?: Pick<Environment, 'now'>
  /** The time limit of a check that sets none itself. Absent means ten minutes. */
  readonly checkTimeoutMs?: number
  /** The folder for the trees of this workspace, outside of the workspace. Absent means that no trees are kept. */
  readonly treesFolder?: string
  /** The folder for check rooms, outside of the workspace. Absent means that there are none. */
  readonly roomsFolder?: string
  /** Called before the first write to `treesFolder`. */
  readonly beforeTrees?: () => void
  /** The path of git; null means to do without git. Absent means the first `git` on the PATH. */
  readonly git?: string | null
}

/** The folder that the work is about, on this machine. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  if (!statSync(options.root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LoaderError('invalid_config', `There is no folder ${options.root} to work in. Name one that is there.`)
  }
  return new LocalWorkspace(realRoot(options.root), options)
}

class LocalWorkspace implements Workspace {
  readonly root: string
  readonly trees?: WorkspaceTrees
  readonly trials?: CheckTrials
  readonly #options: WorkspaceOptions
  readonly #walls: WallsAround

  constructor(root: string, options: WorkspaceOptions) {
    const variables = childVariables(options)
    const { git = programOnPath('git', variables, root) } = options
    this.root = root
    this.#options = options
    this.#walls = options.walls ?? wallsAround({ ...options, root })
    if (options.treesFolder !== undefined) {
      const { treesFolder: folder, beforeTrees: beforeOpening } = options
      const trees = new LocalTrees({ root, folder, beforeOpening, git: git ?? undefined, variables })
      this.trees = trees
      if (options.roomsFolder !== undefined)
        this.trials = trialsIn(options.roomsFolder, trees, { ...options, root }, this.#walls)
    }
  }

  async facts(): Promise<ProjectFacts> {
    const instructions = (await this.instructions()).map(({ path }) => path)
    const facts = await projectFacts(this.root)
    return { ...facts, ...(instructions.length > 0 ? { instructions } : {}) }
  }

  async look(paths: readonly string[]): Promise<readonly SeenPath[]> {
    return seenPaths(this.root, paths)
  }

  ground(task: string): Promise<Grounding> {
    return ground(this.root, task)
  }

  async instructions(): Promise<readonly Instructions[]> {
    const { instructions, cwd = '.' } = this.#options
    return [...(instructions?.() ?? []), ...(await instructionsFor(this.root, cwd))]
  }

  runCheck(
    check: Check,
    options: { readonly signal?: Signal; onOutput?(chunk: string): void } = {},
  ): Promise<CheckRun> {
    const { environment, checkTimeoutMs = usualTimeoutMs } = this.#options
    return runCheck(check, {
      root: this.root,
      walls: this.#walls,
      timeoutMs: checkTimeoutMs,
      now: () => environment?.now() ?? new Date().toISOString(),
      signal: options.signal,
      onOutput: options.onOutput === undefined ? undefined : (chunk) => options.onOutput?.(chunk),
    })
  }
}

const usualTimeoutMs = 600_000

function trialsIn(folder: string, trees: LocalTrees, options: WorkspaceOptions, walls: WallsAround): CheckTrials {
  const { root, environment, checkTimeoutMs: timeoutMs = usualTimeoutMs } = options
  return new LocalTrials({
    root,
    trees,
    rooms: openRooms({ ...options, trees, walls, stateFolder: folder }),
    folder,
    timeoutMs,
    now: () => environment?.now() ?? new Date().toISOString(),
    machine: async () => {
      const { state, kind } = await walls.state()
      return JSON.stringify([process.version, process.platform, process.arch, state, kind])
    },
  })
}
