import type { SessionStore } from '@loader/session-core'
import { appendFileSync } from 'node:fs'
import * as z from 'zod'
import { Life } from './life.ts'
import { type CrashPorts, type Lifetime, portsOf } from './ports.ts'
import { messageOf } from './stage.ts'

/** The task of a child process. */
export const Job = z.object({
  module: z.string(),
  lifetime: z.enum(['scenario', 'resume']),
  world: z.json(),
  killAt: z.number().nullable(),
  /** The file that the parent reads. */
  report: z.string(),
})
export type Job = z.infer<typeof Job>

/** The messages of a child process, one per line. */
export const ChildReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('boundary'), number: z.number(), kind: z.string(), label: z.string() }),
  z.object({ type: z.literal('result'), result: z.unknown() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
export type ChildReport = z.infer<typeof ChildReport>

/** What a module exports to be run in a process of its own. */
export type ProcessProgram<World, Result> = {
  readonly [Key in Lifetime]: (ports: CrashPorts<World>) => Promise<Result>
} & {
  readonly storeOf?: (world: World) => SessionStore
}

/** What the child processes of `crashMatrix` run. Do not call it elsewhere. */
export async function crashChild(text: string): Promise<never> {
  const job = Job.parse(JSON.parse(text))
  const tell = (report: ChildReport) => appendFileSync(job.report, `${JSON.stringify(report)}\n`)
  const program = await programOf(job.module)
  const life = new Life({
    killAt: job.killAt,
    onBoundary: (boundary) => tell({ type: 'boundary', ...boundary }),
    kill: dieAtOnce,
  })
  try {
    const store = program.storeOf?.(job.world) ?? noStore(job.module)
    tell({ type: 'result', result: await program[job.lifetime](portsOf(job.lifetime, life, job.world, store)) })
  } catch (error) {
    tell({ type: 'failed', message: messageOf(error) })
  }
  // Handles left open by the program must not keep the child alive.
  process.exit(0)
}

async function programOf(module: string): Promise<ProcessProgram<unknown, unknown>> {
  const exported: Record<string, unknown> = await import(module)
  const missing = ['scenario', 'resume'].filter((name) => typeof exported[name] !== 'function')
  if (missing.length > 0) throw new Error(`${module} exports no function ${missing.join(' and no function ')}.`)
  return exported as ProcessProgram<unknown, unknown>
}

function dieAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
  // Blocks the thread, so that no more code runs until the signal arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

function noStore(module: string): SessionStore {
  const refuse = (): never => {
    throw new Error(`ports.store needs a store that outlives the process: export storeOf(world) from ${module}.`)
  }
  return { list: refuse, read: refuse, readBlob: refuse, claim: refuse, delete: refuse }
}
