import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Everything in the folder around a workspace, as it is now: what a call that must not change anything leaves alone. */
export async function everythingAround(root: string): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = []
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      found.push([path, await described(path)])
      if (entry.isDirectory()) await walk(path)
    }
  }
  await walk(dirname(root))
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)))
}

async function described(path: string): Promise<string> {
  const stats = await lstat(path)
  const mode = stats.mode.toString(8)
  if (stats.isSymbolicLink()) return `${mode} to ${await readlink(path)}`
  return stats.isFile()
    ? `${mode} ${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`
    : mode
}
