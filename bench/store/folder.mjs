import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const parent = fileURLToPath(new URL('../../.turbo/bench-data/', import.meta.url))

/** A folder on the disk that the repository is on, which is no file system in memory; gone afterwards. */
export async function withFolder(work) {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'store-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
