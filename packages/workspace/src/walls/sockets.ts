import { statsOf, textOf } from './entries.ts'
import { readFileSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'

/** Sockets that other network namespaces own do not show in the list of this one. */
const wellKnown: readonly string[] = [
  '/nix/var/nix/daemon-socket/socket',
  '/var/lib/mysql/mysql.sock',
  '/var/lib/lxd/unix.socket',
  '/var/snap/lxd/common/lxd/unix.socket',
  '/var/lib/docker.sock',
]

/** The sockets of this machine that have a path. A read-only mount does not keep anybody from connecting to them. */
export function openSockets(): readonly string[] {
  const listed = table()
    .split('\n')
    .flatMap((line) => /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? [])
  return [...new Set([...listed, ...wellKnown])].filter((path) => statsOf(path)?.isSocket() === true)
}

function table(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return textOf('/proc/self/net/unix') ?? ''
  }
}
