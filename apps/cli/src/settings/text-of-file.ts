import { readFileSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'

/** The content of a file of settings or rules; undefined if it does not exist. */
export function textOfFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LoaderError('invalid_config', `${file} cannot be read (${String(code)}). ${adviceOn(code)}`, {
      cause: error,
    })
  }
}

function adviceOn(code: unknown): string {
  return code === 'EISDIR' ? 'It is a folder, and should be a file.' : 'Check its permissions.'
}
