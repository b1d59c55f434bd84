import { lstatSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { codeOf } from '../paths/system-errors.ts'
import { runProgram } from '../processes/run-program.ts'

/**
 * Removes a folder that a command could write. It may contain folders without access rights, and paths longer than the
 * system allows, which can only be walked step by step. Returns whether it is gone.
 */
export async function removeAll(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true })
    return true
  } catch (error) {
    if (codeOf(error) === undefined || process.platform === 'win32') throw error
    await run('chmod', ['-R', 'u+rwX', '--', path])
    await run('rm', ['-rf', '--', path])
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  }
}

async function run(program: string, words: readonly string[]): Promise<void> {
  await runProgram({
    program,
    arguments: words,
    cwd: '/',
    variables: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 120_000,
    onOutput: () => 'more',
  })
}
