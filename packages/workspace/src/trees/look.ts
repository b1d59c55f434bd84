import { type BigIntStats, lstatSync } from 'node:fs'
import type { Signal } from '@loader/session-core'
import { mayChangeUnseen } from '../files/change-times.ts'
import { codeOf } from '../paths/system-errors.ts'
import { lookAround, type UnlistedEntries } from './look-around.ts'
import { type PrivateIndex, versionKey } from './private-index.ts'
import { rawBytes } from './raw-bytes.ts'
import type { RawPath } from './raw-path.ts'
import { sideGit, type SideRepository } from './side-repository.ts'
import { readStatus, type Status, statusArguments } from './status.ts'

/** The workspace compared with an index, at one moment. */
export interface WorkspaceStatus {
  readonly beganMs: number
  readonly status: Status
  readonly around: UnlistedEntries
  /** The folders and ignore files that the result depends on, each with its version. */
  readonly seen: ReadonlyMap<RawPath, string>
}

interface LookRequest {
  readonly side: SideRepository
  readonly index: PrivateIndex
  /** The path from the top of the work tree to the workspace: empty, or with a slash at the end. */
  readonly prefix: RawPath
  readonly signal?: Signal | undefined
}

export async function look({ side, index, prefix, signal }: LookRequest): Promise<WorkspaceStatus> {
  const beganMs = Date.now()
  const below = prefix === '' ? [] : ['--', prefix]
  const { output } = await sideGit(side, { arguments: [...statusArguments, ...below], index: index.path, signal })
  const status = readStatus(output)
  const seen = new Map<RawPath, string>()
  const see = (path: RawPath) => {
    const stats = statsOf(side.top, path)
    // A file that changed after git had looked counts as new, too.
    const isFresh = stats !== undefined && mayChangeUnseen(stats, beganMs)
    seen.set(path, isFresh ? 'fresh' : stats === undefined ? '-' : versionKey(stats))
  }
  // These are not walked, but they can cease to be repositories.
  for (const path of status.nested) see(path)
  const passedOver = new Set([...status.nested, ...status.ignored.filter((path) => path.endsWith('/'))])
  const around = await lookAround(side.top, prefix, passedOver, signal, see)
  return { beganMs, status, around, seen }
}

/** Whether no name was added or removed since, and no ignore rule changed. The content of files may differ. */
export function isStillSo(side: SideRepository, { seen }: Pick<WorkspaceStatus, 'seen'>): boolean {
  return [...seen].every(([path, version]) => {
    const stats = statsOf(side.top, path)
    return (stats === undefined ? '-' : versionKey(stats)) === version
  })
}

function statsOf(top: string, path: RawPath): BigIntStats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${top}/`), rawBytes(path)]), { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
