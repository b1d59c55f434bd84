import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from './server.ts'

/** A network namespace, as another machine, and the cable from it to this one. */
export interface Cable {
  /** The command that runs another one on the other machine. */
  readonly inside: readonly string[]
  /** The same, with a file system of its own in a folder: what lies there is on the other machine only. */
  readonly insideWith: (folder: string) => readonly string[]
  /** The address of a server of this machine, as the other one has to ask for it. */
  readonly addressOf: (server: Server) => string
  /** From now on nothing gets through, and neither end gets an error. */
  readonly pull: () => void
  readonly plugIn: () => void
  readonly dispose: () => void
}

/** Where this machine has the last address of the cable, and the other one the next. Tests run beside each other. */
const net = `10.231.${process.pid % 250}`
const [here, there] = [`${net}.1`, `${net}.2`]
const name = `ldr${process.pid}`
/** Debian keeps it where only the paths of root lead. */
const program = ['/usr/sbin/ip', '/sbin/ip'].find((path) => existsSync(path)) ?? 'ip'

/** Why there is no other machine to be had here; undefined when there is one. */
export function whyNoCable(): string | undefined {
  try {
    makeCable().dispose()
    return undefined
  } catch (error) {
    return `no network namespace can be made here, only root may (${String(error).split('\n')[0]})`
  }
}

/** Settings of a server that the other machine can reach. */
export const reachable = ['fsync=off', 'listen_addresses=0.0.0.0']

/** Lets the other machine in. */
export function letIn(server: Server): void {
  appendFileSync(join(server.directory, 'data/pg_hba.conf'), `\nhost all all ${here}/24 trust\n`)
  if (server.pid !== undefined) process.kill(server.pid, 'SIGHUP')
}

/** The command that runs another one with a file system of its own in a folder, in which it begins. Only root may. */
export function ownFileSystem(folder: string): readonly string[] {
  const script = 'mount -t tmpfs tmpfs "$0" && cd "$0" && exec "$@"'
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, folder]
}

export function makeCable(): Cable {
  const ip = (...words: readonly string[]) => execFileSync(program, words, { stdio: 'pipe' })
  const dispose = () => {
    spawnSync(program, ['link', 'del', `${name}a`])
    spawnSync(program, ['netns', 'del', name])
  }
  try {
    ip('netns', 'add', name)
    ip('link', 'add', `${name}a`, 'type', 'veth', 'peer', 'name', `${name}b`, 'netns', name)
    ip('addr', 'add', `${here}/24`, 'dev', `${name}a`)
    ip('-n', name, 'addr', 'add', `${there}/24`, 'dev', `${name}b`)
    ip('link', 'set', `${name}a`, 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('-n', name, 'link', 'set', `${name}b`, 'up')
  } catch (error) {
    dispose()
    throw error
  }
  return {
    inside: [program, 'netns', 'exec', name],
    insideWith: (folder) => [program, 'netns', 'exec', name, ...ownFileSystem(folder)],
    addressOf: (server) => server.address.replace('127.0.0.1', here),
    // The end on this side: the other machine sends, and nothing arrives.
    pull: () => ip('link', 'set', `${name}a`, 'down'),
    plugIn: () => ip('link', 'set', `${name}a`, 'up'),
    dispose,
  }
}
