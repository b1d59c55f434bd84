import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the built page: beside the built command, or where it is built. */
export function pageFolder(): string {
  const packed = new URL('./web/', import.meta.url)
  return fileURLToPath(existsSync(packed) ? packed : new URL('../../../web/dist/page/', import.meta.url))
}
