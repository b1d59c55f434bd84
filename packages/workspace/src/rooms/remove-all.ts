import { lstatSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { codeOf } from '../paths/system-errors.ts'
import { runProgram } from '../processes/run-program.ts'

/**
 * Removes a folder that a command could write: with folders in it that have no rights, and ways that are longer than any
 * path may be, which only programs that go step by step get through. Whether it is gone.
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
