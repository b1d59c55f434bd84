import { MemoryStore, type SessionStore } from '@loader/session-core'
import { clearTimeout, setTimeout } from 'node:timers'
import { type Boundary, Life } from './life.ts'
import { type CrashPorts, type Lifetime, portsOf } from './ports.ts'
import { disposeOf, type End, messageOf, type CrashStage } from './stage.ts'
import { takingOver } from './taking-over.ts'
import { trackingClaims } from './unused-claims.ts'

export interface InProcessProgram<World, Result> {
  readonly prepare?: () => World | Promise<World>
  readonly storeOf?: (world: World) => SessionStore
  scenario(ports: CrashPorts<World>): Promise<Result>
  resume(ports: CrashPorts<World>): Promise<Result>
  /** How long one life may take. */
  readonly milliseconds: number
}

export async function inProcessStage<World, Result>(
  program: InProcessProgram<World, Result>,
): Promise<CrashStage<Result>> {
  const memory = new MemoryStore()
  // Without `prepare` the world is a MemoryStore, which its type does not show.
  const world = program.prepare ? await program.prepare() : (memory as World)
  const storeOf = () => program.storeOf?.(world) ?? (isStore(world) ? world : memory)
  return {
    async scenario(killAt) {
      const { store, releaseUnused } = trackingClaims(storeOf())
      const run = await live('scenario', killAt, store, (ports) => program.scenario(ports))
      if (run.end === 'killed') await releaseUnused()
      return run
    },
    resume: () => live('resume', null, takingOver(storeOf()), (ports) => program.resume(ports)),
    dispose: () => disposeOf(world),
  }

  async function live(
    lifetime: Lifetime,
    killAt: number | null,
    store: SessionStore,
    run: (ports: CrashPorts<World>) => Promise<Result>,
  ): Promise<End<Result>> {
    const boundaries: Boundary[] = []
    const ended = new Promise<End<Result>>((resolve) => {
      const life = new Life({
        killAt,
        onBoundary: (boundary) => boundaries.push(boundary),
        kill: () => resolve({ end: 'killed', boundaries }),
      })
      // The promise settles when the life ends, whatever a killed program does later.
      run(portsOf(lifetime, life, world, store)).then(
        (result) => resolve({ end: 'finished', boundaries, result }),
        (error: unknown) => resolve({ end: 'failed', boundaries, message: messageOf(error) }),
      )
    })
    return inTime(ended, program.milliseconds, () => {
      const last = boundaries.at(-1)?.label ?? 'its start'
      return new Error(
        `The ${lifetime} did not end within ${program.milliseconds} ms; the last thing seen was ${last}.`,
      )
    })
  }
}

function isStore(world: unknown): world is SessionStore {
  return typeof world === 'object' && world !== null && 'claim' in world && 'read' in world
}

async function inTime<Result>(work: Promise<Result>, milliseconds: number, onLate: () => Error): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onLate()), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
