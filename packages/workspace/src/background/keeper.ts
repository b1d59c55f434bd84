import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'
import { isThere, pidOf } from '../processes/process-mark.ts'
import { type WallsAroundOptions, wallsAround } from '../walls/walls-around.ts'
import { goOn, type ToGoOn } from './go-on.ts'
import { readRecord } from './record.ts'

/** A program that calls `keepHere` and nothing else. */
export interface KeeperProgram {
  readonly program: string
  readonly arguments: readonly string[]
  /** Variables besides those of this process. */
  readonly variables?: Readonly<Record<string, string>>
}

interface Kept {
  readonly wanted: ToGoOn
  readonly walls: WallsAroundOptions
  /** The process that keeps the loopback of the session, if there is one. */
  readonly loopback: string | undefined
}

/**
 * Starts a command with an owner of its own, which goes on when this process ends. What the owner must know comes through
 * its standard input, since it holds secrets. Returns why it could not be started.
 */
export async function keepElsewhere(keeper: KeeperProgram, kept: Kept): Promise<string | undefined> {
  const { program, arguments: args, variables } = keeper
  const env = { ...process.env, ...variables }
  const child = spawn(program, args, { cwd: '/', env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const failed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code) => resolve(`its owner ended at once (${code ?? 'killed'})`))
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(kept))
  const begun = await Promise.race([failed, untilBegun(kept.wanted.folder)])
  child.unref()
  return begun
}

const pollMs = 10

async function untilBegun(folder: string): Promise<undefined> {
  for (;;) {
    const record = readRecord(folder)
    if (record?.leader !== undefined || record?.ended !== undefined) return undefined
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const Asked = z.object({ wanted: z.object({ session: z.string() }), loopback: z.string().optional() })

/**
 * What an owner does: it runs the command of its standard input, and ends with it. Programs that offer commands which
 * outlive them start one of their own for this.
 */
export async function keepHere(): Promise<void> {
  const given = await text(process.stdin)
  const { loopback } = Asked.parse(JSON.parse(given))
  const { wanted, walls: options } = JSON.parse(given) as Kept
  const walls = wallsAround(options)
  if (loopback !== undefined) await walls.shareLoopback(wanted.session, loopback)
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
  // It belongs to no terminal, and outlives the one that it was started in.
  process.on('SIGHUP', () => undefined)
  await goOn(walls, wanted, stop.signal)
}

/** Sends a signal to exactly this process, or to the group that it leads; never to another that has its number now. */
export function signalExactly(mark: string, signal: 'SIGTERM' | 'SIGKILL', to: 'process' | 'group'): boolean {
  if (!isThere(mark)) return false
  try {
    process.kill(to === 'group' ? -pidOf(mark) : pidOf(mark), signal)
    return true
  } catch (error) {
    if (codeOf(error) === 'ESRCH' || codeOf(error) === 'EPERM') return false
    throw error
  }
}
