import type { RawPath } from './raw-path.ts'

/** What functions of the file system take for a path with any name. */
export function rawBytes(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1')
}
