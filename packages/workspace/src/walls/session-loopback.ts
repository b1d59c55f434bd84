import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'
import { forgetLiving, rememberLiving } from '../processes/living.ts'
import { markOf } from '../processes/process-mark.ts'
import { closeSpaces, enteringWords, openSpaces } from './entered-spaces.ts'
import type { CommandRights } from './command-rights.ts'

/** The programs that make and enter namespaces. */
interface LoopbackPrograms {
  readonly bubblewrap: string
  readonly nsenter: string
}

/** It waits for the end of its input, and has nothing but that and a loopback. */
const script = 'echo ready; read -r line'

/**
 * A process that keeps a network namespace with a loopback and nothing else. Commands of a session that go on hold one,
 * so that those that come later, and `fetch`, can enter it. It cannot outlive us: the kernel kills it when we die.
 */
export class LoopbackHolder {
  /** By which other processes find it. */
  readonly mark: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, mark: string) {
    this.#child = child
    this.mark = mark
    rememberLiving(this)
    child.once('exit', () => forgetLiving(this))
    child.unref()
  }

  /** With `shared`, it joins the namespace that this other process keeps. A string says why there is none. */
  static async start(
    { bubblewrap, nsenter }: LoopbackPrograms,
    { uid, gid, isOther }: CommandRights,
    shared: string | undefined,
  ): Promise<LoopbackHolder | string> {
    const spaces = shared === undefined ? undefined : openSpaces(shared)
    const words = [
      bubblewrap,
      ...`--unshare-user --uid ${uid} --gid ${gid} --unshare-pid --unshare-ipc`.split(' '),
      ...(spaces === undefined ? ['--unshare-net'] : []),
      ...'--die-with-parent --new-session --cap-drop ALL --ro-bind / / --proc /proc --clearenv'.split(' '),
    ].concat(['--json-status-fd', '3', '--', '/bin/sh', '-c', script])
    const entering = spaces === undefined ? [] : enteringWords(nsenter, { user: 4, net: 5 })
    const [program = bubblewrap, ...args] = [...entering, ...words]
    try {
      const child = spawn(program, args, {
        cwd: '/',
        env: {},
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...(spaces === undefined ? [] : [spaces.user, spaces.net])],
        ...(isOther && { uid, gid }),
      })
      return await LoopbackHolder.#begun(child)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return String(error)
    } finally {
      if (spaces !== undefined) closeSpaces(spaces)
    }
  }

  static #begun(child: ChildProcess): Promise<LoopbackHolder | string> {
    return new Promise((resolve) => {
      let status = ''
      let complaint = ''
      let isReady = false
      const settle = () => {
        const pid = holderIn(status)
        const mark = pid === undefined || !isReady ? undefined : markOf(pid)
        if (mark !== undefined) resolve(new LoopbackHolder(child, mark))
      }
      child.once('error', (error) => resolve(error.message))
      child.once('exit', () => resolve(complaint.trim() || 'it ended at once'))
      child.stdin?.on('error', () => undefined)
      child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, 500)))
      child.stdout?.once('data', () => {
        isReady = true
        settle()
      })
      const channel = child.stdio[3] as Readable | null | undefined
      channel?.on('data', (chunk: Buffer) => {
        status += chunk.toString()
        settle()
      })
      for (const pipe of [child.stdin, child.stdout, child.stderr, channel]) {
        if (pipe !== null && pipe !== undefined && 'unref' in pipe) (pipe as unknown as { unref(): void }).unref()
      }
    })
  }

  end(): void {
    this.endAtOnce()
  }

  endAtOnce(): void {
    forgetLiving(this)
    this.#child.stdin?.destroy()
    this.#child.kill('SIGKILL')
  }
}

const Status = z.object({ 'child-pid': z.int().min(2) })

/** The first line that bubblewrap wrote names the process in the namespace. */
function holderIn(status: string): number | undefined {
  const end = status.indexOf('\n')
  if (end < 0) return undefined
  try {
    return Status.safeParse(JSON.parse(status.slice(0, end))).data?.['child-pid']
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
