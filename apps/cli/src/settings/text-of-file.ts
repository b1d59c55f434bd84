import { LoaderError } from '@loader/session-core'
import { readOrdinary } from '@loader/workspace'

/** The content of a file of settings or rules; undefined if it does not exist. */
export function textOfFile(file: string): string | undefined {
  try {
    return readOrdinary(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LoaderError('invalid_config', `${file} cannot be read (${String(code)}). ${adviceOn(code)}`, {
      cause: error,
    })
  }
}

function adviceOn(code: unknown): string {
  switch (code) {
    case 'EISDIR':
      return 'It is a folder, and should be a file.'
    case 'EFTYPE':
    case 'ENXIO':
      return 'It is a pipe, a socket or a device, and should be a file.'
    case 'EFBIG':
      return 'It is longer than such a file can be.'
    case 'ELOOP':
      return 'It is a link that leads to itself.'
    default:
      return 'Check its permissions.'
  }
}
