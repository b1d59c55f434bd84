import { execFile } from 'node:child_process'
import type { ChildVariables } from './child-variables.ts'

/** A program that makes a namespace and runs another one in it. */
export interface Launch {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly variables: ChildVariables
  /** A filter of system calls, read from the filter descriptor: the kernel refuses these calls. */
  readonly filter?: Uint8Array
  /** Namespaces that it enters, by descriptors of this process, which are closed when it has started. */
  readonly spaces?: { readonly user: number; readonly net: number }
  /** The user and group it runs as. Absent means ours; only root can choose others. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

/** The program that a launch starts, its folder and its environment. */
export interface Inner {
  readonly words: readonly string[]
  readonly cwd: string
  readonly variables: ChildVariables
  /** The descriptor on which bubblewrap reports the process that it started. */
  readonly statusFd: number
  /** The descriptor from which bubblewrap reads a filter, when the launch has one. */
  readonly filterFd: number
  /** The descriptors at which it finds the namespaces that it enters. Absent means that it can enter none. */
  readonly spacesFds?: { readonly user: number; readonly net: number }
}

/**
 * How the processes of a command are kept together. A namespace ends with every process in it; ending a process group
 * misses the processes that have left it.
 */
export type Containment =
  | { readonly kind: 'namespace'; launch(inner: Inner): Launch }
  | { readonly kind: 'group'; readonly why: string }

/** The whole machine as it is, but with its own process table. */
const namespaceArguments: readonly string[] =
  '--unshare-pid --die-with-parent --new-session --dev-bind / / --proc /proc'.split(' ')

const probes = new Map<string, Promise<Containment>>()

/** Tries bubblewrap once: even where it is installed, the system can forbid the namespaces it needs. */
export function findContainment(bubblewrap: string | undefined): Promise<Containment> {
  if (bubblewrap === undefined) return Promise.resolve({ kind: 'group', why: 'bubblewrap is not installed' })
  const known = probes.get(bubblewrap)
  if (known !== undefined) return known
  const probe = tryNamespace(bubblewrap)
  probes.set(bubblewrap, probe)
  return probe
}

/** A sentence on which processes a command may leave running; undefined when none. */
export function promiseOf(containment: Containment): string | undefined {
  if (containment.kind === 'namespace') return undefined
  const gap =
    process.platform === 'linux'
      ? 'a process that starts a session of its own and clears its environment can outlive its command'
      : 'a process that starts a session of its own can outlive its command'
  return `${containment.why}: ${gap}`
}

function launchAsItIs(bubblewrap: string, { words, cwd, variables, statusFd }: Inner): Launch {
  const all = [...namespaceArguments, '--chdir', cwd, '--json-status-fd', `${statusFd}`, '--', ...words]
  return { program: bubblewrap, arguments: all, cwd, variables }
}

function tryNamespace(bubblewrap: string): Promise<Containment> {
  const test = [...namespaceArguments, '--', '/bin/sh', '-c', 'test -e /proc/self/fd && test "$$" -lt 10']
  return new Promise((resolve) => {
    execFile(bubblewrap, test, { timeout: 5000, killSignal: 'SIGKILL', cwd: '/' }, (error, _output, errors) => {
      if (error === null) return resolve({ kind: 'namespace', launch: (inner) => launchAsItIs(bubblewrap, inner) })
      const said = errors.trim().split('\n')[0] ?? ''
      resolve({ kind: 'group', why: `bubblewrap does not work here (${said === '' ? error.message : said})` })
    })
  })
}
