import { fileURLToPath } from 'node:url'
import type { KeeperProgram } from '@loader/workspace'

export const sourceOptions = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning']

/** The owner of commands that outlive the process which started them. */
export const keeper: KeeperProgram = {
  program: process.execPath,
  arguments: [...sourceOptions, fileURLToPath(new URL('keep.ts', import.meta.url))],
}
