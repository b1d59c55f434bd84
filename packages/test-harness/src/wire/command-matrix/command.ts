import type { Signal } from '@loader/session-core'
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { clearTimeout, setTimeout } from 'node:timers'

export interface CommandOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file for its output. */
  readonly output: string
  readonly timeoutMilliseconds: number
  readonly signal: Signal | undefined
}

export interface RunningCommand {
  readonly ended: Promise<CommandEnd>
  /** Kills it and all processes in its group at once. */
  readonly kill: () => void
}

export type CommandEnd =
  | { readonly end: 'exited'; readonly code: number; readonly output: string }
  | { readonly end: 'killed'; readonly output: string }
  | { readonly end: 'late'; readonly output: string }

/** Runs a shell command as a process group of its own. */
export function startCommand(command: string, options: CommandOptions): RunningCommand {
  const { cwd, env, output, timeoutMilliseconds, signal } = options
  const file = openSync(output, 'a')
  const isWindows = process.platform === 'win32'
  const child = spawn(command, { cwd, env, shell: true, detached: !isWindows, stdio: ['ignore', file, file] })
  closeSync(file)
  let isOver = false
  // Later another process may have its pid.
  const kill = () => (isOver ? undefined : killGroup(child.pid))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMilliseconds)
  signal?.addEventListener('abort', kill)
  if (signal?.aborted) kill()
  const ended = new Promise<CommandEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      // Processes that it left running must not affect the next life.
      kill()
      isOver = true
      const text = readFileSync(output, 'utf8')
      if (isLate) resolve({ end: 'late', output: text })
      else resolve(code === null ? { end: 'killed', output: text } : { end: 'exited', code, output: text })
    })
  })
  return { ended, kill }
}

/** Describes the failure of a command that should have succeeded. */
export function failureOf(name: string, end: CommandEnd, timeoutMilliseconds: number): string | undefined {
  switch (end.end) {
    case 'exited':
      return end.code === 0 ? undefined : `${name} exited with ${end.code}${lastLines(end.output)}`
    case 'killed':
      return `${name} was killed by a signal${lastLines(end.output)}`
    case 'late':
      return `${name} did not end within ${timeoutMilliseconds} ms${lastLines(end.output)}`
    default:
      return end satisfies never
  }
}

const shownLines = 3

function lastLines(output: string): string {
  const lines = output.trim().split('\n').slice(-shownLines)
  return lines.join('') === '' ? '' : `: ${lines.join(' ⏎ ')}`
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group has no processes left.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return
    throw error
  }
}
