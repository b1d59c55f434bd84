import { execFile } from 'node:child_process'
import type { ChildVariables } from './child-variables.ts'

/** A program that makes a namespace and runs another one in it. */
export interface Launch {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly variables: ChildVariables
  /** What it reads on the descriptor of the filter: which calls of the system the kernel refuses. */
  readonly filter?: Uint8Array
  /** Whose rights it has. Absent means ours; only root can give others. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

/** What a launch is for: a program, where it runs, and what it finds in its environment. */
export interface Inner {
  readonly words: readonly string[]
  readonly cwd: string
  readonly variables: ChildVariables
  /** The descriptor on which bubblewrap says what it made. */
  readonly statusFd: number
  /** The descriptor from which bubblewrap reads a filter, when the launch has one. */
  readonly filterFd: number
}

/**
 * What keeps the processes of a command together. A namespace ends with everything in it; a group ends with those that
 * have not left it.
 */
export type Containment =
  | { readonly kind: 'namespace'; launch(inner: Inner): Launch }
  | { readonly kind: 'group'; readonly why: string }

/** The whole machine as it is, but for a table of processes of its own. */
const namespaceArguments: readonly string[] =
  '--unshare-pid --die-with-parent --new-session --dev-bind / / --proc /proc'.split(' ')

const probes = new Map<string, Promise<Containment>>()

/** Tries bubblewrap once: where it is installed, the system can still forbid what it needs. */
export function findContainment(bubblewrap: string | undefined): Promise<Containment> {
  if (bubblewrap === undefined) return Promise.resolve({ kind: 'group', why: 'bubblewrap is not installed' })
  const known = probes.get(bubblewrap)
  if (known !== undefined) return known
  const probe = tryNamespace(bubblewrap)
  probes.set(bubblewrap, probe)
  return probe
}

/** What a command may leave behind, in a sentence. */
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
