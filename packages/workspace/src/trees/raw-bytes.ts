import type { RawPath } from './raw-path.ts'

/** The path as the functions of the file system take it, whatever bytes it contains. */
export function rawBytes(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1')
}
