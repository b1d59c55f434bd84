import { spawn } from 'node:child_process'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'

/** What the command of --notify learns, in its environment. */
export interface Notice {
  readonly sessionId: string
  readonly exitCode: number
  /** The answer, or why there is none. */
  readonly text: string
}

/** How long the command may take. */
const patienceMs = 10_000
/** An environment has room for little more, and a notice shows less. */
const longestText = 2_000

/**
 * Runs the command of the user, in their shell and outside of walls. Returns why it failed; that changes nothing about
 * the run.
 */
export function notify(command: string, notice: Notice, { environment, folder }: Console): Promise<string | undefined> {
  const { sessionId, exitCode, text } = notice
  const own = { LOADER_SESSION: sessionId, LOADER_EXIT_CODE: String(exitCode), LOADER_TEXT: text.slice(0, longestText) }
  return new Promise((resolve) => {
    const failed = (why: string) => resolve(`The command of --notify ${why}: ${command}`)
    const child = spawn(command, { shell: true, cwd: folder, env: { ...environment, ...own }, stdio: 'ignore' })
    const timer = setTimeout(() => {
      child.kill()
      failed(`did not end within ${patienceMs / 1000} s`)
    }, patienceMs)
    child.on('error', (error) => failed(`could not be started (${errorText(error)})`))
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(undefined)
      else failed(`ended with ${code ?? 'a signal'}`)
    })
  })
}
