import { readFileSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'
import { namesIn, statsOf, targetOf, textOf } from './entries.ts'
import { accessUnder, lastOver, type Mount } from './mount.ts'

/** Sockets owned by other network namespaces are missing from this namespace's list. */
const wellKnown: readonly string[] = [
  '/nix/var/nix/daemon-socket/socket',
  '/var/lib/mysql/mysql.sock',
  '/var/lib/lxd/unix.socket',
  '/var/snap/lxd/common/lxd/unix.socket',
  '/var/lib/docker.sock',
]

/** Masks the sockets that commands could reach with these mounts. */
export function socketMasks(mounts: readonly Mount[]): readonly Mount[] {
  const answers = (path: string) =>
    lastOver(mounts, path)?.kind !== 'sealed' && accessUnder(mounts, path).kind !== 'hidden' && !isMoved(mounts, path)
  return openSockets(answers).map((path) => ({ kind: 'refusing', path }))
}

/** Commands have their own /tmp: a path in it that is not let in is another file for them. */
function isMoved(mounts: readonly Mount[], path: string): boolean {
  const access = accessUnder(mounts, path)
  return access.kind !== 'hidden' && access.real !== path
}

/**
 * The sockets of this machine that would answer at their path. A read-only mount does not prevent connecting. The
 * kernel lists the path each was bound to: a renamed socket is found while it lies in the same folder, and a relative
 * path is resolved from the working folders of processes.
 */
function openSockets(answers: (path: string) => boolean): readonly string[] {
  const listed = table()
    .split('\n')
    .flatMap((line) => /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ ([^@].*)$/.exec(line)?.[1] ?? [])
  const relative = listed.filter((path) => !isAbsolute(path))
  const places = relative.length === 0 ? [] : workingFolders()
  const paths = [
    ...listed.filter(isAbsolute),
    ...wellKnown,
    ...relative.flatMap((path) => places.map((place) => join(place, path))),
  ]
  const folders = [...new Set(paths.map(dirname))].filter((folder) => answers(join(folder, 'socket')))
  const beside = folders.flatMap(socketsIn)
  return [...new Set([...paths, ...beside])].filter((path) => statsOf(path)?.isSocket() === true && answers(path))
}

/** The working folders of the processes that we may inspect. */
function workingFolders(): readonly string[] {
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name))
  return [...new Set(processes.flatMap((name) => targetOf(`/proc/${name}/cwd`) ?? []))]
}

function socketsIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isSocket() ? [join(folder, entry.name)] : []))
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}

function table(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return textOf('/proc/self/net/unix') ?? ''
  }
}
