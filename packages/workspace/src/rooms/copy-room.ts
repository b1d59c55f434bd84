import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from '../processes/run-program.ts'
import { statsOf } from '../walls/entries.ts'
import type { Mount } from '../walls/mount.ts'
import { giveTo, piecesWith, type RoomParts } from './overlay-room.ts'
import type { RoomFolder } from './room-folders.ts'

/**
 * Copies the parts of a room into a folder. Within walls packages need no copy: commands cannot write to those of the
 * workspace.
 */
export async function prepareCopy(
  parts: RoomParts,
  folder: RoomFolder,
  packages: 'copied' | 'mounted',
): Promise<readonly Mount[]> {
  const { root, owner, layers, over } = parts
  const { copy } = folder
  mkdirSync(copy, { recursive: true, mode: 0o700 })
  for (const layer of layers) await copyInto(layer, copy)
  const mounts: Mount[] = []
  for (const { kind, path } of piecesWith(parts)) {
    const from = join(root, path)
    const to = join(copy, path)
    const isFolder = statsOf(from)?.isDirectory() === true
    if (kind === 'packages' && isFolder && packages === 'mounted' && !existsSync(to)) {
      mkdirSync(to, { recursive: true })
      mounts.push({ kind: 'guarded', path: from })
    } else if (isFolder) {
      mkdirSync(to, { recursive: true })
      await copyInto(from, to)
    } else if (statsOf(to) === undefined && statsOf(from) !== undefined) {
      mkdirSync(dirname(to), { recursive: true })
      await cp(from, to, keepAll)
    }
  }
  for (const [path, text] of over) layOver(join(copy, path), text)
  if (owner.isOther) giveTo(owner, copy)
  return mounts
}

const keepAll = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, force: false, mode: 2 } as const

/** Existing files stay. Shares disk blocks where the file system can. */
async function copyInto(from: string, to: string): Promise<void> {
  const { ending } = await runProgram({
    program: 'cp',
    arguments: ['-a', '-n', '--reflink=auto', '--', `${from}/.`, to],
    cwd: '/',
    variables: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 600_000,
    onOutput: () => 'more',
  })
  // Other systems have no `cp`, or one with other options.
  if (ending.how !== 'exited' || ending.exitCode !== 0) await cp(from, to, keepAll)
}

function layOver(to: string, text: string | null): void {
  const mode = existsSync(to) ? statSync(to).mode & 0o777 : 0o644
  rmSync(to, { recursive: true, force: true })
  if (text === null) return
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, text)
  chmodSync(to, mode)
}
