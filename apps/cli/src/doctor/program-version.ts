import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A program that does not answer is as good as none. */
const patienceMs = 5000

/** The version that a program says it has; undefined when there is no such program. */
export async function programVersion(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  try {
    const { stdout } = await run(name, ['--version'], { timeout: patienceMs, env: environment, windowsHide: true })
    return /\d+(?:\.\d+)+\S*/.exec(stdout)?.[0] ?? stdout.split('\n')[0]?.trim()
  } catch (error) {
    // Whatever the reason, it cannot be used.
    if (error instanceof Error) return undefined
    throw error
  }
}
